#include "fiducial/pages/diagnostic_page.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json slot(std::int64_t correct, std::int64_t n) {
  return Json::object({{"value", static_cast<double>(correct) / static_cast<double>(n)},
                       {"metric", "answer_accuracy"},
                       {"ci95", Json::array({0.1, 0.9})},
                       {"wilson95", Json::array({0.1, 0.9})},
                       {"correct", correct},
                       {"n", n},
                       {"n_undefined", 0},
                       {"n_failed", 0},
                       {"better", "higher"},
                       {"version", 1}});
}

Json example_summary() {
  const Json accuracy = Json::object({{"accuracy", slot(3, 6)}});
  return Json::object(
      {{"benchmark", "medthinkvqa"},
       {"split", "test"},
       {"mode", "strict"},
       {"system", "a<b>"},
       {"metrics", Json::object({{"accuracy", slot(3, 6)}, {"radcliq_v1_step1", slot(3, 6)}})},
       {"baselines", Json::object({{"chance", 0.2},
                                   {"majority", Json::object({{"letter", "B"},
                                                              {"value", 0.25},
                                                              {"wilson95", Json::array({0.1, 0.4})},
                                                              {"correct", 2}})},
                                   {"letter_prior", 0.21}})},
       {"groups",
        Json::object({{"images", Json::object({{"1", accuracy}, {"17-49", accuracy}, {"2-4", accuracy}})}})},
       {"counts", Json::object({{"cases", 6}, {"missing", 1}, {"invalid", 0}, {"rule_lone_letter", 2}})},
       {"remarks", Json::Array{}},
       {"provenance", Json::object({{"tool", "fiducial"}})}});
}

LostCase example_case() {
  LostCase out{.answer = 'A', .rule = "lone_letter", .false_steps = {"It is <i>round</i>"}};
  out.entry.title = "Case number 66";
  out.entry.history = "A patient & a cough";
  out.entry.options = {"one", "two", "three", "four", "five"};
  out.entry.key = 'B';
  return out;
}

TEST(DiagnosticPage, tells_accuracy_baselines_rules_and_lost_cases) {
  const std::string page =
      diagnostic_page({.summary = example_summary(), .lost = {example_case()}, .lost_in_all = 3});
  for (const char* part : {"<b>3 of 6</b>", "50.0 %", "always B", "1 of 6 without an answer",
                           "the only letter", "Case number 66", "A patient &amp; a cough",
                           "It is &lt;i&gt;round", "a&lt;b&gt;", "fitted on reports of chest X-rays"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("http://"), std::string::npos);
}

TEST(DiagnosticPage, names_slots_in_words_and_draws_only_shares) {
  Json summary = example_summary();
  Json points = slot(3, 6);
  points.set("value", 4.5).set("unit", "points").set("ci95", Json::array({4.0, 5.0}));
  summary.set("metrics", Json::object({{"accuracy", slot(3, 6)},
                                       {"education_value", points},
                                       {"mean_bleu_2_step1", slot(3, 6)},
                                       {"meteor_wordnet_step2", slot(3, 6)},
                                       {"radcliq_v1_step2", slot(3, 6)}}));
  const std::string page = diagnostic_page({.summary = summary});
  for (const char* part :
       {"4.500 <small>points</small></p><p>", "Mean BLEU-2 of per-image findings",
        "METEOR with synonyms of summaries", "RadCliQ-v1 of summaries (lower is better)"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST(DiagnosticPage, orders_groups_by_their_numbers) {
  const std::string page = diagnostic_page({.summary = example_summary()});
  EXPECT_LT(page.find(">2-4<"), page.find(">17-49<"));
}

TEST(DiagnosticPage, shows_no_case_in_private) {
  const std::string page =
      diagnostic_page({.summary = example_summary(), .lost = {example_case()}, .is_private = true});
  EXPECT_EQ(page.find("Case number"), std::string::npos);
  EXPECT_NE(page.find("A private report"), std::string::npos);
}

}  // namespace
}  // namespace fiducial
