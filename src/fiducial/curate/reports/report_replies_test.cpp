#include "fiducial/curate/reports/report_replies.h"

#include <gtest/gtest.h>

#include "fiducial/findings/standard_report.h"

namespace fiducial {
namespace {

// A reply that puts all sentences into the first section.
Json standard_reply(std::initializer_list<const char*> sentences, const char* impressions) {
  Json findings = Json::Object{};
  for (const ReportSection& section : report_sections) findings.set(std::string(section.name), Json::Array{});
  findings.set(std::string(report_sections[0].name), Json::strings(sentences));
  return Json::object({{"Findings", std::move(findings)}, {"Impressions", impressions}});
}

constexpr ReportSectionsText two_sentences{
    .findings = "A 12 mm nodule is in the left upper lobe. The heart is enlarged.", .impressions = ""};

std::string standard_verdict(const Json& reply) { return check_standard_reply(reply, two_sentences).code; }

TEST(StandardReply, may_say_the_same_in_other_words_and_order) {
  EXPECT_EQ(
      standard_verdict(standard_reply({"Heart enlarged", "Left upper lobe nodule of 1.2 cm"}, "Not Given")),
      "");
}

TEST(StandardReply, may_lose_and_gain_no_sentence) {
  EXPECT_EQ(standard_verdict(standard_reply({"The heart is enlarged."}, "Not Given")), "lost_sentence");
  EXPECT_EQ(standard_verdict(standard_reply({"A 12 mm nodule is in the left upper lobe.",
                                             "The heart is enlarged.", "The liver is normal."},
                                            "Not Given")),
            "extra_sentence");
}

TEST(StandardReply, may_change_no_side_and_no_measurement) {
  EXPECT_EQ(standard_verdict(standard_reply(
                {"A 12 mm nodule is in the right upper lobe.", "The heart is enlarged."}, "Not Given")),
            "changed_side");
  EXPECT_EQ(standard_verdict(standard_reply(
                {"A 21 mm nodule is in the left upper lobe.", "The heart is enlarged."}, "Not Given")),
            "not_preserved");
}

TEST(StandardReply, may_neither_state_what_is_denied_nor_deny_what_is_stated) {
  const auto verdict = [](const char* findings, const char* reply) {
    return check_standard_reply(standard_reply({reply}, "Not Given"),
                                {.findings = findings, .impressions = ""})
        .code;
  };
  EXPECT_EQ(verdict("No LAP was detected.", "Lymphadenopathy was detected."), "changed_polarity");
  EXPECT_EQ(verdict("PTX: none.", "Pneumothorax is present."), "changed_polarity");
  EXPECT_EQ(verdict("Emphysema is seen.", "No emphysema is seen."), "changed_polarity");
  EXPECT_EQ(verdict("No xanthogranuloma was seen.", "Xanthogranuloma was seen."), "changed_polarity");
  EXPECT_EQ(verdict("No LAP was detected.", "Lymphadenopathy is absent."), "");
  EXPECT_EQ(verdict("Pleural effusion-thickening was not detected.", "No pleural effusion or thickening."),
            "");
  EXPECT_EQ(
      verdict("The trachea and both main bronchi are open.", "The trachea and both main bronchi are patent."),
      "");
}

TEST(StandardReply, has_the_seven_sections_and_no_other) {
  Json missing = standard_reply({}, "Not Given");
  missing.set("Findings", Json::Object{});
  EXPECT_EQ(standard_verdict(missing), "missing_section");
  Json other = standard_reply({}, "Not Given");
  other.set("Findings", Json(*other.find("Findings")).set("Mood", Json::Array{}));
  EXPECT_EQ(standard_verdict(other), "unknown_section");
  EXPECT_EQ(standard_verdict(Json::object({{"Findings", Json::Object{}}})), "missing_key");
}

TEST(StandardReply, writes_impressions_only_where_there_are_some) {
  EXPECT_EQ(standard_verdict(standard_reply(
                {"A 12 mm nodule is in the left upper lobe.", "The heart is enlarged."}, "Nodule.")),
            "extra_sentence");
}

std::string code_verdict(const char* reply) {
  const Json findings = Json::object({{"P1", "nodule"}, {"P2", "effusion"}});
  return check_category_reply(parse_json(reply).value(), findings).code;
}

TEST(CategoryReply, has_a_code_or_an_abstention_for_every_finding) {
  EXPECT_EQ(code_verdict(R"({"P1": "2d", "P2": "abstain"})"), "");
  EXPECT_EQ(code_verdict(R"({"P1": "2d", "P2": "12"})"), "");
}

TEST(CategoryReply, has_no_code_outside_the_ontology_and_no_other_key) {
  EXPECT_EQ(code_verdict(R"({"P1": "2d", "P2": "8h"})"), "unknown_code");
  EXPECT_EQ(code_verdict(R"({"P1": "2d", "P2": "2D"})"), "unknown_code");
  EXPECT_EQ(code_verdict(R"({"P1": "2d", "P3": "2e"})"), "extra_key");
  EXPECT_EQ(code_verdict(R"({"P1": "2d"})"), "missing_key");
  EXPECT_EQ(code_verdict(R"(["2d"])"), "bad_form");
}

}  // namespace
}  // namespace fiducial
