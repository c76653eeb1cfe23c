// Which keys protect which packets? (RFC 9001 §5.1, §5.2, §6.1)
#pragma once

#include "quell/crypto/aead.h"
#include "quell/crypto/hkdf.h"
#include "quell/wire/connection_id.h"
#include "quell/wire/types.h"

namespace quell {

struct InitialSecrets {
  Secret client;
  Secret server;
};
// From the Destination Connection ID of the client's first Initial (RFC 9001 §5.2). Only kVersion1 is known
// now.
InitialSecrets initial_secrets(const ConnectionId& client_destination, std::uint32_t version = kVersion1);

// The secret of the next key phase, label "quic ku" (RFC 9001 §6.1).
Secret next_secret(AeadKind kind, const Secret& secret);

}  // namespace quell
