#include "fiducial/findings/report_grounding.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

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

TEST(ReportGrounding, carries_what_opens_a_sentence_into_its_clauses) {
  EXPECT_EQ(grounded("In the right lung, there is a nodule."), Texts{"nodule @right lung"});
  EXPECT_EQ(grounded("On the left, there is consolidation in the lower lobe."),
            Texts{"consolidation @left lung lower lobe @left lung lower lobe"});
  EXPECT_EQ(grounded("In the right lung, there is a nodule and a cyst in the left kidney."),
            (Texts{"nodule @right lung", "cyst @left kidney"}));
}

TEST(ReportGrounding, names_every_lobe_and_side_of_a_list) {
  EXPECT_EQ(grounded("Nodules in the right upper and left lower lobes."),
            Texts{"nodule @left lung lower lobe @left lung lower lobe "
                  "@right lung upper lobe @right lung upper lobe"});
  EXPECT_EQ(grounded("Cysts in the left and right kidneys."), Texts{"cyst @left kidney @right kidney"});
}

TEST(ReportGrounding, counts_ribs_and_vertebrae) {
  EXPECT_EQ(grounded("Fractures in the right 5th and 6th ribs."),
            Texts{"fracture @right rib 5 @right rib 6 @right rib 5 @right rib 6"});
  EXPECT_EQ(grounded("Height loss in T10-T12 and L1 vertebrae."),
            Texts{"height loss @lumbar vertebrae 1 (l1) @thoracic vertebrae 10 (t10) "
                  "@thoracic vertebrae 11 (t11) @thoracic vertebrae 12 (t12)"});
  EXPECT_EQ(grounded("A 4 mm fracture of a rib."), Texts{"fracture @rib 4 mm"});
}

TEST(ReportGrounding, gives_a_size_to_the_finding_beside_it) {
  EXPECT_EQ(grounded("A 9 mm nodule in the left lung, and an 11 mm nodule in the right lung."),
            (Texts{"nodule @left lung 9 mm", "nodule @right lung 11 mm"}));
}

TEST(ReportGrounding, asks_for_a_size_where_it_was_measured) {
  ReportGrounder grounder;
  const auto size_path = [&grounder](std::string_view text) {
    return grounder.findings(text).front().size_path;
  };
  EXPECT_EQ(size_path("Nodules in both lungs, the largest of which is 4 mm in the right lower lobe."),
            "lung/lung/lung lower lobe/right lung lower lobe");
  EXPECT_EQ(size_path("Nodules of 4 mm are seen in both lungs, the largest in the right lower lobe."),
            "lung/lung/lung lower lobe/right lung lower lobe");
  EXPECT_EQ(size_path("Nodules of up to 5 mm in both lungs."), "lung/lung");
}

TEST(ReportGrounding, calls_a_heart_that_has_grown_cardiomegaly) {
  EXPECT_EQ(grounded("Heart size increased."), Texts{"cardiomegaly @heart"});
}

TEST(ReportGrounding, takes_the_thickness_of_an_effusion_for_its_size) {
  EXPECT_EQ(grounded("Pleural effusion with a thickness of 12 mm."), Texts{"pleural effusion @pleura 12 mm"});
  EXPECT_EQ(grounded("Pleural effusion measuring 12 mm in thickness."),
            Texts{"pleural effusion @pleura 12 mm"});
}

TEST(ReportGrounding, finds_an_accessory_spleen) {
  EXPECT_EQ(grounded("An accessory spleen of 12 mm is seen."), Texts{"accessory spleen @spleen 12 mm"});
}

TEST(ReportGrounding, reads_a_name_in_its_clause) {
  EXPECT_EQ(grounded("No findings suggesting Covid-19 pneumonia are seen in both lungs."), Texts{});
}

TEST(ReportGrounding, names_each_effusion) {
  EXPECT_EQ(grounded("There is no pleural or pericardial effusion."),
            (Texts{"no pleural effusion @pleura", "no pericardial effusion @heart"}));
  EXPECT_EQ(grounded("Minimal effusion on the right."), Texts{"pleural effusion @pleura"});
}

TEST(ReportGrounding, takes_no_denial_for_one_that_is_none) {
  EXPECT_EQ(grounded("No increase in pleural effusion."), Texts{"pleural effusion @pleura"});
  EXPECT_EQ(grounded("No significant increase was observed in the nodule in the left lung."),
            Texts{"nodule @left lung"});
  EXPECT_EQ(grounded("The coronary stent is patent."), Texts{"device @heart"});
  EXPECT_EQ(grounded("No new nodule in the left lung. Pleural effusion could not be evaluated."), Texts{});
  EXPECT_EQ(grounded("No dilatation of the bile ducts, stone or mass."),
            (Texts{"no dilatation @gallbladder", "no stone @gallbladder", "no mass @gallbladder"}));
}

TEST(ReportGrounding, reads_lists_of_what_is_there) {
  EXPECT_EQ(grounded("Pleural effusion: none. Pneumothorax (-). Emphysema (+). Atelectasis is not visible."),
            (Texts{"no pleural effusion @pleura", "no pneumothorax @pleura", "emphysema @lung",
                   "no atelectasis @lung"}));
}

TEST(ReportGrounding, tells_what_is_only_possible) {
  ReportGrounder grounder;
  for (const char* text : {"Possible consolidation.", "Consolidation cannot be excluded."}) {
    const std::vector<GroundedFinding> found = grounder.findings(text);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_FALSE(found[0].certain) << text;
  }
  EXPECT_TRUE(grounder.findings("Consolidation is seen.").front().certain);
}

TEST(ReportGrounding, knows_what_is_clear_and_what_is_open) {
  ReportGrounder grounder;
  const auto spoken = [&grounder](std::string_view text) {
    std::string out;
    for (const SpokenPath& each : grounder.ground(text).spoken)
      out +=
          std::string(node_of(each.path)) + (each.cleared ? " cleared" : "") + (each.open ? " open;" : ";");
    return out;
  };
  EXPECT_EQ(spoken("Trachea is open. No fracture in the sternum."), "trachea cleared;sternum cleared;");
  EXPECT_EQ(spoken("A change is seen in the spleen."), "spleen open;");
}

TEST(ReportGrounding, ties_a_structure_to_all_its_paths) {
  const std::vector<std::string>& paths = known_paths();
  const std::vector<std::string> nodes = ReportGrounder().paths("Calcification of the abdominal aorta.");
  EXPECT_EQ(nodes, (Texts{"abdomen/abdomen/aorta", "mediastinum/aorta"}));
  for (const char* path :
       {"bone/bone/rib/rib 3/left rib 3", "others/urinary bladder", "mediastinum/pulmonary vein",
        "heart/heart/heart tissue", "abdomen/abdomen/liver/caudate lobe"}) {
    EXPECT_TRUE(std::binary_search(paths.begin(), paths.end(), path)) << path;
  }
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

TEST(ReportGrounding, names_findings_by_their_place) {
  EXPECT_EQ(grounded("An effusion of 1 cm is seen in the pericardial space."),
            Texts{"pericardial effusion @heart 10 mm"});
  EXPECT_EQ(grounded("The heart is enlarged."), Texts{"cardiomegaly @heart"});
  EXPECT_EQ(grounded("Thickening of the interlobular septa is observed in both lungs."),
            Texts{"septal thickening @left lung @right lung"});
}

TEST(ReportGrounding, fills_questions) {
  EXPECT_EQ(filled_question("Is there any {finding} in the {region}?", "nodule", "left lung"),
            "Is there any nodule in the left lung?");
  for (const char* family : {"presence", "abnormality", "location", "size", "disorders"}) {
    EXPECT_FALSE(question_templates().at(family).empty()) << family;
  }
}

// What may open a question of a family, and nothing else: an opening asks for one kind of answer.
const std::map<std::string, std::set<std::string>>& openings() {
  static const std::map<std::string, std::set<std::string>> words{
      {"presence", {"Is", "Does", "Do", "Can"}},
      {"abnormality", {"What", "Which"}},
      {"location", {"Where", "In", "Which", "What"}},
      {"size", {"How", "What"}},
      {"disorders", {"What", "Which"}}};
  return words;
}

bool has_slot(const std::string& question, const char* slot) {
  return question.find(slot) != std::string::npos && question.find(slot) == question.rfind(slot);
}

TEST(QuestionTemplates, are_fifty_a_family_and_no_two_alike) {
  std::set<std::string> seen;
  for (const auto& [family, questions] : question_templates()) {
    EXPECT_EQ(questions.size(), 50U) << family;
    for (const std::string& question : questions) EXPECT_TRUE(seen.insert(question).second) << question;
  }
}

TEST(QuestionTemplates, of_a_family_ask_the_same) {
  for (const auto& [family, questions] : question_templates()) {
    const bool names_finding = family == "presence" || family == "location" || family == "size";
    const bool names_region = family == "presence" || family == "abnormality" || family == "size";
    for (const std::string& question : questions) {
      EXPECT_TRUE(openings().at(family).contains(question.substr(0, question.find(' ')))) << question;
      EXPECT_TRUE(question.ends_with("?")) << question;
      EXPECT_EQ(has_slot(question, "{finding}"), names_finding) << question;
      EXPECT_EQ(has_slot(question, "{region}"), names_region) << question;
      EXPECT_EQ(question.find(" any ") != std::string::npos, family == "presence") << question;
    }
  }
}

// A wording that denies, doubts, compares or names a side would ask something else.
TEST(QuestionTemplates, say_nothing_themselves) {
  const Lexicon& lexicon = Lexicon::chest_ct();
  ConceptSet said;
  for (const char* cue : {"deny_before", "deny_after", "deny_next", "guess", "unsure", "prior", "left",
                          "right", "bilateral", "novelty", "others", "recommend"})
    said.set(lexicon.required_concept(cue));
  said = with_parts(said, lexicon) | concepts_of_kind(lexicon, ConceptKind::finding) |
         concepts_of_kind(lexicon, ConceptKind::disorder) | concepts_of_kind(lexicon, ConceptKind::anatomy);
  ClauseReader reader(lexicon);
  for (const auto& [family, questions] : question_templates()) {
    for (const std::string& question : questions) {
      const std::string words = filled_question(question, "x", "y");
      for (const Clause& clause : reader.read(words)) EXPECT_TRUE((clause.concepts & said).none()) << words;
    }
  }
}

TEST(ReportGrounding, says_which_characters_a_finding_is_from) {
  const std::string text = "The heart is normal. A nodule in the left lung.";
  ReportGrounder grounder;
  const GroundedText found = grounder.ground(text);
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].evidence.of(text), "nodule");
  ASSERT_FALSE(found.spoken.empty());
  EXPECT_EQ(found.spoken[0].clause.of(text), "The heart is normal");
}

}  // namespace
}  // namespace fiducial
