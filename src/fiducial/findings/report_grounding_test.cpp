#include "fiducial/findings/report_grounding.h"

#include <map>
#include <set>

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

TEST(ReportGrounding, says_the_same_of_a_place_whichever_path_leads_to_it) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> rules;  // by node, then path
  for (const ConceptRules::Rule& rule : path_rules().rules()) {
    const std::string& path = path_rules().names()[rule.name];
    rules[std::string(node_of(path))][path].insert(rule.text);
  }
  for (const auto& [node, paths] : rules) {
    for (const auto& [path, texts] : paths) EXPECT_EQ(texts, paths.begin()->second) << path;
  }
  EXPECT_EQ(grounded("Calcification in the wall of the abdominal aorta."),
            Texts{"calcification @aorta @aorta"});
}

TEST(ReportGrounding, names_what_is_found_and_what_it_is_taken_for) {
  EXPECT_EQ(grounded("Findings consistent with viral pneumonia in both lungs."),
            Texts{"viral pneumonia @left lung @right lung"});
  EXPECT_EQ(grounded("No finding in favor of pneumonia was detected."), Texts{"no pneumonia @lung"});
  for (const char* open : {"Covid-19 pneumonia?", "Covid-19 pneumonia cannot be excluded.",
                           "These appearances can be seen in viral pneumonia.", "Suspicious for malignancy.",
                           "Follow-up is recommended in terms of infection."}) {
    EXPECT_EQ(grounded(open), Texts{}) << open;
  }
  EXPECT_EQ(
      grounded("A mass is seen in the left lung lower lobe. There is dilatation of the pulmonary artery."),
      (Texts{"mass @left lung lower lobe @left lung lower lobe", "dilatation @pulmonary artery"}));
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
