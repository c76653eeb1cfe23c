// Can a peer's transport parameters break the decoder, or mean something else once rewritten?
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quell/base/check.h"
#include "quell/wire/transport_parameters.h"

namespace quell {
namespace {

// The first byte chooses the sender, and whether the rewritten parameters are greased; the rest is what it
// sent.
void run(Bytes input) {
  if (input.empty()) return;
  const Side sender = (input[0] & 1) == 0 ? Side::client : Side::server;
  const std::optional<std::uint64_t> grease =
      (input[0] & 2) == 0 ? std::nullopt : std::optional<std::uint64_t>{input[0]};
  const Result<TransportParameters> first = decode_transport_parameters(input.subspan(1), sender);
  if (!first) {
    QUELL_CHECK(first.error().code == TransportError::transport_parameter_error);
    QUELL_CHECK(!first.error().reason.empty());
    return;
  }
  const std::vector<std::uint8_t> encoded = encode(*first, grease);
  const Result<TransportParameters> second = decode_transport_parameters(encoded, sender);
  QUELL_CHECK(second.has_value());
  QUELL_CHECK(encode(*second, grease) == encoded);
}

}  // namespace
}  // namespace quell

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quell::run({data, size});
  return 0;
}
