#include "quell/cli/file_server.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "quell/cli/temporary_folder_for_test.h"

namespace quell::cli {
namespace {

std::string all_of(http3::BodySource* body, std::size_t step = 1000) {
  std::string text;
  while (body != nullptr) {
    const auto piece = body->next(step);
    EXPECT_LE(piece.slice.bytes.size(), step);
    text.append(piece.slice.bytes.begin(), piece.slice.bytes.end());
    if (piece.state == http3::BodySource::State::failed) return text + "(failed)";
    if (piece.state == http3::BodySource::State::end) break;
  }
  return text;
}

std::string field(const http3::Response& response, std::string_view name) {
  return std::string{http3::find(response.fields, name).value_or("(absent)")};
}

class FileServerTest : public testing::Test {
 protected:
  FileServerTest() {
    folder.add("secret.txt", "secret");
    folder.add("www/index.html", "<h1>home</h1>");
    folder.add("www/ten.txt", "0123456789");
    folder.add("www/none.bin", "");
  }
  http3::Response ask(const std::string& path, const std::string& method = "GET",
                      http3::Fields fields = {}) const {
    const FileServer server{
        {.root = std::move(*DocumentRoot::open(folder.path() / "www")), .generate = false}};
    return server.answer({.key = {},
                          .method = method,
                          .scheme = "https",
                          .authority = "localhost",
                          .path = path,
                          .fields = std::move(fields)});
  }
  test::TemporaryFolder folder;
};

TEST_F(FileServerTest, GivesAFileWithTypeAndLength) {
  const auto response = ask("/ten.txt");
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(field(response, "content-type"), "text/plain; charset=utf-8");
  EXPECT_EQ(field(response, "content-length"), "10");
  EXPECT_EQ(all_of(response.body.get()), "0123456789");
}

TEST_F(FileServerTest, GivesTheIndexForTheRoot) {
  const auto response = ask("/");
  EXPECT_EQ(field(response, "content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(all_of(response.body.get()), "<h1>home</h1>");
}

TEST_F(FileServerTest, GivesAnEmptyFile) {
  const auto response = ask("/none.bin");
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(field(response, "content-length"), "0");
  EXPECT_EQ(all_of(response.body.get()), "");
}

TEST_F(FileServerTest, SaysToHeadWhatItWouldSayToGetWithoutTheBody) {
  const auto head = ask("/ten.txt", "HEAD");
  EXPECT_EQ(head.status, 200U);
  EXPECT_EQ(head.fields, ask("/ten.txt").fields);
  EXPECT_EQ(head.body, nullptr);
  EXPECT_EQ(ask("/nothing", "HEAD").body, nullptr);
}

TEST_F(FileServerTest, GivesAPart) {
  const auto response = ask("/ten.txt", "GET", {{"range", "bytes=2-4"}});
  EXPECT_EQ(response.status, 206U);
  EXPECT_EQ(field(response, "content-range"), "bytes 2-4/10");
  EXPECT_EQ(field(response, "content-length"), "3");
  EXPECT_EQ(all_of(response.body.get()), "234");
}

TEST_F(FileServerTest, RefusesAPartBehindTheEnd) {
  const auto response = ask("/ten.txt", "GET", {{"range", "bytes=10-"}});
  EXPECT_EQ(response.status, 416U);
  EXPECT_EQ(field(response, "content-range"), "bytes */10");
}

TEST_F(FileServerTest, IgnoresRangesOfHead) {
  EXPECT_EQ(ask("/ten.txt", "HEAD", {{"range", "bytes=2-4"}}).status, 200U);
}

TEST_F(FileServerTest, RefusesOtherMethods) {
  for (const char* method : {"POST", "PUT", "DELETE", "get"}) {
    const auto response = ask("/ten.txt", method);
    EXPECT_EQ(response.status, 405U);
    EXPECT_EQ(field(response, "allow"), "GET, HEAD");
  }
}

TEST_F(FileServerTest, FindsNothingOutside) {
  std::filesystem::create_symlink("../secret.txt", folder.path() / "www/link.txt");
  for (const char* path : {"/nothing", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
                           "/link.txt", "/ten.txt%00", "*", "", "/ten.txt/../../secret.txt"}) {
    const auto response = ask(path);
    EXPECT_EQ(response.status, 404U) << path;
    EXPECT_EQ(all_of(response.body.get()), "404 Not Found\n");
  }
}

TEST_F(FileServerTest, MakesOnlyFieldsThatMayBeSent) {
  for (const auto& response :
       {ask("/ten.txt"), ask("/x"), ask("/", "PUT"), ask("/ten.txt", "GET", {{"range", "bytes=-1"}})}) {
    EXPECT_TRUE(http3::are_valid(response.fields));
  }
}

TEST_F(FileServerTest, FailsTheBodyOfAFileThatShrinks) {
  const auto response = ask("/ten.txt");
  std::filesystem::resize_file(folder.path() / "www/ten.txt", 5);
  EXPECT_EQ(all_of(response.body.get()), "(failed)");
}

TEST(FileServer, GeneratesBytesThatDependOnTheirOffsetOnly) {
  const FileServer server{{.root = std::nullopt, .generate = true}};
  const auto ask = [&](const std::string& path, http3::Fields fields) {
    return server.answer({.key = {},
                          .method = "GET",
                          .scheme = "",
                          .authority = "",
                          .path = path,
                          .fields = std::move(fields)});
  };
  const auto whole = ask("/600000", {});
  EXPECT_EQ(field(whole, "content-length"), "600000");
  const std::string bytes = all_of(whole.body.get(), 100000);
  ASSERT_EQ(bytes.size(), 600000U);
  const auto part = ask("/600000", {{"range", "bytes=262000-262999"}});
  EXPECT_EQ(all_of(part.body.get()), bytes.substr(262000, 1000));
  EXPECT_EQ(static_cast<std::uint8_t>(bytes[599999]), http3::generated_byte(599999));
  EXPECT_EQ(ask("/0", {}).status, 200U);
  for (const char* path : {"/", "/12x", "/-1", "/99999999999999999999", "/1/2"})
    EXPECT_EQ(ask(path, {}).status, 404U) << path;
}

// A file larger than several buffers, read in odd steps: every byte once, and buffers return to the pool when
// slices go.
TEST(FileBody, ReadsTheWholeFileInOrderAndReusesItsBuffers) {
  const test::TemporaryFolder folder;
  std::string text(3 * BufferPool::kBufferBytes + 77, '\0');
  for (std::size_t i = 0; i != text.size(); ++i) text[i] = static_cast<char>(i * 31 + i / 1000);
  folder.add("big", text);
  const auto file = DocumentRoot::open(folder.path())->find("big");
  ASSERT_TRUE(file);
  const auto pool = std::make_shared<BufferPool>();
  FileBody body{file->fd, 0, file->size, pool};
  EXPECT_TRUE(all_of(&body, 99991) == text);
  const std::uint8_t* first = pool->take()->data();
  EXPECT_EQ(pool->take()->data(), first);
}

}  // namespace
}  // namespace quell::cli
