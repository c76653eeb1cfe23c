// How far is it? A line on a terminal, nothing in a pipe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::cli {

struct Transferred {
  ByteCount bytes = 0;
  ByteCount expected = 0;  // of the responses that have begun; what they said
  bool is_expected_known = true;
  std::size_t files_done = 0;
  std::size_t files = 0;
};

// "[=====>     ]  45 %  12.3 MB of 27.3 MB  98.1 MB/s  2 of 10 files", `columns` wide at most.
std::string progress_line(const Transferred& transferred, Duration elapsed, std::size_t columns);
// "27.3 MB", powers of ten.
std::string human_size(ByteCount bytes);
std::string human_rate(ByteCount bytes, Duration elapsed);

// Draws on standard error, at most ten times a second.
class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted) {}
  void update(const Transferred& transferred, TimePoint start, TimePoint now);
  // When update() would draw again; nothing: never.
  std::optional<TimePoint> next_wake() const;
  // Leaves an empty line for what is said next.
  void clear();

 private:
  bool wanted_;
  bool drawn_ = false;
  std::optional<TimePoint> next_;
};

}  // namespace quell::cli
