// Where does a download go? A file appears only when it is whole.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "quell/base/units.h"
#include "quell/net/file_descriptor.h"

namespace quell::cli {

class Output {
 public:
  virtual ~Output() = default;  // without commit(): what was written does not count
  virtual std::error_code write(Bytes bytes) = 0;
  virtual std::error_code commit() = 0;
};

// Takes everything and keeps nothing.
class DiscardOutput final : public Output {
 public:
  std::error_code write(Bytes) override { return {}; }
  std::error_code commit() override { return {}; }
};

// Gathers small pieces: a system call per packet would cost more than the packet.
class BufferedWriter {
 public:
  explicit BufferedWriter(int fd) : fd_(fd) {}
  std::error_code write(Bytes bytes);
  std::error_code flush();

 private:
  int fd_;
  std::vector<std::uint8_t> buffer_;
};

// An open descriptor, such as standard output; or a device, which has no temporary name.
class StreamOutput final : public Output {
 public:
  explicit StreamOutput(net::FileDescriptor fd) : fd_(std::move(fd)), writer_(fd_.get()) {}
  std::error_code write(Bytes bytes) override { return writer_.write(bytes); }
  std::error_code commit() override { return writer_.flush(); }

 private:
  net::FileDescriptor fd_;
  BufferedWriter writer_;
};

// PATH.part until it is whole, then PATH. What an earlier try left behind is overwritten.
class FileOutput final : public Output {
 public:
  FileOutput(net::FileDescriptor fd, std::string path);
  ~FileOutput() override;
  std::error_code write(Bytes bytes) override { return writer_.write(bytes); }
  std::error_code commit() override;

 private:
  net::FileDescriptor fd_;
  BufferedWriter writer_;
  std::string path_;
  bool committed_ = false;
};

std::expected<std::unique_ptr<Output>, std::error_code> open_output(const std::string& path);
std::expected<std::unique_ptr<Output>, std::error_code> open_standard_output();

}  // namespace quell::cli
