#include "quell/cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace quell::cli {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} * 1024;

std::error_code last_error() {
  return {errno, std::system_category()};
}

std::error_code write_all(int fd, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return last_error();
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

std::string part_name(const std::string& path) {
  return path + ".part";
}

}  // namespace

std::error_code BufferedWriter::write(Bytes bytes) {
  if (buffer_.capacity() == 0) buffer_.reserve(kBufferBytes);
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    if (const auto error = flush()) return error;
  }
  if (bytes.size() >= kBufferBytes) return write_all(fd_, bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return {};
}

std::error_code BufferedWriter::flush() {
  const std::error_code error = write_all(fd_, buffer_);
  buffer_.clear();
  return error;
}

FileOutput::FileOutput(net::FileDescriptor fd, std::string path)
    : fd_(std::move(fd)), writer_(fd_.get()), path_(std::move(path)) {}

FileOutput::~FileOutput() {
  if (!committed_) ::unlink(part_name(path_).c_str());
}

std::error_code FileOutput::commit() {
  if (const auto error = writer_.flush()) return error;
  if (std::rename(part_name(path_).c_str(), path_.c_str()) != 0) return last_error();
  committed_ = true;
  return {};
}

std::expected<std::unique_ptr<Output>, std::error_code> open_output(const std::string& path) {
  struct stat facts{};
  const bool exists = ::stat(path.c_str(), &facts) == 0;
  if (exists && !S_ISREG(facts.st_mode)) {
    net::FileDescriptor fd{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
    if (!fd.is_open()) return std::unexpected(last_error());
    return std::make_unique<StreamOutput>(std::move(fd));
  }
  constexpr mode_t kMode = 0666;  // less the umask
  net::FileDescriptor fd{::open(part_name(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode)};
  if (!fd.is_open()) return std::unexpected(last_error());
  return std::make_unique<FileOutput>(std::move(fd), path);
}

std::expected<std::unique_ptr<Output>, std::error_code> open_standard_output() {
  net::FileDescriptor fd{::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};
  if (!fd.is_open()) return std::unexpected(last_error());
  return std::make_unique<StreamOutput>(std::move(fd));
}

}  // namespace quell::cli
