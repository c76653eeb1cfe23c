#include "quell/net/event_loop.h"

#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "quell/base/check.h"

namespace quell::net {
namespace {

std::error_code last_error() {
  return {errno, std::system_category()};
}

timespec to_timespec(Duration d) {
  const auto whole = std::chrono::duration_cast<seconds>(d);
  return {static_cast<time_t>(whole.count()), static_cast<long>((d - whole).count())};
}

int to_milliseconds_rounded_up(Duration d) {
  constexpr milliseconds kLongest = std::chrono::hours{24};
  return static_cast<int>(std::min(std::chrono::ceil<milliseconds>(d), kLongest).count());
}

}  // namespace

// Choice: epoll_pwait2 has nanoseconds and costs no call to arm it, unlike a timerfd; but the kernel adds the
// thread's timer slack, 50 us by default, which would blur the pacer.
EventLoop::EventLoop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  QUELL_CHECK(epoll_.is_open());
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

std::error_code EventLoop::watch_signals(std::initializer_list<int> numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  if (::pthread_sigmask(SIG_BLOCK, &set, nullptr) != 0) return last_error();
  signals_ = FileDescriptor{::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC)};
  if (!signals_.is_open()) return last_error();
  return watch(signals_.get());
}

std::error_code EventLoop::watch(int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0 ? std::error_code{} : last_error();
}

void EventLoop::want_writable(int fd, bool wanted) {
  epoll_event event{};
  event.events = wanted ? EPOLLIN | EPOLLOUT : EPOLLIN;
  event.data.fd = fd;
  QUELL_CHECK(::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event) == 0);
}

EventLoop::Wake EventLoop::wait(std::optional<TimePoint> deadline, TimePoint now) {
  const Duration left = deadline ? std::max(*deadline - now, Duration{0}) : Duration{0};
  std::array<epoll_event, 4> events{};
  int count = -1;
  if (has_nanoseconds_) {
    const timespec timeout = to_timespec(left);
    count = ::epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()),
                           deadline ? &timeout : nullptr, nullptr);
    // Old kernels lack the call, and some sandboxes forbid what they do not know.
    if (count < 0 && (errno == ENOSYS || errno == EPERM)) has_nanoseconds_ = false;
  }
  if (!has_nanoseconds_) {
    count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                         deadline ? to_milliseconds_rounded_up(left) : -1);
  }
  Wake wake;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.fd == signals_.get()) {
      wake.signals += read_signals();
      continue;
    }
    wake.readable |= (event.events & (EPOLLIN | EPOLLERR)) != 0;
    wake.writable |= (event.events & EPOLLOUT) != 0;
  }
  return wake;
}

int EventLoop::read_signals() {
  int count = 0;
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) ++count;
  return count;
}

}  // namespace quell::net
