// Where do a log's bytes go, and what happens when they cannot? To a file or a string; a full disk ends the
// log, not the connection.
#pragma once

#include <cstdio>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace quell::qlog {

class Output {
 public:
  virtual ~Output() = default;
  // False once the bytes could not be kept; the log then ends, and nothing more is written.
  virtual bool write(std::string_view bytes) = 0;
};

// Told once per log, with a sentence for people that names the file.
using ErrorReporter = std::function<void(const std::string&)>;
void report_to_stderr(const std::string& message);

class FileOutput final : public Output {
 public:
  // Creates or replaces the file. Error: a sentence that names the file and the reason.
  static std::expected<std::unique_ptr<FileOutput>, std::string> open(const std::string& path,
                                                                      ErrorReporter report);
  bool write(std::string_view bytes) override;
  // Closing may be the first to notice a full disk; that is reported too.
  ~FileOutput() override;
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

 private:
  FileOutput(std::FILE* file, std::string path, ErrorReporter report);
  void fail(int error);

  std::FILE* file_;
  std::string path_;
  ErrorReporter report_;
};

// Appends to a string of the caller's, which must outlive it.
class StringOutput final : public Output {
 public:
  explicit StringOutput(std::string& out) : out_(out) {}
  bool write(std::string_view bytes) override {
    out_ += bytes;
    return true;
  }

 private:
  std::string& out_;
};

}  // namespace quell::qlog
