#include "fiducial/synth/finding_text.h"

#include <gtest/gtest.h>

#include "fiducial/synth/report_text.h"

namespace fiducial {
namespace {

const EntityFacts right_lower{.voxels = 90, .lobe = 14, .diameter_mm = 9, .thickness_mm = 8};
const EntityFacts left_upper{.voxels = 300, .lobe = 10, .diameter_mm = 14, .thickness_mm = 21};

TEST(FindingText, says_size_side_and_lobe_of_one_nodule) {
  const FindingText text = finding_text({FindingKind::nodules, {right_lower}});
  EXPECT_EQ(text.phrase, "Solid nodule measuring 9 mm in the right lower lobe.");
  EXPECT_EQ(text.sentence, "A solid nodule measuring 9 mm in diameter is observed in the right lower lobe.");
}

TEST(FindingText, counts_nodules_and_names_the_largest) {
  const FindingText text = finding_text({FindingKind::nodules, {right_lower, left_upper}});
  EXPECT_EQ(text.phrase,
            "Two solid nodules in both lungs, the largest measuring 14 mm in the left upper lobe.");
}

TEST(FindingText, tells_the_sides_of_an_effusion_apart) {
  EXPECT_EQ(finding_text({FindingKind::pleural_effusion, {left_upper}}).phrase,
            "Left pleural effusion measuring up to 21 mm in thickness.");
  EXPECT_EQ(finding_text({FindingKind::pleural_effusion, {right_lower, left_upper}}).phrase,
            "Bilateral pleural effusion, measuring up to 8 mm on the right and 21 mm on the left.");
}

TEST(FindingText, names_the_lobe_that_holds_most_of_the_ground_glass) {
  const FindingText text = finding_text({FindingKind::ground_glass, {right_lower, left_upper}, 10});
  EXPECT_EQ(text.phrase,
            "Patchy ground-glass opacities in both lungs, most extensive in the left upper lobe.");
}

TEST(ReportParts, names_every_finding_and_denies_the_rest) {
  const std::vector<FindingFacts> findings{{FindingKind::nodules, {right_lower}},
                                           {FindingKind::emphysema, {left_upper}}};
  Random random(2);
  const ReportParts report = report_text(findings, {.slice_mm = 2.5}, random);
  for (const FindingFacts& facts : findings) {
    EXPECT_NE(report.findings.find(finding_text(facts).sentence), std::string::npos);
    EXPECT_NE(report.impressions.find(finding_text(facts).impression), std::string::npos);
  }
  EXPECT_NE(report.findings.find("Pleural effusion or thickening was not detected."), std::string::npos);
  EXPECT_EQ(report.findings.find("No nodule"), std::string::npos);
  EXPECT_NE(report.technique.find("2.5 mm"), std::string::npos);
}

TEST(ReportParts, follow_contrast_surgery_and_earlier_scans) {
  const std::vector<FindingFacts> findings{{FindingKind::consolidation, {right_lower}}};
  Random random(3);
  const ReportParts report = report_text(findings,
                                         {.slice_mm = 1,
                                          .contrast = Contrast::venous,
                                          .resected = Organ::lung_upper_lobe_left,
                                          .scoliosis_mm = -6,
                                          .follow_up = true},
                                         random);
  EXPECT_EQ(report.technique,
            "Axial sections of 1 mm thickness were taken in the venous phase after intravenous contrast.");
  for (const char* words : {"The left upper lobe was resected", "scoliosis with its convexity to the right",
                            "previous examination", "vessels are opacified"}) {
    EXPECT_NE(report.findings.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(report.findings.find("no contrast was given"), std::string::npos);
}

}  // namespace
}  // namespace fiducial
