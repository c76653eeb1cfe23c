#include "quell/crypto/gnutls_credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace quell {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class File {
 public:
  File(const std::string& name, std::string_view text) : path_(testing::TempDir() + name) {
    std::ofstream{path_} << text;
  }
  ~File() { std::remove(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const PemPair& pair() {
  static const PemPair made = make_throwaway_certificate(KeyAlgorithm::ed25519);
  return made;
}

TEST(ServerCredentials, ComeFromFiles) {
  const File certificate{"quell_cert.pem", pair().certificate};
  const File key{"quell_key.pem", pair().key};
  EXPECT_TRUE(server_credentials_from_files(certificate.path(), key.path()));
}

TEST(ServerCredentials, SayWhichFileCannotBeRead) {
  const auto result = server_credentials_from_files("/nowhere/cert.pem", "/nowhere/key.pem");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), AllOf(HasSubstr("'/nowhere/cert.pem'"), HasSubstr("No such file")));
}

TEST(ServerCredentials, SayThatAFileIsADirectory) {
  const auto result = server_credentials_from_files(testing::TempDir(), testing::TempDir());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), HasSubstr("Is a directory"));
}

TEST(ServerCredentials, SayThatAFileIsEmpty) {
  const File empty{"quell_empty.pem", ""};
  const auto result = server_credentials_from_files(empty.path(), empty.path());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), HasSubstr("empty"));
}

TEST(ServerCredentials, SayThatTheKeyIsAnothers) {
  const auto result =
      server_credentials_from_pem(pair().certificate, make_throwaway_certificate(KeyAlgorithm::ed25519).key);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), HasSubstr("does not belong"));
}

TEST(ServerCredentials, SayWhatIsNotPem) {
  const auto no_certificate = server_credentials_from_pem("hello", pair().key);
  ASSERT_FALSE(no_certificate);
  EXPECT_THAT(no_certificate.error(), HasSubstr("no certificate in PEM form"));
  const auto no_key = server_credentials_from_pem(pair().certificate, "hello");
  ASSERT_FALSE(no_key);
  EXPECT_THAT(no_key.error(), HasSubstr("no private key in PEM form"));
}

// Under LeakSanitizer: what GnuTLS has begun to read is freed as well.
TEST(ServerCredentials, SayThatACertificateIsDamaged) {
  const PemPair pair = make_throwaway_certificate(KeyAlgorithm::ed25519);
  const std::string damaged = "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n";
  const auto refused = server_credentials_from_pem(damaged, pair.key);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("cannot be used"), std::string::npos) << refused.error();
}

TEST(ClientCredentials, ComeFromACaFile) {
  const File ca{"quell_ca.pem", pair().certificate};
  EXPECT_TRUE(client_credentials_from_ca_file(ca.path()));
}

TEST(ClientCredentials, SayWhatIsWrongWithACaFile) {
  const auto missing = client_credentials_from_ca_file("/nowhere/ca.pem");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error(), AllOf(HasSubstr("'/nowhere/ca.pem'"), HasSubstr("No such file")));
  const File garbage{"quell_garbage.pem", "hello"};
  const auto wrong = client_credentials_from_ca_file(garbage.path());
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error(), AllOf(HasSubstr("quell_garbage.pem"), HasSubstr("no certificate in PEM form")));
}

TEST(ThrowawayCertificate, AlwaysHasTheSameSizeWithEd25519) {
  for (int i = 0; i < 50; ++i) {
    const PemPair other = make_throwaway_certificate(KeyAlgorithm::ed25519);
    EXPECT_EQ(other.certificate.size(), pair().certificate.size());
    EXPECT_NE(other.certificate, pair().certificate);
  }
}

}  // namespace
}  // namespace quell
