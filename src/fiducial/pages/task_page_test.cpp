#include "fiducial/pages/task_page.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json task_slot(double value, double low, double high) {
  return Json::object({{"value", value},
                       {"metric", "a_metric"},
                       {"ci95", Json::array({low, high})},
                       {"n", 8},
                       {"n_undefined", 0},
                       {"n_failed", 0},
                       {"better", "higher"},
                       {"version", 1}});
}

Json table_summary() {
  const Json scored =
      Json::object({{"status", "scored"}, {"questions", 8}, {"missing", 2}, {"unknown_rows", 0}});
  const Json label = Json::object({{"reference", 3}, {"predicted", 4}, {"both", 3}, {"f1", 0.857}});
  const Json never = Json::object({{"reference", 0}, {"predicted", 0}, {"both", 0}, {"f1", 0.0}});
  return Json::object(
      {{"benchmark", "radgenome"},
       {"split", "validation"},
       {"mode", "strict"},
       {"system", "a<b>"},
       {"metrics", Json::object({{"presence_accuracy", task_slot(0.75, 0.6, 0.9)}})},
       {"baselines", Json::object({{"presence", Json::object({{"questions", 8},
                                                              {"accuracy_by_nothing", 0.5},
                                                              {"accuracy_by_finding", 0.7}})}})},
       {"groups", Json::object({})},
       {"tasks", Json::object({{"presence", scored}, {"size", Json::object({{"status", "not_submitted"}})}})},
       {"clinical", Json::object({{"labels", Json::object({{"Lung nodule", label}, {"Emphysema", never}})}})},
       {"counts", Json::object({{"cases", 4}, {"questions", 8}, {"missing", 2}})},
       {"remarks", Json::Array{}},
       {"provenance", Json::object({{"tool", "fiducial"}})}});
}

bool says(const std::string& page, const std::string& text) { return page.find(text) != std::string::npos; }

TEST(TaskPage, tells_values_beside_guesses_and_what_is_missing) {
  const std::string page = task_page({.summary = table_summary(), .command = {"fiducial", "score", "x y"}});
  EXPECT_TRUE(says(page, "a&lt;b&gt;"));
  EXPECT_TRUE(says(page, "gets <b>0.700</b>"));
  EXPECT_TRUE(says(page, "Not clearly above a guess without the image"));
  EXPECT_TRUE(says(page, "2 answers are missing"));
  EXPECT_TRUE(says(page, "Nothing is said of: size."));
  EXPECT_TRUE(says(page, "Lung nodule"));
  EXPECT_FALSE(says(page, "Emphysema"));
  EXPECT_TRUE(says(page, "fiducial score &#39;x y&#39;") || says(page, "fiducial score 'x y'"));
  EXPECT_FALSE(says(page, "http://") || says(page, "https://") || says(page, "<script src"));
}

TEST(TaskPage, tells_words_from_places) {
  Json summary = table_summary();
  summary.set("task", "grounded_reports")
      .set("metrics",
           Json::object({{"fact_f1", task_slot(0.9, 0.8, 1)}, {"grounded_f1", task_slot(0.1, 0, 0.2)}}));
  const std::string page = task_page({.summary = summary, .command = {}});
  EXPECT_TRUE(says(page, "By its words alone the F1 of facts is <b>0.900</b>"));
  EXPECT_TRUE(says(page, "Right in words, not in place"));
}

}  // namespace
}  // namespace fiducial
