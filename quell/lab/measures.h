// What was seen in a run? Numbers with names, which expectations and tables refer to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quell/lab/observed.h"

namespace quell::lab {

// One entry in the list of its group is all that a measure needs: `{name, meaning, value}`. The name tells
// the unit: `_s` seconds, `_mbps` Mbit/s, `_ms` milliseconds, `_share` of one; counts and packets carry none.
struct Measure {
  std::string_view name;
  std::string_view meaning;  // one line for people
  double (*value)(const Observed&);
};

// The values of one run.
class Measures {
 public:
  // All zero.
  Measures();
  explicit Measures(const Observed& observed);

  // `name` must be a measure.
  double value(std::string_view name) const;
  void set(std::string_view name, double value);

  bool completed = false;  // the load was done before the deadline

 private:
  std::vector<double> values_;  // in the order of all groups
};

bool is_measure(std::string_view name);
// In the order of all groups.
std::vector<std::string_view> measure_list();
// All names, for an error message.
std::string measure_names();
// Is it a time in seconds?
bool is_time(std::string_view name);
// One line for people; `name` must be a measure.
std::string_view meaning_of(std::string_view name);

}  // namespace quell::lab
