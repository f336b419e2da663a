#include "fiducial/datasets/detection_tables.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(DetectionTables, read_scans_without_lesions_and_without_detections) {
  const auto scans =
      parse_detection_tables("case,lesions\nb,0\na,2\nc,1\n", "lesion,confidence,case\n1,0.5,a\n,0.25,b\n");
  ASSERT_TRUE(scans.ok()) << scans.error().text();
  ASSERT_EQ(scans->size(), 3U);
  EXPECT_EQ((*scans)[0].lesions, 2);
  EXPECT_EQ((*scans)[0].detections.front().lesion, 1);
  EXPECT_EQ((*scans)[1].detections.front().lesion, std::nullopt);
  EXPECT_TRUE((*scans)[2].detections.empty());
}

TEST(DetectionTables, refuse_what_says_nothing_or_too_much) {
  const std::string lesions = "case,lesions\na,1\n";
  for (const char* found : {"case,confidence,lesion\nb,0.5,0\n", "case,confidence,lesion\na,nan,0\n",
                            "case,confidence,lesion\na,sure,0\n", "case,confidence,lesion\na,0.5,1\n",
                            "case,confidence,lesion\na,0.5,-1\n", "case,confidence\na,0.5\n"}) {
    EXPECT_FALSE(parse_detection_tables(lesions, found).ok()) << found;
  }
  const std::string none = "case,confidence,lesion\n";
  EXPECT_FALSE(parse_detection_tables("case,lesions\na,1\na,1\n", none).ok());
  EXPECT_FALSE(parse_detection_tables("case,lesions\na,many\n", none).ok());
  EXPECT_FALSE(parse_detection_tables("case,lesions\na,-1\n", none).ok());
}

}  // namespace
}  // namespace fiducial
