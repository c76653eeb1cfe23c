// What do we wait for? A socket, a moment, or a signal.
#pragma once

#include <initializer_list>
#include <optional>
#include <system_error>
#include <vector>

#include "quell/base/time.h"
#include "quell/net/file_descriptor.h"

namespace quell::net {

class EventLoop {
 public:
  EventLoop();

  // Signals in `numbers` no longer interrupt; they come out of wait(). Call before threads are made.
  std::error_code watch_signals(std::initializer_list<int> numbers);
  std::error_code watch(int fd);
  // Also wake when `fd`, watched already, can be written.
  void want_writable(int fd, bool wanted);

  struct Wake {
    bool readable = false;
    bool writable = false;
    int signals = 0;  // how many arrived
  };
  // Sleeps until something happens or `deadline` passes; nothing: for ever; a deadline not after `now`: only
  // looks.
  Wake wait(std::optional<TimePoint> deadline, TimePoint now);

 private:
  int read_signals();

  FileDescriptor epoll_;
  FileDescriptor signals_;
  bool has_nanoseconds_ = true;
};

}  // namespace quell::net
