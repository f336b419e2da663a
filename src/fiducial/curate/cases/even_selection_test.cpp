#include "fiducial/curate/cases/even_selection.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(EvenSelection, takes_every_label_of_every_kind_equally_often_where_it_can) {
  std::vector<CaseLabels> cases;
  for (int i = 0; i < 300; ++i) {
    // Chapter I is ten times as frequent as the others, and CT four times as frequent as MRI.
    const int rest = i % 12;
    cases.push_back({{rest < 10 ? "I" : rest == 10 ? "II" : "III"}, {i % 5 > 0 ? "CT" : "MRI"}});
  }
  PythonRandom random(7);
  const std::vector<std::size_t> found = evenly_selected(cases, 60, random);
  ASSERT_EQ(found.size(), 60U);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  std::map<std::string, int> counts;
  for (const std::size_t at : found) {
    for (const auto& labels : cases[at]) ++counts[labels.front()];
  }
  EXPECT_EQ(counts["I"] + counts["II"] + counts["III"], 60);
  for (const char* chapter : {"I", "II", "III"}) EXPECT_NEAR(counts[chapter], 20, 4) << chapter;
  EXPECT_NEAR(counts["CT"], 30, 4);
  PythonRandom again(7);
  EXPECT_EQ(evenly_selected(cases, 60, again), found);
  EXPECT_EQ(evenly_selected(cases, 1000, again).size(), 300U);
  EXPECT_TRUE(evenly_selected({}, 5, again).empty());
}

}  // namespace
}  // namespace fiducial
