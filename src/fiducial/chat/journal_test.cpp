#include "fiducial/chat/journal.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/chat/crc32c.h"

namespace fiducial {
namespace {

JournalEntry replied(const std::string& request, const std::string& text) {
  JournalEntry out{
      .request = request, .item = "Case number 68", .step = "answer", .started = "2026-03-01T12:00:00.000Z"};
  out.status = 200;
  out.reply =
      ChatReply{.text = text, .finish = "stop", .usage = {.prompt = 7, .completion = 2}, .model = "m"};
  return out;
}

JournalEntry failed(const std::string& request, const std::string& why) {
  return {.request = request, .item = "Case number 68", .step = "answer", .status = 500, .error = why};
}

const Json plan = Json::object({{"model", "m"}, {"split", "test"}});

class JournalFile : public testing::Test {
 protected:
  Path file() const { return folder_.path() / "journal.jsonl"; }
  std::string text() const { return *read_text_file(file()); }
  void write(const std::string& text) const { ASSERT_TRUE(write_file(file(), std::string_view(text)).ok()); }
  void fill(int replies) const {
    Result<Journal> journal = Journal::open(file(), plan);
    ASSERT_TRUE(journal.ok());
    for (int i = 0; i < replies; ++i) {
      ASSERT_TRUE(journal->append(replied("r" + std::to_string(i), "text \"of\" " + std::to_string(i))).ok());
    }
  }

 private:
  TemporaryFolder folder_;
};

TEST(Crc32c, is_the_published_check_value) { EXPECT_EQ(crc32c("123456789"), 0xE3069283U); }

TEST_F(JournalFile, gives_back_what_was_appended) {
  fill(3);
  const Result<Journal> journal = Journal::open(file(), plan);
  ASSERT_TRUE(journal.ok());
  EXPECT_EQ(journal->size(), 3U);
  const auto reply = journal->find("r1");
  ASSERT_TRUE(reply.ok() && reply->has_value());
  EXPECT_EQ((*reply)->text, "text \"of\" 1");
  EXPECT_EQ((*reply)->usage, (TokenUsage{.prompt = 7, .completion = 2}));
  EXPECT_EQ(journal->totals().usage.prompt, 21);
  EXPECT_FALSE((*journal->find("r9")).has_value());
}

TEST_F(JournalFile, takes_a_reply_after_a_failure_and_tells_the_last_failure) {
  {
    Result<Journal> journal = Journal::open(file(), plan);
    ASSERT_TRUE(journal->append(failed("a", "first")).ok());
    ASSERT_TRUE(journal->append(failed("a", "second")).ok());
    ASSERT_TRUE(journal->append(failed("b", "for good")).ok());
    ASSERT_TRUE(journal->append(replied("a", "yes")).ok());
  }
  const Result<Journal> journal = Journal::read(file());
  EXPECT_EQ((*journal->find("a"))->text, "yes");
  EXPECT_EQ(journal->last_error("a"), "");
  EXPECT_EQ(journal->last_error("b"), "for good");
  EXPECT_EQ(journal->totals().failures, 3);
}

TEST_F(JournalFile, goes_on_after_every_cut) {
  fill(3);
  const std::string whole = text();
  for (std::size_t kept = 0; kept < whole.size(); kept += kept < 12 ? 1 : 11) {
    write(whole.substr(0, kept));
    const Result<Journal> journal = Journal::open(file(), plan);
    ASSERT_TRUE(journal.ok()) << kept << ": " << journal.error().text();
    const auto lines = static_cast<std::size_t>(
        std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(kept), '\n'));
    EXPECT_EQ(journal->size(), lines == 0 ? 0 : lines - 1) << kept;
  }
}

TEST_F(JournalFile, appends_a_whole_line_after_a_cut) {
  fill(2);
  write(text().substr(0, text().size() - 5));
  {
    Result<Journal> journal = Journal::open(file(), plan);
    ASSERT_TRUE(journal->append(replied("r1", "again")).ok());
  }
  const Result<Journal> journal = Journal::read(file());
  ASSERT_TRUE(journal.ok());
  EXPECT_EQ((*journal->find("r1"))->text, "again");
}

TEST_F(JournalFile, finds_every_flipped_byte_and_names_its_line) {
  fill(3);
  const std::string whole = text();
  const std::size_t second = whole.find('\n') + 1;
  const std::size_t third = whole.find('\n', second) + 1;
  for (std::size_t at = second; at + 1 < third; at += 5) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write(damaged);
    const Result<Journal> journal = Journal::open(file(), plan);
    ASSERT_FALSE(journal.ok()) << at;
    EXPECT_EQ(journal.error().code(), ErrorCode::integrity) << at;
    EXPECT_EQ(journal.error().place().line, 2U) << at;
  }
}

TEST_F(JournalFile, is_refused_to_another_plan) {
  fill(1);
  const Result<Journal> journal = Journal::open(file(), Json::object({{"model", "n"}, {"split", "test"}}));
  ASSERT_FALSE(journal.ok());
  EXPECT_EQ(journal.error().code(), ErrorCode::bad_usage);
  EXPECT_NE(journal.error().message().find("model: m, and now n"), std::string::npos);
}

TEST_F(JournalFile, is_never_begun_over_a_file_of_another_kind) {
  write("{\"title\": \"Case number 68\"}\n");
  EXPECT_FALSE(Journal::open(file(), plan).ok());
  write("{\"request\": \"a\", \"reply\": \"b\"}\n");
  EXPECT_FALSE(Journal::open(file(), plan).ok());
}

TEST_F(JournalFile, reads_replies_from_elsewhere_too) {
  write(
      "{\"request\": \"a\", \"reply\": {\"answer\": \"B\"}, \"tokens\": {\"prompt\": 3}}\r\n{\"request\": "
      "\"b\", \"reply\": \"C\"}");
  const Result<Journal> journal = Journal::read(file());
  ASSERT_TRUE(journal.ok()) << journal.error().text();
  EXPECT_EQ((*journal->find("a"))->text, R"({"answer":"B"})");
  EXPECT_EQ((*journal->find("b"))->text, "C");
}

}  // namespace
}  // namespace fiducial
