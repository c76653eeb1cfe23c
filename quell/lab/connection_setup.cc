#include "quell/lab/connection_setup.h"

#include "quell/base/check.h"
#include "quell/cc/registry.h"

namespace quell::lab {

ConnectionConfig connection_config(const Variant& variant, const std::string& controller) {
  const TransportConfig& t = variant.transport;
  ConnectionConfig config;
  config.controller = controller;
  config.initial_rtt = t.initial_rtt.value_or(config.initial_rtt);
  config.max_ack_delay = t.max_ack_delay.value_or(config.max_ack_delay);
  config.idle_timeout = t.idle_timeout.value_or(config.idle_timeout);
  config.handshake_timeout = t.handshake_timeout.value_or(config.handshake_timeout);
  if (t.max_datagram_size > 0) config.max_datagram_size = t.max_datagram_size;
  config.search_mtu_up_to = t.search_mtu_up_to;
  config.initial_window = t.initial_window_packets * config.max_datagram_size;
  if (t.stream_window > 0) config.max_stream_data = t.stream_window;
  if (t.connection_window > 0) config.max_data = t.connection_window;
  config.pacing = t.pacing;
  config.fixed_window = t.fixed_window;
  config.fixed_rate = t.fixed_rate;
  config.ciphers = {AeadKind::aes_128_gcm};
  return config;
}

bool has_lawless_window(const std::string& controller) {
  const cc::Entry* entry = cc::find(controller);
  QUELL_CHECK(entry != nullptr);
  return entry->make({})->traits().follows_a_model;
}

}  // namespace quell::lab
