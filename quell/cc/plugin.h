// How does a controller that was built elsewhere come into the laboratory? As a shared library with one
// symbol:
//
//   #include "quell/cc/plugin.h"
//   class Mine : public quell::cc::Controller { … };
//   QUELL_CONTROLLER_PLUGIN("mine", "what it is, in one line", Mine)
//
// `quell lab run SCENARIO --cc ./libmine.so` then runs it as if it had been compiled in. `Mine` needs a
// constructor that takes a `const quell::cc::Config&`, and its traits() must bear the same name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "quell/cc/controller.h"

namespace quell::cc {

// Rises with every change to controller.h or events.h that an already built library would misread.
inline constexpr std::uint32_t kPluginInterfaceVersion = 2;

// What the compiler made of the types that cross the border. Two sides that differ here must not talk, even
// when somebody forgot to raise the version.
constexpr std::uint64_t plugin_layout() {
  std::uint64_t layout = 0;
  for (const std::size_t fact : {sizeof(Config), sizeof(Traits), sizeof(SentEvent), sizeof(AckEvent),
                                 sizeof(AckedPacket), sizeof(LossEvent), sizeof(LostPacket),
                                 sizeof(CongestionEvent), sizeof(DeliveryRateSample), sizeof(void*)}) {
    layout = layout * 31 + fact;
  }
  return layout;
}

// What the library's factory answers. The first field never moves, so that any version can be told.
struct Plugin {
  std::uint32_t interface_version = kPluginInterfaceVersion;
  std::uint64_t layout = plugin_layout();
  const char* name = nullptr;     // as --cc and the tables call it; no built-in controller's name
  const char* summary = nullptr;  // one line
  ControllerPtr (*make)(const Config&) = nullptr;
};

// The name of the factory: extern "C" const quell::cc::Plugin* quell_controller_plugin(void).
inline constexpr const char* kPluginSymbol = "quell_controller_plugin";
using PluginFactory = const Plugin* (*)();

}  // namespace quell::cc

#define QUELL_CONTROLLER_PLUGIN(plugin_name, plugin_summary, Type)                                       \
  extern "C" __attribute__((visibility("default"))) const quell::cc::Plugin* quell_controller_plugin() { \
    static const quell::cc::Plugin plugin{                                                               \
        .name = plugin_name,                                                                             \
        .summary = plugin_summary,                                                                       \
        .make = [](const quell::cc::Config& config) -> quell::cc::ControllerPtr {                        \
          return std::make_unique<Type>(config);                                                         \
        }};                                                                                              \
    return &plugin;                                                                                      \
  }
