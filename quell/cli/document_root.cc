#include "quell/cli/document_root.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace quell::cli {
namespace {

std::unexpected<std::error_code> fail_with(int code) {
  return std::unexpected(std::error_code{code, std::system_category()});
}

// O_NONBLOCK: a FIFO must not hang the server.
constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

// For kernels before 5.6 and sandboxes that forbid openat2: no symbolic link at all, component by component.
int open_without_links(int root, const std::string& path) {
  net::FileDescriptor directory{::dup(root)};
  if (!directory.is_open()) return -1;
  std::size_t start = 0;
  for (;;) {
    const std::size_t slash = path.find('/', start);
    const std::string name = path.substr(start, slash == std::string::npos ? slash : slash - start);
    const bool is_last = slash == std::string::npos || slash + 1 == path.size();
    const int flags = kReadFlags | O_NOFOLLOW | (is_last ? 0 : O_DIRECTORY);
    const int fd = ::openat(directory.get(), name.c_str(), flags);
    if (is_last || fd < 0) return fd;
    directory = net::FileDescriptor{fd};
    start = slash + 1;
  }
}

}  // namespace

std::expected<DocumentRoot, std::error_code> DocumentRoot::open(const std::string& directory) {
  net::FileDescriptor fd{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!fd.is_open()) return fail_with(errno);
  return DocumentRoot{std::move(fd)};
}

std::expected<OpenFile, std::error_code> DocumentRoot::find(const std::string& relative_path) const {
  std::string path = relative_path.empty() ? "index.html" : relative_path;
  if (path.ends_with('/')) path += "index.html";
  for (int attempt = 0; attempt != 2; ++attempt) {
    auto fd = open_beneath(path);
    if (!fd) return std::unexpected(fd.error());
    struct stat facts{};
    if (::fstat(fd->get(), &facts) != 0) return fail_with(errno);
    if (S_ISREG(facts.st_mode)) {
      return OpenFile{std::make_shared<const net::FileDescriptor>(std::move(*fd)),
                      static_cast<ByteCount>(facts.st_size), path};
    }
    if (!S_ISDIR(facts.st_mode)) break;
    path += "/index.html";
  }
  return fail_with(EISDIR);
}

std::expected<net::FileDescriptor, std::error_code> DocumentRoot::open_beneath(
    const std::string& path) const {
  open_how how{};
  how.flags = kReadFlags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  int fd = static_cast<int>(::syscall(SYS_openat2, fd_.get(), path.c_str(), &how, sizeof how));
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) fd = open_without_links(fd_.get(), path);
  if (fd < 0) return fail_with(errno);
  return net::FileDescriptor{fd};
}

}  // namespace quell::cli
