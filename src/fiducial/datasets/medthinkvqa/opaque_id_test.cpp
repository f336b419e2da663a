#include "fiducial/datasets/medthinkvqa/opaque_id.h"

#include <set>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"

namespace fiducial::medthinkvqa {
namespace {

TEST(OpaqueId, differs_for_every_case_and_shows_none_of_its_number) {
  std::set<std::int64_t> seen;
  for (std::int64_t number = 1; number <= 20000; ++number) seen.insert(opaque_case_number(number));
  EXPECT_EQ(seen.size(), 20000U);
  EXPECT_GE(*seen.begin(), 100'000'000'000);
  EXPECT_LT(*seen.rbegin(), 1'000'000'000'000);
}

TEST(OpaqueId, stands_in_the_title_and_the_paths_of_a_case) {
  const DiagnosisCase item{
      .number = 68, .title = "Case number 68", .images = {{"x", "images/case00068/x.jpg"}}};
  const DiagnosisCase shown = with_opaque_id(item);
  const std::string number = decimal(opaque_case_number(68));
  EXPECT_EQ(shown.title, "Case number " + number);
  EXPECT_EQ(shown.images[0].path, "images/case" + number + "/x.jpg");
  EXPECT_EQ(shown.images[0].id, "x");
}

}  // namespace
}  // namespace fiducial::medthinkvqa
