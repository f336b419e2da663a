#include "fiducial/http/reply.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial::http {
namespace {

TEST(HttpDate, is_written_as_the_standard_writes_its_example) {
  EXPECT_EQ(http_date(std::chrono::system_clock::from_time_t(784111777)), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Head, tells_the_length_and_the_end) {
  const Reply reply = Reply::text("four");
  const std::string head = head_text(reply, {.length = 4, .keep_alive = false});
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nDate: "));
  EXPECT_NE(head.find("\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"), std::string::npos);
}

TEST(Head, has_no_length_where_there_is_no_body) {
  EXPECT_EQ(head_text(Reply{.status = 304}, {.length = 0}).find("Content-Length"), std::string::npos);
}

TEST(Head, leaves_out_fields_that_would_begin_another) {
  Reply reply;
  reply.set("Location", "/a\r\nSet-Cookie: b");
  EXPECT_EQ(head_text(reply, {.length = 0}).find("Set-Cookie"), std::string::npos);
}

TEST(Problem, says_what_is_wrong_as_json) {
  const Reply reply = Reply::problem(404, "no \"such\" case");
  EXPECT_EQ(std::get<std::string>(reply.body),
            R"({"type":"about:blank","title":"Not Found","status":404,"detail":"no \"such\" case"})");
}

class FileReply : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(write_file(folder_ / "f", std::string_view("0123456789")).ok()); }
  Reply reply(std::vector<Field> fields) const {
    const Request request{.fields = std::move(fields)};
    return file_reply(request, folder_ / "f", "text/plain", "\"tag\"").value();
  }
  TemporaryFolder folder_;
};

TEST_F(FileReply, gives_the_whole_file) {
  const Reply whole = reply({});
  EXPECT_EQ(whole.status, 200);
  EXPECT_EQ(std::get<FileBody>(whole.body).part, (ByteRange{.first = 0, .bytes = 10}));
}

TEST_F(FileReply, gives_the_part_that_is_asked_for) {
  const Reply part = reply({{"Range", "bytes=2-4"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.fields.back().value, "bytes 2-4/10");
  EXPECT_EQ(std::get<FileBody>(part.body).part, (ByteRange{.first = 2, .bytes = 3}));
}

TEST_F(FileReply, gives_the_whole_where_the_part_is_of_another_version) {
  EXPECT_EQ(reply({{"Range", "bytes=2-4"}, {"If-Range", "\"old\""}}).status, 200);
  EXPECT_EQ(reply({{"Range", "bytes=2-4"}, {"If-Range", "\"tag\""}}).status, 206);
}

TEST_F(FileReply, gives_nothing_that_the_client_has) {
  EXPECT_EQ(reply({{"If-None-Match", "\"tag\""}}).status, 304);
  EXPECT_EQ(reply({{"If-None-Match", "\"old\", W/\"tag\""}}).status, 304);
  EXPECT_EQ(reply({{"If-None-Match", "\"old\""}}).status, 200);
}

TEST_F(FileReply, refuses_parts_that_are_not_there) {
  EXPECT_EQ(reply({{"Range", "bytes=10-"}}).status, 416);
}

}  // namespace
}  // namespace fiducial::http
