#include "quell/lab/controller_choice.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <set>
#include <utility>

#include "quell/cc/plugin.h"
#include "quell/cc/registry.h"

namespace quell::lab {
namespace {

using Name = std::expected<std::string, std::string>;

bool is_file(const std::string& text) {
  return text.ends_with(".so") || text.contains('/');
}

std::string dl_error() {
  const char* error = dlerror();
  return error != nullptr ? error : "unknown reason";
}

// Empty, or what keeps this plugin out.
std::string objection_to(const cc::Plugin* plugin) {
  if (plugin == nullptr) return "its factory gives nothing";
  if (plugin->interface_version != cc::kPluginInterfaceVersion) {
    return fmt::format(
        "it was built for version {} of the controller interface, this program speaks version {}: build it "
        "against the headers of this version",
        plugin->interface_version, cc::kPluginInterfaceVersion);
  }
  if (plugin->layout != cc::plugin_layout())
    return "it was built with other headers or another compiler: build it against the headers of this "
           "version";
  if (plugin->name == nullptr || *plugin->name == '\0' || plugin->make == nullptr)
    return "it has no name or makes nothing";
  if (plugin->make({})->traits().name != plugin->name)
    return fmt::format("its traits do not bear its name, \"{}\"", plugin->name);
  return {};
}

// A string that lives for ever: entries of the registry do.
const std::string& keep(std::string text) {
  static std::set<std::string> kept;
  return *kept.insert(std::move(text)).first;
}

Name load(const std::string& file) {
  // A name without a slash would be looked for among the system's libraries.
  const std::string path = file.contains('/') ? file : "./" + file;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::unexpected(fmt::format("cannot load {}: {}", file, dl_error()));
  void* symbol = dlsym(library, cc::kPluginSymbol);
  if (symbol == nullptr) {
    return std::unexpected(fmt::format(
        "{} has no function {}: write QUELL_CONTROLLER_PLUGIN(\"name\", \"summary\", YourController) in it",
        file, cc::kPluginSymbol));
  }
  const cc::Plugin* plugin = reinterpret_cast<cc::PluginFactory>(symbol)();
  if (const auto objection = objection_to(plugin); !objection.empty())
    return std::unexpected(fmt::format("{} cannot be used: {}", file, objection));
  const cc::Entry entry{.name = plugin->name,
                        .summary = plugin->summary != nullptr ? plugin->summary : "",
                        .is_specimen = false,
                        .make = plugin->make,
                        .file = keep(file)};
  const cc::Entry* known = cc::find(plugin->name);
  const bool is_loaded_again = known != nullptr && !known->file.empty() && known->make == plugin->make;
  if (!is_loaded_again && !cc::add(entry)) {
    return std::unexpected(
        fmt::format("{} calls itself \"{}\", and there is such a controller already", file, plugin->name));
  }
  return plugin->name;
}

Name find_built_in(const std::string& name) {
  if (cc::find(name) != nullptr) return name;
  std::string known;
  for (const auto& entry : cc::entries()) known += (known.empty() ? "" : ", ") + std::string{entry.name};
  return std::unexpected(fmt::format(
      "there is no controller \"{}\"; there are: {}; or name a shared library: ./mine.so", name, known));
}

}  // namespace

std::expected<std::vector<std::string>, std::string> choose_controllers(
    const std::vector<std::string>& names_or_files) {
  std::vector<std::string> names;
  for (const std::string& text : names_or_files) {
    Name name = is_file(text) ? load(text) : find_built_in(text);
    if (!name) return std::unexpected(std::move(name.error()));
    names.push_back(std::move(*name));
  }
  return names;
}

std::string spelling_of(const std::string& controller) {
  const cc::Entry* entry = cc::find(controller);
  return entry == nullptr || entry->file.empty() ? controller : std::string{entry->file};
}

}  // namespace quell::lab
