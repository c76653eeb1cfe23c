#include "quell/net/event_loop.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <csignal>

#include "quell/net/monotonic_clock.h"

namespace quell::net {
namespace {

TEST(EventLoop, WakesNotBeforeItsDeadline) {
  EventLoop loop;
  const TimePoint start = now();
  const auto wake = loop.wait(start + milliseconds{5}, start);
  EXPECT_GE(now() - start, milliseconds{5});
  EXPECT_FALSE(wake.readable);
}

TEST(EventLoop, OnlyLooksWhenTheDeadlineHasPassed) {
  EventLoop loop;
  const TimePoint start = now();
  loop.wait(start - seconds{5}, start);
  EXPECT_LT(now() - start, seconds{1});
}

TEST(EventLoop, SaysWhatCanBeReadAndWritten) {
  EventLoop loop;
  FileDescriptor event{::eventfd(0, EFD_NONBLOCK)};
  ASSERT_FALSE(loop.watch(event.get()));
  EXPECT_FALSE(loop.wait(now(), now()).readable);
  ::eventfd_write(event.get(), 1);
  EXPECT_TRUE(loop.wait(std::nullopt, now()).readable);
  EXPECT_FALSE(loop.wait(now(), now()).writable);
  loop.want_writable(event.get(), true);
  EXPECT_TRUE(loop.wait(now(), now()).writable);
}

TEST(EventLoop, ASignalIsAValue) {
  EventLoop loop;
  ASSERT_FALSE(loop.watch_signals({SIGUSR1}));
  ::raise(SIGUSR1);
  EXPECT_EQ(loop.wait(std::nullopt, now()).signals, 1);
  EXPECT_EQ(loop.wait(now(), now()).signals, 0);
}

}  // namespace
}  // namespace quell::net
