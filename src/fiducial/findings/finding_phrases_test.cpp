#include "fiducial/findings/finding_phrases.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fiducial/findings/finding_names.h"

namespace fiducial {
namespace {

using Texts = std::vector<std::string>;

std::string shown(const Fact& fact) {
  const Lexicon& lexicon = Lexicon::chest_ct();
  std::string out = (fact.present ? "" : "no ") + lexicon.concepts()[fact.finding].name + " " +
                    std::string(to_string(fact.certainty));
  if (fact.left) out += " left";
  if (fact.right) out += " right";
  for (const Measurement& size : fact.sizes) out += " " + measurement_text(size);
  for (const ConceptId place : fact.anatomy) out += " @" + lexicon.concepts()[place].name;
  return out + (fact.speaks_of_prior ? " prior" : "");
}

Texts facts(std::string_view text) {
  static FactReader reader;
  Texts out;
  for (const Fact& fact : reader.read(text)) {
    EXPECT_LE(fact.clause.begin, fact.evidence.begin);
    EXPECT_GE(fact.clause.end, fact.evidence.end);
    out.push_back(shown(fact));
  }
  return out;
}

TEST(ReportFacts, say_what_where_how_large_and_how_sure) {
  EXPECT_EQ(facts("A 5x4 mm nodule is observed in the left lung upper lobe."),
            Texts{"nodule stated left 5 x 4 mm @lung @upper_lobe"});
  EXPECT_EQ(facts("No pleural effusion was detected."), Texts{"no pleural_effusion stated"});
  EXPECT_EQ(facts("Emphysema may be present in both lungs (bronchiectasis?)."),
            (Texts{"bronchiectasis asked", "emphysema likely left right @lung"}));
  EXPECT_EQ(facts("Cardiothoracic ratio is normal."), Texts{"no cardiothoracic_ratio stated"});
  EXPECT_EQ(facts("Consolidation is stable compared to the previous examination."),
            Texts{"consolidation stated prior"});
}

TEST(ReportFacts, give_a_size_to_the_nearest_finding) {
  EXPECT_EQ(facts("There is a 7 mm nodule and pleural effusion of 2 cm."),
            (Texts{"nodule stated 7 mm", "pleural_effusion stated 20 mm"}));
}

TEST(StandardReport, sorts_sentences_into_seven_sections_and_keeps_them_all) {
  ReportStandardiser standardiser;
  const StandardReport report = standardiser.standardise(
      "Heart size is normal. There are millimetric nodules of 3 mm in the right lung. It is new. The liver "
      "is natural.",
      "Sequelae changes in both lungs.");
  EXPECT_EQ(report.sections[1].at(0).text, "Heart size is normal");
  EXPECT_EQ(report.sections[0].at(0).text, "There are subcentimeter nodules of 3 mm in the right lung");
  EXPECT_EQ(report.sections[0].at(1).code, "L1");
  EXPECT_EQ(report.sections[6].at(0).text, "The liver is normal");
  EXPECT_EQ(report.impressions.at(0).text, "Scarring in both lungs");
  EXPECT_EQ(report.problems, Texts{});
}

TEST(StandardReport, notices_a_lost_measurement_and_a_changed_side) {
  EXPECT_EQ(preservation_problems("a 5 mm node on the left", "a node on the right"),
            (Texts{"lost 5 mm", "lost left", "gained right"}));
  EXPECT_EQ(preservation_problems("1.5 cm", "15 mm"), Texts{});
}

TEST(WordingTable, refuses_to_word_sides_anew) {
  EXPECT_FALSE(WordingTable::parse("left => right").ok());
  EXPECT_FALSE(WordingTable::parse("no arrow").ok());
  EXPECT_EQ(WordingTable::parse("calcific => calcified")->applied("Calcific, calcification"),
            "Calcified, calcification");
}

Texts phrases(std::string_view findings, std::string_view impressions = "") {
  ReportStandardiser standardiser;
  FindingExtractor extractor;
  Texts out;
  for (const FindingPhrase& phrase : extractor.extract(standardiser.standardise(findings, impressions))) {
    std::string line = (phrase.abnormal ? "Y " : "N ") + phrase.text + " [";
    for (const std::string& code : phrase.sources) line += code;
    const ConceptRules& rules = category_rules();
    line +=
        "] " + (phrase.category_rule ? rules.names()[rules.rules()[*phrase.category_rule].name] : "abstain");
    out.push_back(line);
  }
  return out;
}

TEST(FindingPhrases, split_what_is_there_from_what_is_not) {
  EXPECT_EQ(phrases("There is a nodule in the right lung, pleural effusion was not detected."),
            (Texts{"Y There is a nodule in the right lung [L0] 2d",
                   "N pleural effusion was not detected [L0] abstain"}));
}

TEST(FindingPhrases, keep_the_place_that_their_sentence_opens_with) {
  const auto texts = [](std::string_view findings) {
    Texts out;
    for (const FindingPhrase& phrase :
         FindingExtractor().extract(ReportStandardiser().standardise(findings, "")))
      out.push_back(phrase.text);
    return out;
  };
  EXPECT_EQ(texts("In the right lung, there is a nodule."), Texts{"In the right lung, there is a nodule"});
  EXPECT_EQ(texts("On the left, there is a cyst in the kidney."),
            Texts{"On the left, there is a cyst in the kidney"});
  EXPECT_EQ(texts("In the liver, there is a nodule in the left lung."),
            Texts{"there is a nodule in the left lung"});
}

TEST(FindingPhrases, are_excluded_by_nothing_that_is_denied) {
  const auto phrases =
      FindingExtractor().extract(ReportStandardiser().standardise("Pulmonary nodule without LAP.", ""));
  ASSERT_EQ(phrases.size(), 1U);
  ASSERT_TRUE(phrases[0].category_rule.has_value());
  EXPECT_EQ(category_rules().names()[category_rules().rules()[*phrases[0].category_rule].name], "2d");
}

TEST(WordingTable, makes_the_verb_of_one_what_was_many) {
  const WordingTable& table = WordingTable::standard();
  EXPECT_EQ(table.applied("Emphysematous changes are seen"), "Emphysema is seen");
  EXPECT_EQ(table.applied("There were mild sequelae changes in both lungs"),
            "There was mild scarring in both lungs");
  EXPECT_EQ(table.applied("Emphysematous changes in both lungs were seen"),
            "Emphysema in both lungs was seen");
  EXPECT_EQ(table.applied("Nodules and emphysematous changes are seen"), "Nodules and emphysema are seen");
  EXPECT_EQ(table.applied("Bands of sequelae changes are seen"), "Bands of scarring are seen");
}

TEST(WordingTable, gives_an_abbreviation_no_capital_inside_a_sentence) {
  EXPECT_EQ(WordingTable::standard().applied("No pathological LAP"), "No pathological lymphadenopathy");
  EXPECT_EQ(WordingTable::standard().applied("LAP is seen"), "Lymphadenopathy is seen");
}

TEST(FindingPhrases, join_what_the_impression_says_again) {
  EXPECT_EQ(phrases("Emphysema is seen in both lungs.",
                    "Emphysema. Hiatal hernia. Nodule follow-up is recommended. Cyst?"),
            (Texts{"Y Emphysema is seen in both lungs [L0I0] 1c", "Y Hiatal hernia [I1] 6a"}));
}

TEST(FindingPhrases, count_a_code_once_that_the_impression_repeats) {
  EXPECT_EQ(
      phrases("Atelectasis in the left lower lobe. Nodule in the right upper lobe.",
              "Consolidation in the left lower lobe. Nodule in the left lung. Nodule in the right lung."),
      (Texts{"Y Atelectasis in the left lower lobe [L0I0] 2b", "Y Nodule in the right upper lobe [L1I2] 2d",
             "Y Nodule in the left lung [I1] 2d"}));
  EXPECT_EQ(phrases("Nodule in the right upper lobe.", "Nodule in the right lower lobe.").size(), 2U);
}

TEST(FindingPhrases, have_their_own_code_beside_another_finding) {
  EXPECT_EQ(phrases("There is a pleural effusion on the left with atelectasis of the lower lobe."),
            (Texts{"Y There is a pleural effusion on the left [L0] 2e",
                   "Y atelectasis of the lower lobe [L0] 2b"}));
  EXPECT_EQ(phrases("Left lower lobe collapse with moderate left effusion."),
            (Texts{"Y Left lower lobe collapse [L0] 2b", "Y moderate left effusion [L0] 2e"}));
  EXPECT_EQ(phrases("Atelectasis adjacent to the pleural effusion is seen in the right lower lobe."),
            Texts{"Y Atelectasis adjacent to the pleural effusion is seen in the right lower lobe [L0] 2b"});
  EXPECT_EQ(phrases("Atelectasis secondary to effusion was observed in the left lower lobe."),
            Texts{"Y Atelectasis secondary to effusion was observed in the left lower lobe [L0] 2b"});
  EXPECT_EQ(
      phrases("Density of atelectasis caused by osteophytes is observed in the lower lobe of the right lung.")
          .at(0),
      "Y Density of atelectasis caused by osteophytes is observed in the lower lobe of the right lung [B0] "
      "2b");
  EXPECT_EQ(phrases("There is a 5 mm nodule with a calcified appearance in the lingula."),
            Texts{"Y There is a 5 mm nodule with a calcified appearance in the lingula [L0] 2d"});
  EXPECT_EQ(phrases("Ground glass opacities consistent with consolidation in the left lung."),
            Texts{"Y Ground glass opacities consistent with consolidation in the left lung [L0] 2c"});
}

TEST(FindingPhrases, are_no_scars_of_the_lung_in_other_organs) {
  const auto codes = [](std::string_view findings) {
    Texts out;
    for (const std::string& line : phrases(findings)) out.push_back(line.substr(line.rfind(' ') + 1));
    return out;
  };
  for (const char* text : {"Cortical scarring is seen in the upper pole of the left kidney.",
                           "Scar tissue is present in the liver.",
                           "Sequelae changes are observed in the spleen.", "Splenic infarct scar is noted."})
    EXPECT_EQ(codes(text), Texts{"abstain"}) << text;
  for (const char* text : {"Postoperative scarring is observed in the anterior chest wall.",
                           "Linear scarring in the breast at the lumpectomy site."})
    EXPECT_EQ(codes(text), Texts{"7e"}) << text;
  EXPECT_EQ(codes("Scarring is noted at both apices."), Texts{"2a"});
}

TEST(FindingPhrases, take_what_points_back_for_more_of_the_same) {
  EXPECT_EQ(phrases("A 7 mm nodule is observed in the right upper lobe. It is calcified."),
            Texts{"Y A 7 mm nodule is observed in the right upper lobe, calcified [L0L1] 2d"});
  EXPECT_EQ(phrases("Nodules are observed in both lungs. These nodules are stable."),
            Texts{"Y Nodules are observed in both lungs, nodules are stable [L0L1] 2d"});
  EXPECT_EQ(phrases("A nodule and a cyst are seen in the right lung. The former measures 8 mm."),
            (Texts{"Y A nodule in right lung, the former measures 8 mm [L0L1] 2d",
                   "Y a cyst are seen in the right lung [L0] 2h"}));
  EXPECT_EQ(phrases("A nodule and a cyst are seen in the right lung. The latter measures 12 mm.").at(1),
            "Y a cyst are seen in the right lung, the latter measures 12 mm [L0L1] 2h");
  EXPECT_EQ(
      phrases(
          "Ground glass in the left lung. The appearance was evaluated in favor of pneumonic infiltration."),
      Texts{"Y Ground glass in the left lung [L0L1] 2c"});
  EXPECT_EQ(
      phrases("Nodules in both lungs. The nodules described were also present in the previous examination."),
      Texts{"Y Nodules in both lungs [L0L1] 2d"});
  EXPECT_EQ(phrases("A mass is seen in the left lung. It causes atelectasis in the left lower lobe.").size(),
            2U);
  EXPECT_EQ(phrases("A mass is seen in the left lung. It is not calcified.").at(0),
            "Y A mass is seen in the left lung [L0] 2d");
}

TEST(FindingPhrases, are_one_for_each_code_of_a_clause) {
  EXPECT_EQ(phrases("Emphysema, linear atelectasis and a few calcified nodules are seen in both lungs."),
            (Texts{"Y Emphysema in both lungs [L0] 1c", "Y linear atelectasis in both lungs [L0] 2a",
                   "Y a few calcified nodules are seen in both lungs [L0] 2d"}));
  EXPECT_EQ(phrases("There is a pleural effusion on the left, and consolidation in the lower lobe."),
            (Texts{"Y There is a pleural effusion on the left [L0] 2e",
                   "Y consolidation in the lower lobe [L0] 2b"}));
  EXPECT_EQ(
      phrases("Nodules in the left lung and the right lung, the largest 5 mm, compatible with metastasis."),
      Texts{"Y Nodules in the left lung and the right lung, the largest 5 mm, compatible with metastasis "
            "[L0] 2d"});
  EXPECT_EQ(phrases("No mass, nodule or infiltration was detected in the lungs."),
            Texts{"N No mass, nodule or infiltration was detected in the lungs [L0] abstain"});
}

TEST(FindingPhrases, have_a_code_or_none) {
  EXPECT_EQ(phrases("A cyst is observed in the left kidney. The mass extends inferiorly."),
            (Texts{"Y A cyst is observed in the left kidney [A0] 3d",
                   "Y The mass extends inferiorly [A1] abstain"}));
  EXPECT_EQ(phrases("There is an effusion of 30 mm on the right. The main pulmonary artery is ectatic."),
            (Texts{"Y There is an effusion of 30 mm on the right [L0] 2e",
                   "Y The main pulmonary artery is ectatic [H0] 8b"}));
  EXPECT_EQ(category_rules().names().size(), 62U);
  EXPECT_EQ(focal_category("2d"), true);
  EXPECT_EQ(focal_category("1c"), false);
  EXPECT_EQ(focal_category("12"), std::nullopt);
}

TEST(FindingNames, are_told_from_what_is_none) {
  FindingNameReader reader;
  for (const char* name :
       {"pleural effusion", "pneumonia", "dilated aorta", "parenchymal pathology", "triangular density"})
    EXPECT_EQ(reader.kind_of(name), FindingNameKind::finding) << name;
  for (const char* name : {"wider than normal", "cardiothoracic index", "increased"})
    EXPECT_EQ(reader.kind_of(name), FindingNameKind::vague) << name;
  for (const char* name : {"natural", "natural appearance", "symmetrical"})
    EXPECT_EQ(reader.kind_of(name), FindingNameKind::normality) << name;
  for (const char* name : {"left breast", "right lobe of the liver", "subcarinal"})
    EXPECT_EQ(reader.kind_of(name), FindingNameKind::place) << name;
}

std::string code_of(std::string_view text) {
  const auto found = FindingExtractor().extract(ReportStandardiser().standardise(text, ""));
  return found.size() == 1 && found[0].category_rule
             ? category_rules().names()[category_rules().rules()[*found[0].category_rule].name]
             : "no code";
}

TEST(FindingPhrases, are_coded_as_the_coding_guide_says) {
  EXPECT_EQ(code_of("Subsegmental atelectasis in the lingula."), "2b");
  EXPECT_EQ(code_of("Linear atelectasis in the lingula."), "2a");
  EXPECT_EQ(code_of("Thin-walled cavitary lesion in the right upper lobe."), "2h");
  EXPECT_EQ(code_of("Degenerative Schmorl nodules are seen."), "4d");
  EXPECT_EQ(code_of("Right upper lobe mass invading the chest wall."), "2d");
  EXPECT_EQ(code_of("Vascular enlargement in both lungs."), "1f");
  EXPECT_EQ(code_of("Air cyst in the middle lobe."), "2h");
  EXPECT_EQ(code_of("Opacity with air bronchograms in the left lower lobe."), "2b");
  EXPECT_EQ(code_of("Consolidation with air bronchograms in the left lower lobe."), "2b");
  EXPECT_EQ(code_of("Ground-glass opacity with air bronchograms in the left lower lobe."), "2c");
  EXPECT_EQ(code_of("Crazy paving pattern in both lungs."), "2c");
  EXPECT_EQ(code_of("Pneumothorax in the right hemithorax."), "2g");
  EXPECT_EQ(code_of("Accessory spleen of 12 mm."), "3e");
  EXPECT_EQ(code_of("Thymic mass of 3 cm."), "3k");
}

TEST(FindingPhrases, without_a_code_say_why) {
  const auto reason = [](std::string_view text) {
    const auto found = FindingExtractor().extract(ReportStandardiser().standardise(text, ""));
    return found.empty() ? std::string() : abstention_reason(found.front());
  };
  EXPECT_EQ(reason("A hypodense lesion of 3 cm is seen."), "hypodense lesion of no named organ");
  EXPECT_EQ(reason("Cortical scarring is seen in the left kidney."),
            "no rule holds for fibrosis in this place");
  EXPECT_EQ(reason("No nodule."), "denied, or said to be normal");
}

TEST(FindingPhrases, are_not_hidden_by_advice_or_a_question_after_them) {
  EXPECT_EQ(phrases("Ground glass areas in both lungs, post-treatment control is recommended."),
            Texts{"Y Ground-glass opacities in both lungs, post-treatment control is recommended [L0] 2c"});
  EXPECT_EQ(phrases("Consolidation in the left lower lobe, infective process?"),
            Texts{"Y Consolidation in the left lower lobe [L0] 2b"});
  EXPECT_EQ(phrases("Control CT is recommended for the nodule."), Texts{});
  EXPECT_EQ(phrases("There is a nodule in the left lung. It is recommended to follow this nodule."),
            Texts{"Y There is a nodule in the left lung [L0L1] 2d"});
  EXPECT_EQ(phrases("Ground glass in the left lung, consolidation?"), Texts{});
}

TEST(FindingPhrases, stand_alone_where_their_clause_hangs_on_another) {
  const auto text = [](std::string_view findings) {
    return FindingExtractor().extract(ReportStandardiser().standardise(findings, "")).at(0).text;
  };
  EXPECT_EQ(text("These appearances were thought to belong primarily to a pneumonic infiltration."),
            "pneumonic infiltration");
  EXPECT_EQ(text("It has gained a consolidation appearance in places."),
            "consolidation appearance in places");
  EXPECT_EQ(text("Ground glass opacities are observed in the left lung, in which"),
            "Ground glass opacities are observed in the left lung");
  EXPECT_EQ(text("The largest of the nodules is 9 mm in the lower lobe of the right lung."),
            "The largest of the nodules is 9 mm in the lower lobe of the right lung");
}

TEST(FindingPhrases, name_the_characters_of_the_report_they_are_from) {
  const std::string findings = "The heart is normal. In the left lung, there is a nodule. It is calcified.";
  const std::string impressions = "Nodule in the left lung.";
  const auto found = FindingExtractor().extract(ReportStandardiser().standardise(findings, impressions));
  Texts words;
  for (const FindingPhrase& phrase : found) {
    if (!phrase.abnormal) continue;
    for (const SourceSpan& source : phrase.spans)
      words.push_back(source.sentence + " " +
                      std::string(source.span.of(source.sentence.front() == 'F' ? findings : impressions)));
  }
  EXPECT_EQ(words, (Texts{"F1 there is a nodule", "F1 In the left lung", "F2 It is calcified",
                          "I0 Nodule in the left lung"}));
}

TEST(ReportFacts, tell_sizes_of_earlier_examinations) {
  const std::vector<Fact> found = FactReader().read(
      "The nodule in the left lung was 6 mm in the previous examination and is 8 mm in the current one.");
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].prior_sizes.size(), 1U);
  EXPECT_EQ(measurement_text(found[0].prior_sizes[0]), "6 mm");
  ASSERT_EQ(found[0].sizes.size(), 1U);
  EXPECT_EQ(measurement_text(found[0].sizes[0]), "8 mm");
  EXPECT_EQ(facts("A 7 mm nodule is seen, stable in the previous examination."),
            Texts{"nodule stated 7 mm prior"});
}

TEST(ReportFacts, take_the_thickness_of_an_effusion_for_its_size) {
  EXPECT_EQ(facts("Pericardial effusion reaching 1 cm thickness was observed."),
            Texts{"pericardial_effusion stated 10 mm"});
  EXPECT_EQ(facts("Pleural thickening of 4 mm is seen."), Texts{"pleural_thickening stated 4 mm"});
}

std::string text_of(std::string_view text) {
  std::string out;
  for (const FindingPhrase& each : FindingExtractor().extract(ReportStandardiser().standardise(text, "")))
    out += (out.empty() ? "" : "; ") + each.text;
  return out;
}

TEST(FindingPhrases, take_entries_of_templates_for_phrases) {
  EXPECT_EQ(text_of("Emphysema: Y"), "Emphysema");
  EXPECT_EQ(text_of("Heart: enlarged"), "enlarged heart");
  EXPECT_EQ(text_of("CORONARY ARTERIES: Calcified."), "Calcified coronary arteries");
  EXPECT_EQ(text_of("Lungs: 6 mm RUL nodule."), "6 mm RUL nodule");
  EXPECT_EQ(text_of("Mediastinum: enlarged nodes"), "enlarged nodes in the mediastinum");
  EXPECT_EQ(text_of("Nodules: [x] yes [ ] no - 3 mm right lower lobe"), "Nodules, 3 mm right lower lobe");
}

TEST(FindingPhrases, are_not_in_capitals) {
  EXPECT_EQ(text_of("THERE IS A 1.2 CM NODULE IN THE LEFT UPPER LOBE."),
            "There is a 1.2 cm nodule in the left upper lobe");
}

TEST(FindingPhrases, name_what_a_similar_appearance_is) {
  EXPECT_EQ(text_of("Ground glass is seen in the right upper lobe. A similar appearance is seen in the left "
                    "lower lobe."),
            "Ground glass is seen in the right upper lobe; ground glass in left lower lobe");
}

TEST(FindingPhrases, state_no_tube_that_has_been_removed) {
  const auto found =
      FindingExtractor().extract(ReportStandardiser().standardise("Chest tube has been removed.", ""));
  EXPECT_TRUE(
      std::none_of(found.begin(), found.end(), [](const FindingPhrase& each) { return each.abnormal; }));
}

TEST(FindingPhrases, tell_an_effusion_once) {
  EXPECT_EQ(text_of("Pleural effusion is seen on the left. The left pleural effusion measures 2 cm."),
            "Pleural effusion is seen on the left, the left pleural effusion measures 2 cm");
}

TEST(FindingPhrases, have_every_one_of_the_codes) {
  const std::pair<const char*, const char*> phrases[] = {
      {"1a", "Bronchial wall thickening in both lungs"},
      {"1b", "Bronchiectasis in the left lower lobe"},
      {"1c", "Centrilobular emphysema in both lungs"},
      {"1d", "Interlobular septal thickening in both lungs"},
      {"1e", "Tree-in-bud micronodules in the right lower lobe"},
      {"1f", "Mosaic attenuation in both lungs"},
      {"2a", "Linear atelectasis in the left lower lobe"},
      {"2b", "Consolidation in the right lower lobe"},
      {"2c", "Ground-glass opacity in the right upper lobe"},
      {"2d", "5 mm pulmonary nodule in the left lung"},
      {"2e", "Pleural effusion on the right"},
      {"2f", "Honeycombing in both lower lobes"},
      {"2g", "Pneumothorax on the left"},
      {"2h", "Cavity in the right upper lobe"},
      {"3a", "Mediastinal lymphadenopathy"},
      {"3b", "Hypodense lesion in the liver"},
      {"3c", "Gallbladder polyp"},
      {"3d", "Cyst in the left kidney"},
      {"3e", "Cyst in the spleen"},
      {"3f", "Adrenal adenoma on the left"},
      {"3g", "Cyst in the pancreas"},
      {"3h", "Nodule in the left thyroid lobe"},
      {"3i", "Subcutaneous lesion on the back"},
      {"3j", "Lytic lesion in the T5 vertebra"},
      {"3k", "Anterior mediastinal mass"},
      {"4a", "Rib fracture"},
      {"4b", "Degenerative changes in the spine"},
      {"4c", "Thoracic scoliosis"},
      {"4d", "Schmorl nodes in the thoracic vertebrae"},
      {"5a", "Stone in the right kidney"},
      {"5b", "Calcified granuloma"},
      {"5c", "Calcification in the spleen"},
      {"6a", "Hiatal hernia"},
      {"6b", "Esophageal wall thickening"},
      {"6c", "Dilated esophagus"},
      {"6d", "Colonic diverticulum"},
      {"6e", "Bowel obstruction"},
      {"7a", "Skin thickening of the breast"},
      {"7b", "Subcutaneous fat stranding"},
      {"7c", "Umbilical hernia"},
      {"7d", "Gynecomastia"},
      {"7e", "Subcutaneous emphysema in the chest wall"},
      {"8a", "Coronary artery calcification"},
      {"8b", "Ascending aortic aneurysm"},
      {"8c", "Pulmonary artery thrombus"},
      {"8d", "Cardiomegaly"},
      {"8e", "Aortic valve calcification"},
      {"8f", "Pericardial effusion"},
      {"8g", "Pericardial thickening"},
      {"9a", "Mediastinal lipomatosis"},
      {"9b", "Increased subcutaneous fat thickness"},
      {"9c", "Sarcopenia"},
      {"9d", "Osteoporosis"},
      {"9e", "Hepatic steatosis"},
      {"9f", "Cachexia"},
      {"10a", "Splenomegaly"},
      {"10b", "Atrophic left kidney"},
      {"10c", "Cirrhosis of the liver"},
      {"11a", "Port catheter"},
      {"11b", "Surgical clips"},
      {"11c", "Sternal prosthesis"},
      {"12", "Ascites"},
  };
  EXPECT_EQ(std::size(phrases), category_rules().names().size());
  ReportStandardiser standardiser;
  FindingExtractor extractor;
  for (const auto& [code, text] : phrases) {
    const std::vector<FindingPhrase> found = extractor.extract(standardiser.standardise(text, ""));
    ASSERT_EQ(found.size(), 1U) << text;
    ASSERT_TRUE(found[0].category_rule.has_value()) << text;
    EXPECT_EQ(category_rules().names()[category_rules().rules()[*found[0].category_rule].name], code) << text;
  }
}

}  // namespace
}  // namespace fiducial
