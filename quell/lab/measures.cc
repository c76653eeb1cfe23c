#include "quell/lab/measures.h"

#include <algorithm>

#include "quell/base/check.h"
#include "quell/lab/measure_groups.h"

namespace quell::lab {
namespace {

const std::vector<Measure>& all() {
  static const std::vector<Measure> measures = [] {
    std::vector<Measure> list;
    for (const auto group :
         {progress_measures(), window_measures(), growth_measures(), recovery_measures(), conduct_measures(),
          delivery_measures(), limit_measures(), sharing_measures(), queue_measures()}) {
      list.insert(list.end(), group.begin(), group.end());
    }
    return list;
  }();
  return measures;
}

std::size_t ordinal_of(std::string_view name) {
  const auto found = std::ranges::find(all(), name, &Measure::name);
  QUELL_CHECK(found != all().end());
  return static_cast<std::size_t>(found - all().begin());
}

}  // namespace

Measures::Measures() : values_(all().size()) {}

Measures::Measures(const Observed& observed) : completed(observed.completed_at.has_value()) {
  for (const Measure& measure : all()) values_.push_back(measure.value(observed));
}

double Measures::value(std::string_view name) const {
  return values_[ordinal_of(name)];
}

void Measures::set(std::string_view name, double value) {
  values_[ordinal_of(name)] = value;
}

bool is_measure(std::string_view name) {
  return std::ranges::find(all(), name, &Measure::name) != all().end();
}

std::vector<std::string_view> measure_list() {
  std::vector<std::string_view> names;
  for (const Measure& measure : all()) names.push_back(measure.name);
  return names;
}

std::string measure_names() {
  std::string names;
  for (const Measure& measure : all()) names += (names.empty() ? "" : ", ") + std::string{measure.name};
  return names;
}

bool is_time(std::string_view name) {
  return name.ends_with("_s");
}

std::string_view meaning_of(std::string_view name) {
  return all()[ordinal_of(name)].meaning;
}

}  // namespace quell::lab
