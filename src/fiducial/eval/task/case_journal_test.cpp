#include "fiducial/eval/task/case_journal.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

Json line_of(int number) {
  return Json::object({{"case", "case" + decimal(number)}, {"dice", 1.0 / (3 + number)}});
}

// What a run of four cases leaves behind.
std::string journal_text_of(const TemporaryFolder& folder) {
  {
    const std::unique_ptr<CaseJournal> journal = *CaseJournal::open(folder / "whole", "key");
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(journal->append(line_of(i)).ok());
  }
  return *read_text_file(folder / "whole");
}

TEST(CaseJournal, keeps_what_was_appended_for_the_same_key) {
  const TemporaryFolder folder;
  journal_text_of(folder);
  const std::unique_ptr<CaseJournal> again = *CaseJournal::open(folder / "whole", "key");
  EXPECT_EQ(again->size(), 4U);
  ASSERT_NE(again->find("case2"), nullptr);
  EXPECT_EQ(again->find("case2")->compact(), line_of(2).compact());
  EXPECT_EQ(again->find("case9"), nullptr);
}

TEST(CaseJournal, starts_anew_for_another_key) {
  const TemporaryFolder folder;
  journal_text_of(folder);
  EXPECT_EQ((*CaseJournal::open(folder / "whole", "other"))->size(), 0U);
  EXPECT_EQ((*CaseJournal::open(folder / "whole", "key"))->size(), 0U);
}

TEST(CaseJournal, survives_a_cut_at_every_byte) {
  const TemporaryFolder folder;
  const std::string text = journal_text_of(folder);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    ASSERT_TRUE(write_file(folder / "j", std::string_view(text).substr(0, cut)).ok());
    const auto whole_lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(cut), '\n');
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(0, whole_lines - 1));
    {
      const std::unique_ptr<CaseJournal> journal = *CaseJournal::open(folder / "j", "key");
      ASSERT_EQ(journal->size(), kept);
      ASSERT_TRUE(journal->append(line_of(7)).ok());
    }
    EXPECT_EQ((*CaseJournal::open(folder / "j", "key"))->size(), kept + 1);
  }
}

}  // namespace
}  // namespace fiducial
