#include "fiducial/findings/report_grounding.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Texts = std::vector<std::string>;

Texts grounded(std::string_view text) {
  static ReportGrounder grounder;
  Texts out;
  for (const GroundedFinding& finding : grounder.findings(text)) {
    std::string line = (finding.present ? "" : "no ") + finding.name;
    for (const std::string& path : finding.paths) line += " @" + std::string(node_of(path));
    for (const Measurement& size : finding.sizes) line += " " + measurement_text(size);
    out.push_back(line);
  }
  return out;
}

TEST(ReportGrounding, gives_each_finding_its_own_places) {
  EXPECT_EQ(grounded("A nodule is seen in the right lung upper lobe and a cyst in the left kidney."),
            (Texts{"nodule @right lung upper lobe @right lung upper lobe", "cyst @left kidney"}));
  EXPECT_EQ(grounded("In both lungs, emphysema and bronchiectasis are observed."),
            (Texts{"emphysema @left lung @right lung", "bronchiectasis @left lung @right lung"}));
}

TEST(ReportGrounding, keeps_sides_with_their_lobes) {
  EXPECT_EQ(grounded("Consolidation in the right lung upper lobe and the left lung lower lobe."),
            Texts{"consolidation @left lung lower lobe @left lung lower lobe "
                  "@right lung upper lobe @right lung upper lobe"});
}

TEST(ReportGrounding, knows_denials_and_sizes) {
  EXPECT_EQ(grounded("No pleural effusion was detected. A 7x5 mm nodule is seen in the left lung."),
            (Texts{"no pleural effusion @pleura", "nodule @left lung 7 x 5 mm"}));
  EXPECT_EQ(grounded("Emphysema?"), Texts{});
}

TEST(ReportGrounding, closes_paths_upwards_and_keeps_the_deepest) {
  EXPECT_EQ(with_ancestors("a/b/c"), (Texts{"a", "a/b", "a/b/c"}));
  EXPECT_EQ(deepest({"a/b", "a", "a/c", "a/b"}), (Texts{"a/b", "a/c"}));
}

TEST(ReportGrounding, fills_questions) {
  EXPECT_EQ(filled_question("Is there any {finding} in the {region}?", "nodule", "left lung"),
            "Is there any nodule in the left lung?");
  for (const char* family : {"presence", "abnormality", "location", "size", "disorders"}) {
    EXPECT_FALSE(question_templates().at(family).empty()) << family;
  }
}

}  // namespace
}  // namespace fiducial
