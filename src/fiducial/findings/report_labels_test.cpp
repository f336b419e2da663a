#include "fiducial/findings/report_labels.h"

#include <string>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Names = std::vector<std::string>;

Names raised(std::string_view text) {
  static ReportLabeller labeller;
  const std::vector<bool>& flags = labeller.labels(text);
  Names found;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) found.push_back(labeller.rules().names()[i]);
  }
  return found;
}

TEST(ReportLabels, have_the_columns_of_ct_rate_in_its_order) {
  EXPECT_EQ(ct_rate_label_rules().names(),
            (Names{"Medical material", "Arterial wall calcification", "Cardiomegaly", "Pericardial effusion",
                   "Coronary artery wall calcification", "Hiatal hernia", "Lymphadenopathy", "Emphysema",
                   "Atelectasis", "Lung nodule", "Lung opacity", "Pulmonary fibrotic sequela",
                   "Pleural effusion", "Mosaic attenuation pattern", "Peribronchial thickening",
                   "Consolidation", "Bronchiectasis", "Interlobular septal thickening"}));
}

TEST(ReportLabels, raise_what_is_said_to_be_there) {
  EXPECT_EQ(raised("Emphysema is seen in both lungs."), Names{"Emphysema"});
  EXPECT_EQ(raised("There are calcific plaques in the aorta and the coronary arteries."),
            (Names{"Arterial wall calcification", "Coronary artery wall calcification"}));
  EXPECT_EQ(raised("Nodules smaller than 5 mm in both lungs"), Names{"Lung nodule"});
}

TEST(ReportLabels, raise_nothing_that_is_denied) {
  EXPECT_EQ(raised("No pleural effusion, consolidation or pneumothorax was detected."), Names{});
  EXPECT_EQ(raised("Pericardial effusion-thickening was not observed."), Names{});
  EXPECT_EQ(raised("Both lungs are free of nodules."), Names{});
  EXPECT_EQ(raised("Pleural or pericardial effusion is absent."), Names{});
  for (const char* verb : {"demonstrated", "depicted", "appreciated", "visible", "recognised", "reported"}) {
    EXPECT_EQ(raised(std::string("Pericardial effusion was not ") + verb + "."), Names{}) << verb;
  }
  EXPECT_EQ(raised("Pericardial effusion cannot be seen."), Names{});
  EXPECT_EQ(raised("There is not any pleural effusion."), Names{});
  EXPECT_EQ(raised("The lungs are clear of nodules."), Names{});
}

TEST(ReportLabels, end_a_denial_with_its_clause) {
  EXPECT_EQ(raised("No mass was detected in the lungs, and consolidation is observed in the lower lobe."),
            Names{"Consolidation"});
  EXPECT_EQ(raised("Bronchiectasis is observed in the left lung, pleural effusion was not detected."),
            Names{"Bronchiectasis"});
  EXPECT_EQ(raised("No effusion was seen but atelectasis is present."), Names{"Atelectasis"});
  EXPECT_EQ(raised("There is no wall thickening, there is a hiatal hernia."), Names{"Hiatal hernia"});
}

TEST(ReportLabels, deny_no_more_than_the_word_after_a_bare_not) {
  EXPECT_EQ(raised("The cardiothoracic index is not increased."), Names{});
  EXPECT_EQ(raised("Interlobular septa are not thickened."), Names{});
  EXPECT_EQ(raised("Nodules that are not calcified in both lungs"), Names{"Lung nodule"});
  EXPECT_EQ(raised("Non-calcified plaques in the aorta"), Names{"Arterial wall calcification"});
}

TEST(ReportLabels, do_not_take_a_word_about_the_past_or_the_size_for_a_denial) {
  EXPECT_EQ(raised("Consolidation not observed in the previous examination is seen in the left lung."),
            Names{"Consolidation"});
  EXPECT_EQ(raised("Lymph nodes that did not reach pathological size were observed."),
            Names{"Lymphadenopathy"});
  EXPECT_EQ(raised("No significant difference was found in the emphysema."), Names{"Emphysema"});
  EXPECT_EQ(raised("No significant dimensional and numerical differences were found in the lymph nodes."),
            Names{"Lymphadenopathy"});
}

TEST(ReportLabels, raise_nothing_that_was_there_only_in_an_earlier_examination) {
  EXPECT_EQ(
      raised("The nodule in the left lung, which was observed in the previous examination, was not detected "
             "in the current examination."),
      Names{});
  EXPECT_EQ(
      raised("Opacities observed in both lungs in the previous examination and thought to be infiltration "
             "were not seen in this examination."),
      Names{});
  EXPECT_EQ(
      raised("The nodule observed in the previous examination is stable, and effusion was not detected."),
      Names{"Lung nodule"});
}

TEST(ReportLabels, raise_nothing_that_an_earlier_examination_showed_and_nothing_is_said_of_since) {
  EXPECT_EQ(raised("There was a pleural effusion in the previous examination."), Names{});
  EXPECT_EQ(raised("In the old CT, consolidation was observed in the lingula."), Names{});
  EXPECT_EQ(raised("A nodule is seen in the left lung, and emphysema was observed in the previous study."),
            Names{"Lung nodule"});
  EXPECT_EQ(raised("The nodule was also observed in the previous examination."), Names{"Lung nodule"});
  EXPECT_EQ(raised("Atelectasis, which was seen in the previous examination, is seen in the right lung."),
            Names{"Atelectasis"});
}

TEST(ReportLabels, raise_nothing_that_has_gone) {
  EXPECT_EQ(raised("Total regression was observed in the consolidation of the lingula."), Names{});
  EXPECT_EQ(raised("There is complete resolution of the ground glass areas."), Names{});
  EXPECT_EQ(raised("The effusion on the left is no longer seen."), Names{});
  EXPECT_EQ(raised("Almost complete regression of the consolidation in the lingula."),
            Names{"Consolidation"});
}

TEST(ReportLabels, are_not_kept_from_a_finding_by_another_that_is_denied) {
  EXPECT_EQ(raised("Heart size is increased, without pericardial effusion."), Names{"Cardiomegaly"});
  EXPECT_EQ(raised("Density increases without consolidation in the left lung"), Names{"Lung opacity"});
}

TEST(ReportLabels, raise_nothing_that_is_only_a_guess_at_something_else) {
  EXPECT_EQ(raised("These appearances may be due to atelectasis or sequelae."), Names{});
  EXPECT_EQ(raised("The appearance was thought to be consolidation."), Names{});
  EXPECT_EQ(raised("The differential diagnosis of a nodule cannot be made."), Names{});
  EXPECT_EQ(raised("Nodules that may be metastases."), Names{"Lung nodule"});
  EXPECT_EQ(raised("Densities in the left lung may be due to atelectasis."), Names{"Atelectasis"});
}

TEST(ReportLabels, tell_fibrosis_from_its_traces) {
  EXPECT_EQ(raised("Idiopathic pulmonary fibrosis"), Names{});
  EXPECT_EQ(raised("Parenchymal fibrosis with volume loss in the left lung"),
            Names{"Pulmonary fibrotic sequela"});
}

TEST(ReportLabels, take_traces_in_other_organs_for_no_traces_in_the_lung) {
  EXPECT_EQ(raised("Sequela calcifications are seen in the liver."), Names{});
  EXPECT_EQ(raised("A scar of surgery is seen in the skin of the abdomen."), Names{});
}

TEST(ReportLabels, tell_ground_glass_that_is_joined_to_a_consolidation_from_a_kind_of_ground_glass) {
  EXPECT_EQ(raised("Ground glass-consolidation areas in the left lung"),
            (Names{"Lung opacity", "Consolidation"}));
  EXPECT_EQ(raised("Ground-glass consolidations in the left lung"), Names{"Lung opacity"});
  EXPECT_EQ(raised("A consolidative density in the left lung"), (Names{"Lung opacity", "Consolidation"}));
  EXPECT_EQ(raised("A nodule with ground glass around it in the left lung"),
            (Names{"Lung nodule", "Lung opacity"}));
}

TEST(ReportLabels, know_words_only_as_a_whole) {
  EXPECT_EQ(raised("The appearance is consistent with infection."), Names{});
}

TEST(ReportLabels, know_a_long_word_with_one_letter_wrong) {
  EXPECT_EQ(raised("Linear ateletasis in the left lung."), Names{"Atelectasis"});
  EXPECT_EQ(raised("Empysema in both lungs."), Names{});  // too short to be sure
  EXPECT_EQ(raised("Interlobluar septal thickening in both lungs."), Names{"Interlobular septal thickening"});
}

TEST(ReportLabels, take_nodules_of_other_organs_for_no_lung_nodules) {
  EXPECT_EQ(raised("A nodule is observed in the left thyroid lobe. It has a hypodense nodule beside it."),
            Names{});
  EXPECT_EQ(raised("There is an intrapulmonary lymph node in the fissure."), Names{});
  EXPECT_EQ(raised("A ground-glass nodule in the right upper lobe."), Names{"Lung nodule"});
}

TEST(ReportLabels, take_a_left_or_right_lobe_for_one_of_the_organ_spoken_of) {
  EXPECT_EQ(raised("There is a cyst in the liver. A nodule is observed in the left lobe."), Names{});
  EXPECT_EQ(raised("A nodule is observed in the left upper lobe."), Names{"Lung nodule"});
}

TEST(ReportLabels, give_each_finding_of_a_list_its_own_place) {
  EXPECT_EQ(raised("Dilatation of the ascending aorta, calcific plaques in the coronary arteries"),
            Names{"Coronary artery wall calcification"});
  EXPECT_EQ(raised("Nodules in the right lung, calcification in the right lobe of the liver"),
            Names{"Lung nodule"});
  EXPECT_EQ(raised("In both lungs, thickening and atelectasis are observed in the interlobular septa."),
            (Names{"Atelectasis", "Interlobular septal thickening"}));
  EXPECT_EQ(
      raised("Density increases in the left lung and the right lung evaluated in favor of atelectasis."),
      Names{"Atelectasis"});
}

TEST(ReportLabels, take_a_nodule_of_the_mediastinum_for_no_lung_nodule) {
  EXPECT_EQ(raised("A nodular lesion is observed in the anterior mediastinum."), Names{});
  EXPECT_EQ(
      raised(
          "The mediastinum is normal. Nodules measuring 2 mm, and the largest in the right lung, are seen."),
      Names{"Lung nodule"});
}

TEST(ReportLabels, do_not_enlarge_a_heart_that_could_not_be_evaluated) {
  EXPECT_EQ(
      raised("The heart could not be evaluated optimally, and the pulmonary artery is wider than normal."),
      Names{});
  EXPECT_EQ(raised("The heart is larger than normal."), Names{"Cardiomegaly"});
}

TEST(ReportLabels, take_an_effusion_for_a_pleural_one_where_only_its_side_is_named) {
  EXPECT_EQ(raised("Lungs are normal. There is an effusion measuring 30 mm on the right."),
            Names{"Pleural effusion"});
  EXPECT_EQ(raised("Free fluid is observed between the pleural leaves."), Names{"Pleural effusion"});
  EXPECT_EQ(raised("Free fluid is observed between the pericardial leaves."), Names{"Pericardial effusion"});
  EXPECT_EQ(raised("There is effusion in the perihepatic area on the right."), Names{});
}

TEST(ReportLabels, tell_a_collapsed_lung_from_a_collapsed_vertebra) {
  EXPECT_EQ(raised("Vertebrae are degenerative. Linear atelectasis."), Names{"Atelectasis"});
  EXPECT_EQ(raised("The lower lobe of the left lung is collapsed."), Names{"Atelectasis"});
  EXPECT_EQ(raised("There is collapse of a vertebral body."), Names{});
}

TEST(ReportLabels, count_bullae_but_no_air_cysts_as_emphysema) {
  EXPECT_EQ(raised("A bulla is observed at the apex of the right lung."), Names{"Emphysema"});
  EXPECT_EQ(raised("An air cyst is observed in the right lung."), Names{});
}

TEST(ReportLabels, read_impressions_that_are_quoted_fragments) {
  EXPECT_EQ(raised("\" Hiatal hernia \" No pleural effusion \" Mosaic attenuation pattern"),
            (Names{"Hiatal hernia", "Mosaic attenuation pattern"}));
}

TEST(ReportLabels, read_lists_without_signs) {
  EXPECT_EQ(raised("The trachea is open  No pleural or pericardial effusion was detected"), Names{});
  EXPECT_EQ(raised("The trachea is open No nodule or effusion was detected A hiatal hernia is seen"),
            Names{"Hiatal hernia"});
  EXPECT_EQ(raised("Operated lung Ca nodules in both lungs"), Names{"Lung nodule"});
}

TEST(ReportLabels, read_lines_that_break_within_a_sentence) {
  EXPECT_EQ(raised("Calcified plaques are observed in the\nLAD and the\nAorta."),
            (Names{"Arterial wall calcification", "Coronary artery wall calcification"}));
}

TEST(ReportLabels, take_a_space_that_does_not_break_for_a_space) {
  EXPECT_EQ(raised("Nodules in both\xC2\xA0lungs, lymph\xC2\xA0nodes in the axilla"),
            (Names{"Lymphadenopathy", "Lung nodule"}));
}

TEST(ReportLabels, begin_an_item_after_its_number) {
  EXPECT_EQ(raised("1-Nodules in both lungs 2-No effusion"), Names{"Lung nodule"});
  EXPECT_EQ(raised("Effusion - no thickening was detected."), Names{});
}

TEST(ReportLabels, take_linear_time_for_text_without_an_end) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "no and there is not seen, but observed or ";
  EXPECT_EQ(raised(text + ". Emphysema is seen."), Names{"Emphysema"});
}

TEST(ReportLabels, point_at_the_characters_they_fired_on) {
  const std::string text = "Heart is normal. Minimal pericardial effusion is seen.";
  ReportLabeller labeller;
  const std::vector<LabelEvidence> found = labeller.evidence(text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(labeller.rules().names()[found[0].label], "Pericardial effusion");
  EXPECT_EQ(labeller.rules().rules()[found[0].rule].text, "when pericardial_effusion");
  EXPECT_EQ(found[0].finding.of(text), "pericardial effusion");
  EXPECT_EQ(found[0].clause.of(text), "Minimal pericardial effusion is seen");
}

std::string label_rules_refusal(std::string_view rules) {
  const auto parsed = ConceptRules::parse(rules, "label", Lexicon::chest_ct());
  return parsed.ok() ? "accepted" : parsed.error().text();
}

TEST(ReportLabels, name_the_line_they_cannot_read) {
  EXPECT_EQ(label_rules_refusal(""), "label rules, line 1: no label");
  EXPECT_EQ(label_rules_refusal("when nodule"), "label rules, line 1: a rule before the first label");
  EXPECT_EQ(label_rules_refusal("label a\n# x\nwhen gnome"),
            "label rules, line 3: the lexicon has no concept \"gnome\"");
  EXPECT_EQ(label_rules_refusal("label a\nif nodule"),
            "label rules, line 2: expected \"label\" or \"when\", found \"if nodule\"");
}

TEST(ReportLabels, know_places_and_findings_that_share_a_word) {
  EXPECT_EQ(raised("Calcified plaques in the thoracic and abdominal aorta"),
            Names{"Arterial wall calcification"});
  EXPECT_EQ(raised("Calcified plaques in the abdominal aorta"), Names{});
  EXPECT_EQ(raised("Calcified plaques in the left descending coronary artery"),
            Names{"Coronary artery wall calcification"});
  EXPECT_EQ(raised("A calcified polyp in the descending colon"), Names{});
  EXPECT_EQ(raised("A hernia is seen at the lower end of the esophagus."), Names{"Hiatal hernia"});
  EXPECT_EQ(raised("Mild ectasia of the bronchi in both lungs"), Names{"Bronchiectasis"});
  EXPECT_EQ(raised("Interlobular septal and peribronchial thickening"),
            (Names{"Peribronchial thickening", "Interlobular septal thickening"}));
  EXPECT_EQ(raised("Increased heart size, pericardial effusion"),
            (Names{"Cardiomegaly", "Pericardial effusion"}));
  EXPECT_EQ(raised("Prominent interlobular septa were observed in both lungs."),
            Names{"Interlobular septal thickening"});
}

}  // namespace
}  // namespace fiducial
