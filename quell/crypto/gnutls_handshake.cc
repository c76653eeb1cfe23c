#include "quell/crypto/gnutls_handshake.h"

#include <arpa/inet.h>
#include <gnutls/gnutls.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "quell/base/check.h"
#include "quell/crypto/credentials_impl.h"
#include "quell/crypto/keylog.h"
#include "quell/crypto/tls_alert.h"
#include "quell/crypto/tls_messages.h"

namespace quell {
namespace {

// RFC 9001 §8.2.
constexpr int kTransportParametersExtension = 0x39;
// Choice: a ClientHello with large post-quantum shares fits, and so does a chain of large certificates;
// nothing more is kept of an unfinished message.
constexpr std::size_t kMaxMessageToServer = std::size_t{32} * 1024;
constexpr std::size_t kMaxMessageToClient = std::size_t{128} * 1024;

Space space_of(gnutls_record_encryption_level_t level) {
  switch (level) {
    case GNUTLS_ENCRYPTION_LEVEL_INITIAL:
      return Space::initial;
    case GNUTLS_ENCRYPTION_LEVEL_HANDSHAKE:
      return Space::handshake;
    default:
      return Space::application;
  }
}

gnutls_record_encryption_level_t level_of(Space space) {
  switch (space) {
    case Space::initial:
      return GNUTLS_ENCRYPTION_LEVEL_INITIAL;
    case Space::handshake:
      return GNUTLS_ENCRYPTION_LEVEL_HANDSHAKE;
    case Space::application:
      return GNUTLS_ENCRYPTION_LEVEL_APPLICATION;
  }
  return GNUTLS_ENCRYPTION_LEVEL_INITIAL;
}

std::optional<AeadKind> aead_of(gnutls_cipher_algorithm_t cipher) {
  switch (cipher) {
    case GNUTLS_CIPHER_AES_128_GCM:
      return AeadKind::aes_128_gcm;
    case GNUTLS_CIPHER_AES_256_GCM:
      return AeadKind::aes_256_gcm;
    case GNUTLS_CIPHER_CHACHA20_POLY1305:
      return AeadKind::chacha20_poly1305;
    default:
      return std::nullopt;
  }
}

std::string priority_of(const std::vector<AeadKind>& ciphers) {
  std::string text = "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL";
  for (const AeadKind kind : ciphers) {
    text += kind == AeadKind::aes_128_gcm   ? ":+AES-128-GCM"
            : kind == AeadKind::aes_256_gcm ? ":+AES-256-GCM"
                                            : ":+CHACHA20-POLY1305";
  }
  // Without the compatibility mode there is no legacy session ID, as RFC 9001 §8.4 demands.
  return text + ":-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:%DISABLE_TLS13_COMPAT_MODE";
}

bool is_ip_literal(const std::string& name) {
  std::array<std::uint8_t, 16> ip;
  return inet_pton(AF_INET, name.c_str(), ip.data()) == 1 ||
         inet_pton(AF_INET6, name.c_str(), ip.data()) == 1;
}

// "[::1]", as it stands in URLs, is "::1" in certificates.
std::string without_brackets(std::string name) {
  if (name.size() >= 2 && name.front() == '[' && name.back() == ']') return name.substr(1, name.size() - 2);
  return name;
}

template <typename T>
std::optional<T> pop_front(std::vector<T>& queue) {
  if (queue.empty()) return std::nullopt;
  std::optional<T> first{std::move(queue.front())};
  queue.erase(queue.begin());
  return first;
}

class GnutlsHandshake final : public Handshake {
 public:
  GnutlsHandshake(Side side, HandshakeConfig config);
  ~GnutlsHandshake() override { gnutls_deinit(session_); }
  GnutlsHandshake(const GnutlsHandshake&) = delete;
  GnutlsHandshake& operator=(const GnutlsHandshake&) = delete;

  Result<void> start() override;
  Result<void> receive(Space space, Bytes data) override;
  std::optional<HandshakeSecret> poll_secret() override;
  std::optional<HandshakeBytes> poll_bytes() override;
  bool is_complete() const override { return complete_; }
  std::optional<std::vector<std::uint8_t>> take_peer_parameters() override {
    return std::exchange(peer_parameters_, std::nullopt);
  }
  std::string alpn() const override { return alpn_; }
  void release() override;

 private:
  void set_up_session();
  void set_up_hooks();
  void set_up_peer_checks();

  Result<void> receive_message(Space space, Bytes message);
  Result<void> receive_after_handshake(Bytes data);
  Result<void> advance();
  Result<void> check_extensions();
  Result<void> refuse(const Error& error);
  Error error_of(int result) const;

  // GnuTLS calls these from within `advance`; each finds its object in the session's pointer.
  static GnutlsHandshake& self(gnutls_session_t session) {
    return *static_cast<GnutlsHandshake*>(gnutls_session_get_ptr(session));
  }
  int on_secrets(gnutls_record_encryption_level_t level, const void* read, const void* write,
                 std::size_t size);
  int on_outgoing(gnutls_record_encryption_level_t level, gnutls_handshake_description_t type,
                  const void* data, std::size_t size);
  int on_peer_parameters(const unsigned char* data, std::size_t size);
  int write_own_parameters(gnutls_buffer_t out) const;

  Side side_;
  HandshakeConfig config_;
  gnutls_session_t session_ = nullptr;

  // The space whose CRYPTO data is expected: that of the newest receive secret.
  Space read_space_ = Space::initial;
  TlsMessageCutter cutter_;
  PostHandshakeSkipper skipper_;
  // Few and short-lived, the newest last.
  std::vector<HandshakeSecret> secrets_;
  std::vector<HandshakeBytes> outgoing_;
  std::optional<std::vector<std::uint8_t>> peer_parameters_;
  bool has_peer_parameters_ = false;
  std::string alpn_;
  bool complete_ = false;
  std::optional<std::uint8_t> raised_alert_;
  // Once it failed, it stays failed.
  std::optional<Error> failure_;
};

GnutlsHandshake::GnutlsHandshake(Side side, HandshakeConfig config)
    : side_(side),
      config_(std::move(config)),
      cutter_(side == Side::client ? kMaxMessageToClient : kMaxMessageToServer) {
  QUELL_CHECK(config_.credentials != nullptr);
  QUELL_CHECK(!config_.alpn.empty());
  config_.server_name = without_brackets(std::move(config_.server_name));
  set_up_session();
  set_up_hooks();
  if (side_ == Side::client) set_up_peer_checks();
}

void GnutlsHandshake::set_up_session() {
  // Choice: one key share, so that the ClientHello fits one datagram and costs one key generation. No tickets
  // before there is resumption.
  unsigned flags = GNUTLS_NONBLOCK | GNUTLS_KEY_SHARE_TOP | GNUTLS_NO_TICKETS | GNUTLS_NO_END_OF_EARLY_DATA;
  flags |= side_ == Side::client ? GNUTLS_CLIENT : GNUTLS_SERVER | GNUTLS_NO_AUTO_SEND_TICKET;
  int result = gnutls_init(&session_, flags);
  QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  gnutls_session_set_ptr(session_, this);

  static const std::vector<AeadKind> kDefaultCiphers{AeadKind::aes_128_gcm, AeadKind::aes_256_gcm,
                                                     AeadKind::chacha20_poly1305};
  const std::string priority = priority_of(config_.ciphers.empty() ? kDefaultCiphers : config_.ciphers);
  result = gnutls_priority_set_direct(session_, priority.c_str(), nullptr);
  QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  result = gnutls_credentials_set(session_, GNUTLS_CRD_CERTIFICATE, config_.credentials->impl().handle);
  QUELL_CHECK(result == GNUTLS_E_SUCCESS);

  std::vector<gnutls_datum_t> protocols;
  protocols.reserve(config_.alpn.size());
  for (std::string& name : config_.alpn) {
    protocols.push_back({reinterpret_cast<unsigned char*>(name.data()), static_cast<unsigned>(name.size())});
  }
  result = gnutls_alpn_set_protocols(session_, protocols.data(), static_cast<unsigned>(protocols.size()),
                                     GNUTLS_ALPN_MANDATORY);
  QUELL_CHECK(result == GNUTLS_E_SUCCESS);
}

void GnutlsHandshake::set_up_hooks() {
  gnutls_handshake_set_secret_function(
      session_,
      [](gnutls_session_t s, gnutls_record_encryption_level_t level, const void* read, const void* write,
         std::size_t size) { return self(s).on_secrets(level, read, write, size); });
  gnutls_handshake_set_read_function(
      session_,
      [](gnutls_session_t s, gnutls_record_encryption_level_t level, gnutls_handshake_description_t type,
         const void* data, std::size_t size) { return self(s).on_outgoing(level, type, data, size); });
  gnutls_alert_set_read_function(session_, [](gnutls_session_t s, gnutls_record_encryption_level_t,
                                              gnutls_alert_level_t, gnutls_alert_description_t alert) {
    self(s).raised_alert_ = static_cast<std::uint8_t>(alert);
    return 0;
  });
  const int result = gnutls_session_ext_register(
      session_, "QUIC Transport Parameters", kTransportParametersExtension, GNUTLS_EXT_TLS,
      [](gnutls_session_t s, const unsigned char* data, std::size_t size) {
        return self(s).on_peer_parameters(data, size);
      },
      [](gnutls_session_t s, gnutls_buffer_t out) { return self(s).write_own_parameters(out); }, nullptr,
      nullptr, nullptr, GNUTLS_EXT_FLAG_TLS | GNUTLS_EXT_FLAG_CLIENT_HELLO | GNUTLS_EXT_FLAG_EE);
  QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  if (!config_.keylog_file.empty() || config_.key_log) {
    gnutls_session_set_keylog_function(
        session_, [](gnutls_session_t s, const char* label, const gnutls_datum_t* secret) {
          const HandshakeConfig& config = self(s).config_;
          const std::string line = keylog_line(s, label, *secret);
          if (config.key_log) config.key_log->on_secret(line);
          if (!config.keylog_file.empty()) append_keylog_line(config.keylog_file, line);
          return 0;
        });
  }
}

// The certificate must be valid for the name, which GnuTLS also compares with the certificate's IP addresses;
// a name that is an address must not be sent (RFC 6066 §3).
void GnutlsHandshake::set_up_peer_checks() {
  const std::string& name = config_.server_name;
  if (!name.empty() && !is_ip_literal(name)) {
    const int result = gnutls_server_name_set(session_, GNUTLS_NAME_DNS, name.data(), name.size());
    // A name that is none (not even IDNA) is not sent; the certificate check below will say so.
    (void)result;
  }
  // An empty name matches no certificate: whoever verifies must say whom.
  if (config_.credentials->impl().verifies_peer) gnutls_session_set_verify_cert(session_, name.c_str(), 0);
}

Result<void> GnutlsHandshake::start() {
  return side_ == Side::client ? advance() : Result<void>{};
}

Result<void> GnutlsHandshake::receive(Space space, Bytes data) {
  if (failure_) return std::unexpected(*failure_);
  while (!data.empty()) {
    // Data of another space than TLS is at is either late or early, never legal (RFC 9001 §4.1.3).
    if (space != read_space_) {
      return refuse({.code = TransportError::protocol_violation,
                     .reason = "CRYPTO data at the wrong encryption level"});
    }
    if (complete_) return receive_after_handshake(data);
    const auto message = cutter_.next(data);
    if (!message) return refuse(message.error());
    if (!*message) return {};
    if (const auto taken = receive_message(space, **message); !taken) return taken;
  }
  return {};
}

Result<void> GnutlsHandshake::receive_message(Space space, Bytes message) {
  const int result = gnutls_handshake_write(session_, level_of(space), message.data(), message.size());
  if (result < 0) return refuse(error_of(result));
  return advance();
}

// Choice: what follows the handshake never reaches GnuTLS: only tickets may come, and there is no use for
// them yet.
Result<void> GnutlsHandshake::receive_after_handshake(Bytes data) {
  if (side_ == Side::server) {
    return refuse(
        {.code = crypto_error(kAlertUnexpectedMessage), .reason = "a TLS message came after the handshake"});
  }
  const auto skipped = skipper_.skip(data);
  return skipped ? skipped : refuse(skipped.error());
}

Result<void> GnutlsHandshake::advance() {
  const int result = gnutls_handshake(session_);
  if (result < 0 && gnutls_error_is_fatal(result) != 0) return refuse(error_of(result));
  if (raised_alert_) return refuse(error_of_alert(*raised_alert_));
  const bool hellos_are_over =
      result == GNUTLS_E_SUCCESS || (side_ == Side::server && read_space_ != Space::initial);
  if (hellos_are_over) {
    if (const auto good = check_extensions(); !good) return good;
  }
  complete_ = result == GNUTLS_E_SUCCESS;
  return {};
}

// GnuTLS asks for ALPN only where the peer sent the extension at all, and knows nothing of transport
// parameters.
Result<void> GnutlsHandshake::check_extensions() {
  gnutls_datum_t selected{};
  if (gnutls_alpn_get_selected_protocol(session_, &selected) == GNUTLS_E_SUCCESS) {
    alpn_.assign(reinterpret_cast<const char*>(selected.data), selected.size);
  }
  if (std::ranges::find(config_.alpn, alpn_) == config_.alpn.end()) {
    return refuse(error_of_alert(kAlertNoApplicationProtocol));
  }
  if (!has_peer_parameters_) {
    return refuse({.code = crypto_error(kAlertMissingExtension),
                   .reason = "the peer sent no QUIC transport parameters"});
  }
  return {};
}

// Nothing more is sent: what TLS had prepared belongs to a handshake that will not be.
Result<void> GnutlsHandshake::refuse(const Error& error) {
  failure_ = error;
  outgoing_.clear();
  return std::unexpected(error);
}

Error GnutlsHandshake::error_of(int result) const {
  if (result == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR) {
    return error_of_verification(gnutls_session_get_verify_cert_status(session_));
  }
  if (raised_alert_) return error_of_alert(*raised_alert_);
  const int alert = gnutls_error_to_alert(result, nullptr);
  return error_of_alert(alert > 0 ? static_cast<std::uint8_t>(alert) : kAlertInternalError);
}

int GnutlsHandshake::on_secrets(gnutls_record_encryption_level_t level, const void* read, const void* write,
                                std::size_t size) {
  if (level == GNUTLS_ENCRYPTION_LEVEL_INITIAL || level == GNUTLS_ENCRYPTION_LEVEL_EARLY) return 0;
  const auto aead = aead_of(gnutls_cipher_get(session_));
  if (!aead) return GNUTLS_E_INTERNAL_ERROR;
  const auto hand_over = [&](Direction direction, const void* secret) {
    const auto* const bytes = static_cast<const std::uint8_t*>(secret);
    secrets_.push_back({.space = space_of(level),
                        .direction = direction,
                        .aead = *aead,
                        .secret = Secret(bytes, bytes + size)});
  };
  if (read != nullptr) {
    hand_over(Direction::receive, read);
    read_space_ = space_of(level);
  }
  if (write != nullptr) hand_over(Direction::send, write);
  return 0;
}

int GnutlsHandshake::on_outgoing(gnutls_record_encryption_level_t level, gnutls_handshake_description_t type,
                                 const void* data, std::size_t size) {
  if (type == GNUTLS_HANDSHAKE_CHANGE_CIPHER_SPEC) return 0;  // RFC 9001 §8.4: QUIC has no compatibility mode
  const auto* const bytes = static_cast<const std::uint8_t*>(data);
  const Space space = space_of(level);
  if (outgoing_.empty() || outgoing_.back().space != space) outgoing_.push_back({.space = space, .data = {}});
  outgoing_.back().data.insert(outgoing_.back().data.end(), bytes, bytes + size);
  return 0;
}

int GnutlsHandshake::on_peer_parameters(const unsigned char* data, std::size_t size) {
  peer_parameters_.emplace(data, data + size);
  has_peer_parameters_ = true;
  return 0;
}

int GnutlsHandshake::write_own_parameters(gnutls_buffer_t out) const {
  const auto& parameters = config_.transport_parameters;
  return parameters.empty() ? 0 : gnutls_buffer_append_data(out, parameters.data(), parameters.size());
}

std::optional<HandshakeSecret> GnutlsHandshake::poll_secret() {
  return pop_front(secrets_);
}

std::optional<HandshakeBytes> GnutlsHandshake::poll_bytes() {
  return pop_front(outgoing_);
}

// A finished server session of GnuTLS holds some 18 KiB.
void GnutlsHandshake::release() {
  QUELL_CHECK(complete_);
  gnutls_deinit(session_);
  session_ = nullptr;
  config_ = {};
  cutter_ = TlsMessageCutter{0};
  secrets_.shrink_to_fit();
  outgoing_.shrink_to_fit();
}

}  // namespace

std::unique_ptr<Handshake> make_gnutls_handshake(Side side, HandshakeConfig config) {
  return std::make_unique<GnutlsHandshake>(side, std::move(config));
}

}  // namespace quell
