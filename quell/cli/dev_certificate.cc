#include "quell/cli/dev_certificate.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "quell/net/file_descriptor.h"

namespace quell::cli {

DevCertificate::DevCertificate() : pair_(make_throwaway_certificate(KeyAlgorithm::ecdsa_p256)) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) folder = ".";
  constexpr int kSuffixLength = 4;  // ".pem"
  std::string name = (folder / "quell-dev-XXXXXX.pem").string();
  const net::FileDescriptor file{::mkstemps(name.data(), kSuffixLength)};
  if (!file.is_open()) return;
  const std::string& text = pair_.certificate;
  if (::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) path_ = name;
}

DevCertificate::~DevCertificate() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace quell::cli
