#include "quell/cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace quell::cli {
namespace {

constexpr Duration kInterval = milliseconds{100};
constexpr std::size_t kBarWidth = 24;

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string bar(double fraction) {
  const auto filled = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * kBarWidth);
  std::string text(filled, '=');
  if (filled < kBarWidth) text += '>';
  text.resize(kBarWidth, ' ');
  return text;
}

}  // namespace

std::string human_size(ByteCount bytes) {
  constexpr std::array<const char*, 5> kUnits{"kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  // 999.95 would print as 1000.0.
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string human_rate(ByteCount bytes, Duration elapsed) {
  const double s = std::max(to_seconds(elapsed), 1e-9);
  return fmt::format("{:.1f} MB/s", static_cast<double>(bytes) / 1e6 / s);
}

std::string progress_line(const Transferred& t, Duration elapsed, std::size_t columns) {
  std::string line;
  if (t.is_expected_known && t.expected > 0) {
    const double fraction = static_cast<double>(t.bytes) / static_cast<double>(t.expected);
    line = fmt::format("[{}] {:3.0f} %  {} of {}", bar(fraction), fraction * 100, human_size(t.bytes),
                       human_size(t.expected));
  } else {
    line = human_size(t.bytes);
  }
  line += "  " + human_rate(t.bytes, elapsed);
  if (t.files > 1) line += fmt::format("  {} of {} files", t.files_done, t.files);
  if (line.size() > columns) line.resize(columns);
  return line;
}

void Progress::update(const Transferred& transferred, TimePoint start, TimePoint now) {
  if (!wanted_ || (next_ && now < *next_)) return;
  next_ = now + kInterval;
  drawn_ = true;
  fmt::print(stderr, "\r\x1b[K{}", progress_line(transferred, now - start, terminal_columns() - 1));
  std::fflush(stderr);
}

std::optional<TimePoint> Progress::next_wake() const {
  return wanted_ ? next_ : std::nullopt;
}

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace quell::cli
