// What is the answer to a request for a file?
#pragma once

#include <memory>
#include <optional>

#include "quell/cli/document_root.h"
#include "quell/cli/file_body.h"
#include "quell/http3/message.h"
#include "quell/http3/server.h"

namespace quell::cli {

class FileServer {
 public:
  struct Options {
    std::optional<DocumentRoot> root;  // none: no files
    bool generate = false;             // "/N" gives N bytes
  };
  explicit FileServer(Options options) : options_(std::move(options)) {}

  http3::Response answer(const http3::RequestReceived& request) const;

 private:
  // Something with a size of which parts can be had.
  struct Content {
    ByteCount size = 0;
    std::string type;
    std::shared_ptr<const net::FileDescriptor> file;  // null: generated
  };
  std::optional<Content> find(std::string_view path) const;
  http3::BodyPtr body_of(const Content& content, ByteCount first, ByteCount size) const;

  Options options_;
  std::shared_ptr<BufferPool> pool_ = std::make_shared<BufferPool>();
};

}  // namespace quell::cli
