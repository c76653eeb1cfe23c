#include "quell/qlog/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace quell::qlog {
namespace {

std::string reason(int error) {
  return std::error_code(error, std::generic_category()).message();
}

}  // namespace

void report_to_stderr(const std::string& message) {
  fmt::print(stderr, "quell: {}\n", message);
}

std::expected<std::unique_ptr<FileOutput>, std::string> FileOutput::open(const std::string& path,
                                                                         ErrorReporter report) {
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr)
    return std::unexpected(fmt::format("cannot write the qlog {}: {}", path, reason(errno)));
  std::setvbuf(file, nullptr, _IONBF, 0);  // the writer hands over large blocks
  return std::unique_ptr<FileOutput>(new FileOutput(file, path, std::move(report)));
}

FileOutput::FileOutput(std::FILE* file, std::string path, ErrorReporter report)
    : file_(file), path_(std::move(path)), report_(std::move(report)) {}

FileOutput::~FileOutput() {
  if (file_ != nullptr && std::fclose(file_) != 0) {
    file_ = nullptr;
    fail(errno);
  }
}

bool FileOutput::write(std::string_view bytes) {
  if (file_ == nullptr) return false;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return true;
  fail(errno);
  return false;
}

void FileOutput::fail(int error) {
  if (file_ != nullptr) std::fclose(std::exchange(file_, nullptr));
  if (report_) report_(fmt::format("the qlog {} ends early: {}", path_, reason(error)));
}

}  // namespace quell::qlog
