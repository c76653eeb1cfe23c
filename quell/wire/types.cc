#include "quell/wire/types.h"

namespace quell {

const char* to_string(Space space) {
  switch (space) {
    case Space::initial:
      return "initial";
    case Space::handshake:
      return "handshake";
    case Space::application:
      return "application_data";
  }
  return "?";
}

const char* to_string(PacketType type) {
  switch (type) {
    case PacketType::initial:
      return "initial";
    case PacketType::zero_rtt:
      return "0RTT";
    case PacketType::handshake:
      return "handshake";
    case PacketType::retry:
      return "retry";
    case PacketType::version_negotiation:
      return "version_negotiation";
    case PacketType::one_rtt:
      return "1RTT";
  }
  return "?";
}

}  // namespace quell
