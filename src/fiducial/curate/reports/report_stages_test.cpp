#include "fiducial/curate/engine/stage_example.h"

namespace fiducial {
namespace {

using Statuses = std::vector<std::string>;

constexpr const char* three_reports =
    "VolumeName,Findings_EN,Impressions_EN\n"
    "train_1_a,There is a 5 mm nodule in the left lung.,\n"
    "train_2_a,There is a fracture of the fifth rib.,\n"
    "train_3_a,There is a nodule in the left lung. There is a fracture of the fifth rib.,\n";

TEST(SelectStage, takes_studies_with_an_included_code_and_without_an_excluded_one) {
  StageExample example("select", CurationMode::strict);
  EXPECT_EQ(example.file("REPORTS", three_reports, ".csv").run(".csv"), (Statuses{"ok", "ok", "ok"}));
  EXPECT_EQ(example.text(),
            "VolumeName,VolumeToAnnotate,Selected,Reason,Codes,Sources\n"
            "train_1_a,,1,,2d:1,F0:0-39\n"
            "train_2_a,,0,has no included code,4a:1,F0:0-36\n"
            "train_3_a,,0,has an excluded code,2d:1;4a:1,F0:0-34;F1:36-72\n");
}

TEST(SelectStage, takes_parents_for_all_their_codes) {
  StageExample example("select", CurationMode::strict);
  example.file("REPORTS", three_reports, ".csv").value("include", "4").value("exclude", "2d").run(".csv");
  EXPECT_NE(example.text().find("train_2_a,,1,,4a:1,F0:0-36\n"), std::string::npos);
  EXPECT_NE(example.text().find("train_3_a,,0,has an excluded code"), std::string::npos);
}

TEST(TasksStage, leaves_out_studies_without_a_finding_of_lungs_airways_or_pleura) {
  StageExample example("tasks", CurationMode::strict);
  EXPECT_EQ(example.file("REPORTS", three_reports, ".csv").run(".json"),
            (Statuses{"ok", "skipped nothing_to_annotate", "ok"}));
}

TEST(ReportStages, reject_a_report_whose_name_an_earlier_one_has) {
  StageExample example("tasks", CurationMode::strict);
  const std::string twice = std::string(three_reports) + "train_1_a,There is a nodule in the right lung.,\n";
  EXPECT_EQ(example.file("REPORTS", twice, ".csv").run(".json").back(), "rejected duplicate_name");
}

}  // namespace
}  // namespace fiducial
