// Which files may be served? Those beneath one directory, however symbolic links are laid.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <system_error>

#include "quell/base/units.h"
#include "quell/net/file_descriptor.h"

namespace quell::cli {

struct OpenFile {
  std::shared_ptr<const net::FileDescriptor> fd;
  ByteCount size = 0;
  std::string path;  // relative to the root, index.html included
};

class DocumentRoot {
 public:
  static std::expected<DocumentRoot, std::error_code> open(const std::string& directory);

  // `relative_path` comes from to_relative_path(). A directory gives its index.html, whether asked for with a
  // slash or without. Errors: ENOENT; EXDEV or ELOOP for links that lead out; EACCES; EISDIR for what is no
  // regular file.
  std::expected<OpenFile, std::error_code> find(const std::string& relative_path) const;

 private:
  explicit DocumentRoot(net::FileDescriptor fd) : fd_(std::move(fd)) {}
  std::expected<net::FileDescriptor, std::error_code> open_beneath(const std::string& path) const;

  net::FileDescriptor fd_;
};

}  // namespace quell::cli
