#include "fiducial/curate/reports/finding_replies.h"

#include <gtest/gtest.h>

#include "fiducial/findings/measurements.h"

namespace fiducial {
namespace {

StandardReport nodule_sentences() {
  StandardReport out;
  out.sections[0] = {{.code = "L1", .text = "A 12 mm nodule is in the left upper lobe"},
                     {.code = "L2", .text = "No pleural effusion"}};
  return out;
}

std::vector<FindingPhrase> by_rules() {
  return {{.text = "12 mm nodule in the left upper lobe", .sources = {"L1"}, .left = true},
          {.text = "pleural effusion", .sources = {"L2"}, .abnormal = false}};
}

std::string finding_verdict(const char* reply) {
  return check_findings(parse_json(reply).value(), nodule_sentences(), by_rules()).code;
}

TEST(FindingReply, may_word_a_finding_as_it_likes) {
  EXPECT_EQ(finding_verdict(R"({"S1": ["nodule of 1.2 cm, left upper lobe", "L1", "Y", "N"]})"), "");
}

TEST(FindingReply, is_numbered_without_a_gap) {
  EXPECT_EQ(finding_verdict(R"({"S2": ["12 mm nodule in the left upper lobe", "L1", "Y", "N"]})"),
            "missing_key");
  EXPECT_EQ(finding_verdict(R"({"X": ["12 mm nodule in the left upper lobe", "L1", "Y", "N"]})"),
            "extra_key");
}

TEST(FindingReply, names_sentences_that_exist) {
  EXPECT_EQ(finding_verdict(R"({"S1": ["12 mm nodule in the left upper lobe", "L9", "Y", "N"]})"),
            "unknown_source");
  EXPECT_EQ(finding_verdict(R"({"S1": ["12 mm nodule in the left upper lobe", "", "Y", "N"]})"),
            "unknown_source");
}

TEST(FindingReply, gains_and_loses_no_measurement_and_no_side) {
  EXPECT_EQ(finding_verdict(R"({"S1": ["15 mm nodule in the left upper lobe", "L1", "Y", "N"]})"),
            "not_preserved");
  EXPECT_EQ(finding_verdict(R"({"S1": ["nodule in the left upper lobe", "L1", "Y", "N"]})"), "not_preserved");
  EXPECT_EQ(finding_verdict(R"({"S1": ["12 mm nodule in the upper lobe", "L1", "Y", "N"]})"),
            "not_preserved");
}

TEST(FindingReply, states_nothing_that_is_denied_and_denies_nothing_that_is_stated) {
  const std::string nodule = R"({"S1": ["12 mm nodule in the left upper lobe", "L1", "Y", "N"], "S2": )";
  EXPECT_EQ(finding_verdict((nodule + R"(["pleural effusion", "L2", "Y", "N"]})").c_str()),
            "changed_polarity");
  EXPECT_EQ(finding_verdict((nodule + R"(["no pleural effusion", "L2", "Y", "N"]})").c_str()),
            "changed_polarity");
  EXPECT_EQ(finding_verdict((nodule + R"(["pleural effusion", "L2", "N", "N"]})").c_str()), "");
  EXPECT_EQ(finding_verdict(R"({"S1": ["12 mm nodule in the left upper lobe", "L1", "N", "N"]})"),
            "changed_polarity");
}

TEST(FindingReply, leaves_out_no_abnormal_sentence) {
  EXPECT_EQ(finding_verdict(R"({"S1": ["no pleural effusion", "L2", "N", "N"]})"), "lost_sentence");
}

TEST(FindingReply, agrees_with_the_rules_by_sentence) {
  std::vector<FindingPhrase> said = by_rules();
  EXPECT_TRUE(agree_on_sentences(said, by_rules()));
  said.push_back({.text = "normal heart", .sources = {"L3"}, .abnormal = false});
  EXPECT_TRUE(agree_on_sentences(said, by_rules()));  // what is normal may be said besides
  said.push_back({.text = "large heart", .sources = {"L3"}});
  EXPECT_FALSE(agree_on_sentences(said, by_rules()));
  said = {by_rules()[0]};
  EXPECT_FALSE(agree_on_sentences(said, by_rules()));  // a denial is missing
}

constexpr ReportSectionsText nodule_report{
    .findings = "A 12 mm nodule is in the left lung. No pleural effusion.", .impressions = ""};

std::vector<GroundedFinding> grounded_by_rules() {
  return {{.name = "nodule", .paths = {"lung/lung/left lung"}, .sizes = find_measurements("12 mm")},
          {.name = "pleural effusion", .present = false, .paths = {"pleura/pleura"}}};
}

std::string grounding_verdict(const std::string& findings) {
  const Json reply = parse_json(R"({"findings": [)" + findings + R"(], "disorders": []})").value();
  return check_grounding(reply, nodule_report, grounded_by_rules()).code;
}

std::string said_finding(const char* name, const char* path, const char* present, const char* size) {
  return Json::object(
             {{"finding", name}, {"anatomy", Json::array({path})}, {"present", present}, {"size", size}})
      .compact();
}

TEST(GroundingReply, states_what_the_report_states) {
  EXPECT_EQ(grounding_verdict(said_finding("nodule", "lung/lung/left lung", "Y", "12 mm")), "");
}

TEST(GroundingReply, has_no_size_that_the_report_has_not_and_loses_none) {
  EXPECT_EQ(grounding_verdict(said_finding("nodule", "lung/lung/left lung", "Y", "30 mm")), "not_preserved");
  EXPECT_EQ(grounding_verdict(said_finding("nodule", "lung/lung/left lung", "Y", "")), "not_preserved");
}

TEST(GroundingReply, moves_no_size_to_the_place_of_another) {
  const std::string upper = "lung/lung/left lung/left lung upper lobe";
  const std::string lower = "lung/lung/right lung/right lung lower lobe";
  const std::vector<GroundedFinding> nodules{
      {.name = "nodule", .paths = {upper}, .sizes = find_measurements("5 mm"), .size_path = upper},
      {.name = "nodule", .paths = {lower}, .sizes = find_measurements("9 mm"), .size_path = lower}};
  const auto verdict = [&](const char* at_upper, const char* at_lower) {
    const std::string said = said_finding("nodule", upper.c_str(), "Y", at_upper) + "," +
                             said_finding("nodule", lower.c_str(), "Y", at_lower);
    const Json reply = parse_json(R"({"findings": [)" + said + R"(], "disorders": []})").value();
    return check_grounding(reply,
                           {.findings = "A 5 mm nodule in the left upper lobe, a 9 mm nodule in the right "
                                        "lower lobe.",
                            .impressions = ""},
                           nodules)
        .code;
  };
  EXPECT_EQ(verdict("5 mm", "9 mm"), "");
  EXPECT_EQ(verdict("9 mm", "5 mm"), "not_preserved");
}

TEST(GroundingReply, puts_nothing_on_the_other_side) {
  EXPECT_EQ(grounding_verdict(said_finding("nodule", "lung/lung/right lung", "Y", "12 mm")), "changed_side");
}

TEST(GroundingReply, does_not_state_and_deny_the_same) {
  EXPECT_EQ(grounding_verdict(said_finding("nodule", "lung/lung/left lung", "Y", "12 mm") + "," +
                              said_finding("nodule", "lung/lung/left lung", "N", "")),
            "contradiction");
}

TEST(GroundingReply, states_nothing_that_is_denied_and_denies_nothing_that_is_stated) {
  const std::string nodule = said_finding("nodule", "lung/lung/left lung", "Y", "12 mm");
  EXPECT_EQ(grounding_verdict(nodule + "," + said_finding("pleural effusion", "pleura/pleura", "Y", "")),
            "changed_polarity");
  EXPECT_EQ(grounding_verdict(nodule + "," + said_finding("pleural effusion", "pleura/pleura", "N", "")), "");
  EXPECT_EQ(grounding_verdict(said_finding("nodule", "lung/lung/left lung", "N", "12 mm")),
            "changed_polarity");
}

TEST(GroundingReply, leaves_nothing_without_an_answer) {
  EXPECT_EQ(grounding_verdict(said_finding("pleural effusion", "pleura/pleura", "N", "12 mm")),
            "lost_sentence");
}

TEST(GroundingReply, agrees_where_it_states_and_denies_the_same_names) {
  std::vector<GroundedFinding> other = grounded_by_rules();
  EXPECT_TRUE(agree_on_names(other, grounded_by_rules()));
  other[1].present = true;
  EXPECT_FALSE(agree_on_names(other, grounded_by_rules()));
}

}  // namespace
}  // namespace fiducial
