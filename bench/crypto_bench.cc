// What does it cost to protect a packet? Each engine, each cipher, both directions, and the header mask.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quell/crypto/aead.h"
#include "quell/crypto/packet_protection.h"
#include "quell/wire/types.h"

namespace quell {
namespace {

constexpr AeadKind kKinds[] = {AeadKind::aes_128_gcm, AeadKind::aes_256_gcm, AeadKind::chacha20_poly1305};
// A short header with an eight-byte connection ID and a two-byte packet number.
constexpr std::size_t kHeaderSize = 1 + 8 + 2;

std::vector<std::uint8_t> make_packet() {
  std::vector<std::uint8_t> packet(kDefaultMaxDatagram, 0x5a);
  packet[0] = 0x41;
  return packet;
}

void per_packet(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(kDefaultMaxDatagram));
}

void seal(benchmark::State& state, const CryptoEngine& engine, AeadKind kind) {
  PacketKey key{kind, Secret(hash_of(kind) == HashKind::sha384 ? 48 : 32, 1), engine};
  auto packet = make_packet();
  PacketNumber number = 0;
  for (auto _ : state) {
    key.seal(number++, packet, kHeaderSize);
    benchmark::ClobberMemory();
  }
  per_packet(state);
}

// The ciphertext must be fresh each time: copying it costs some 20 ns, which are part of the figure.
void open(benchmark::State& state, const CryptoEngine& engine, AeadKind kind) {
  PacketKey key{kind, Secret(hash_of(kind) == HashKind::sha384 ? 48 : 32, 1), engine};
  auto sealed = make_packet();
  key.seal(7, sealed, kHeaderSize);
  auto packet = sealed;
  for (auto _ : state) {
    std::copy(sealed.begin(), sealed.end(), packet.begin());
    if (!key.open(7, packet, kHeaderSize)) state.SkipWithError("not authentic");
    benchmark::ClobberMemory();
  }
  per_packet(state);
}

void mask(benchmark::State& state, const CryptoEngine& engine, AeadKind kind) {
  const auto protector = engine.make_header_protector(kind, std::vector<std::uint8_t>(key_size(kind), 1));
  HeaderMask sample{};
  for (auto _ : state) {
    sample = protector->mask(sample);
    benchmark::DoNotOptimize(sample);
  }
}

void protect_whole_packet(benchmark::State& state, const CryptoEngine& engine, AeadKind kind) {
  const Secret secret(hash_of(kind) == HashKind::sha384 ? 48 : 32, 1);
  PacketKey key{kind, secret, engine};
  HeaderKey header_key{kind, secret, engine};
  auto packet = make_packet();
  PacketNumber number = 0;
  for (auto _ : state) {
    packet[0] = 0x41;
    key.seal(number++, packet, kHeaderSize);
    header_key.protect(packet, kHeaderSize - 2, 2);
    benchmark::ClobberMemory();
  }
  per_packet(state);
}

void add_all() {
  for (const CryptoEngine* engine : available_engines()) {
    for (const AeadKind kind : kKinds) {
      const auto add = [&](const char* what, auto* body) {
        const std::string name =
            std::string{what} + "/" + std::string{engine->name()} + "/" + std::string{to_string(kind)};
        benchmark::RegisterBenchmark(
            name.c_str(), [body, engine, kind](benchmark::State& state) { body(state, *engine, kind); });
      };
      add("seal", seal);
      add("open", open);
      add("mask", mask);
      add("protect", protect_whole_packet);
    }
  }
}

}  // namespace
}  // namespace quell

int main(int argc, char** argv) {
  quell::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
