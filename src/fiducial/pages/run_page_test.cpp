#include "fiducial/pages/run_page.h"

#include <gtest/gtest.h>

#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/finding_cards.h"
#include "fiducial/pages/shared_sections.h"
#include "fiducial/pages/unit_scores.h"
#include "fiducial/tasks/all_tasks.h"

namespace fiducial {
namespace {

Json page_slot(double value, double low, double high, const char* better = "higher") {
  return Json::object({{"value", value},
                       {"metric", "dice"},
                       {"ci95", Json::array({low, high})},
                       {"n", 8},
                       {"n_undefined", 0},
                       {"n_failed", 0},
                       {"better", better},
                       {"version", 1}});
}

// A summary with the parts of every task.
Json page_summary() {
  const Json slots = Json::object({{"dice_per_case", page_slot(0.5, 0.25, 0.5)},
                                   {"dice_per_finding", page_slot(0.25, 0.125, 0.25)},
                                   {"accuracy", page_slot(0.5, 0.1, 0.9).set("correct", 4)},
                                   {"presence_accuracy", page_slot(0.75, 0.6, 0.9)},
                                   {"fact_f1", page_slot(0.9, 0.8, 1)},
                                   {"grounded_f1", page_slot(0.1, 0, 0.2)},
                                   {"size_error", page_slot(0.4, 0.2, 0.6, "lower")}});
  const Json label = Json::object({{"reference", 3}, {"predicted", 4}, {"both", 3}, {"f1", 0.857}});
  return Json::object(
      {{"benchmark", "bench"},
       {"split", "test"},
       {"mode", "strict"},
       {"system", "mine"},
       {"metrics", slots},
       {"official", slots},
       {"groups", Json::object({{"category", Json::object({{"2d", slots}})},
                                {"images", Json::object({{"1", slots}, {"17-49", slots}, {"2-4", slots}})},
                                {"region", Json::object({{"lung", slots}})}})},
       {"counts", Json::object({{"cases", 8},
                                {"findings", 13},
                                {"missing", 1},
                                {"failed", 0},
                                {"invalid", 0},
                                {"rule_lone_letter", 2}})},
       {"baselines", Json::object({{"chance", 0.2},
                                   {"letter_prior", 0.21},
                                   {"majority", Json::object({{"letter", "B"}, {"value", 0.25}})},
                                   {"runs", Json::array({Json::object({{"name", "blind"}, {"value", 0.3}})})},
                                   {"presence", Json::object({{"accuracy_by_finding", 0.7}})}})},
       {"tasks", Json::object({{"presence", Json::object({{"status", "scored"}, {"questions", 8}})},
                               {"size", Json::object({{"status", "not_submitted"}})}})},
       {"clinical", Json::object({{"labels", Json::object({{"Lung nodule", label}})}})},
       {"orientation", Json::object({{"transform", "flip x"},
                                     {"dice_as_is", 0.01},
                                     {"dice_transformed", 0.75},
                                     {"cases", Json::array({"a", "b"})}})},
       {"remarks",
        Json::array({Json::object({{"case", "a"}, {"code", "missing"}, {"text", "no prediction"}})})},
       {"provenance", Json::object({{"tool", "fiducial"}, {"seed", 0}})}});
}

// The page of a run that scored nothing, so that nothing is read from disk.
std::string page_of(const char* task, const Json& summary, bool is_private = false) {
  ScoreRun run;
  run.task = task;
  run.system = "it's <b>";
  run.rules = Json::object({});
  if (is_private) run.min_group = 20;
  const auto page = run_page({run, summary, {}, {}, std::nullopt, 1});
  return page.ok() ? *page : page.error().text();
}

bool says(const std::string& page, const std::string& text) { return page.find(text) != std::string::npos; }

// The same document with every text and every name made hostile; names that pages look for stay.
Json hostile(const Json& value, bool is_name_kept) {
  const std::string attack = "\"'><xss onerror=alert(1)>{{title}}<!--]]></script></style></title>";
  if (const std::string* text = value.as_string()) {
    for (const char* kept : {"strict", "higher", "lower", "scored"}) {
      if (*text == kept) return value;
    }
    return attack + *text;
  }
  if (value.as_array() != nullptr) {
    Json out = Json(Json::Array{});
    for (const Json& each : *value.as_array()) out.push(hostile(each, false));
    return out;
  }
  if (value.as_object() == nullptr) return value;
  Json out = Json::object({});
  for (const auto& [name, each] : *value.as_object()) {
    const bool holds_labels = name == "category" || name == "region" || name == "labels" || name == "tasks";
    out.set(is_name_kept ? name : name + attack, hostile(each, !holds_labels));
  }
  return out;
}

TEST(RunPage, of_every_task_needs_nothing_from_elsewhere) {
  for (const Task& task : all_tasks()) {
    const std::string page = page_of(task.id.c_str(), page_summary());
    for (const char* outside : {"http:", "https:", "<script", "<link", "@import", "url("})
      EXPECT_FALSE(says(page, outside)) << task.id << " " << outside;
    EXPECT_TRUE(says(page, "<nav class=\"contents\"")) << task.id;
    EXPECT_TRUE(says(page, "<a href=\"#values\">All values")) << task.id;
  }
}

TEST(RunPage, of_every_task_holds_hostile_texts_as_text) {
  for (const Task& task : all_tasks()) {
    const std::string page = page_of(task.id.c_str(), hostile(page_summary(), true));
    EXPECT_FALSE(says(page, "<xss")) << task.id;
    EXPECT_FALSE(says(page, "<b>it")) << task.id;
    EXPECT_TRUE(says(page, "&lt;xss onerror=alert(1)&gt;{{title}}")) << task.id;
    EXPECT_TRUE(says(page, "--system &#39;it&#39;\\&#39;&#39;s &lt;b&gt;&#39;")) << task.id;
  }
}

TEST(RunPage, of_a_task_without_a_page_of_its_own_has_the_shared_sections) {
  const std::string page = page_of("a_new_task", page_summary());
  for (const char* part : {"id=\"values\"", "id=\"groups\"", "id=\"remarks\"", "id=\"reproduce\""})
    EXPECT_TRUE(says(page, part)) << part;
}

TEST(RunPage, says_where_lower_is_better) {
  const std::string page = page_of("region_tables", page_summary());
  EXPECT_TRUE(says(page, "Size: error <span class=\"note\">lower is better</span>"));
}

TEST(RunPage, tells_of_missing_predictions_and_turned_axes) {
  const std::string page = page_of("finding_masks", page_summary());
  EXPECT_TRUE(says(page, "1 of 8 predictions not scored"));
  EXPECT_TRUE(says(page, "2 of 8 cases fit better under “flip x”"));
  EXPECT_TRUE(says(page, "0.750"));
  EXPECT_TRUE(says(page, "no prediction"));
}

TEST(RunPage, tells_accuracy_baselines_and_rules) {
  const std::string page = page_of("diagnosis", page_summary());
  for (const char* part : {"<b>4 of 8</b>", "50.0 %", "always B", "1 of 8 without an answer",
                           "the only letter", "guessing by answer-letter frequency"})
    EXPECT_TRUE(says(page, part)) << part;
  EXPECT_LT(page.find(">2-4<"), page.find(">17-49<"));
}

TEST(RunPage, tells_values_beside_guesses_and_words_from_places) {
  const std::string tables = page_of("region_tables", page_summary());
  for (const char* part : {"without the image, scores <b>0.700</b>", "Not clearly above an image-free guess",
                           "1 answer is missing", "Not scored: size.", "Lung nodule"})
    EXPECT_TRUE(says(tables, part)) << part;
  const std::string reports = page_of("grounded_reports", page_summary());
  EXPECT_TRUE(says(reports, "By its words alone the F1 of facts is <b>0.900</b>"));
  EXPECT_TRUE(says(reports, "Right in words, not in place"));
}

TEST(RunPage, says_that_it_is_private) {
  EXPECT_TRUE(says(page_of("diagnosis", page_summary(), true), "A private report"));
  EXPECT_FALSE(says(page_of("diagnosis", page_summary()), "A private report"));
}

// A run of findings with a Dice each.
class PagedRun {
 public:
  void add(const char* name, double dice, const char* status = "scored") {
    dice_.push_back(dice);
    run_.cases.push_back({name, name, static_cast<std::int64_t>(run_.cases.size()), ""});
    run_.units.push_back({static_cast<std::uint32_t>(run_.units.size()), 0});
    run_.categories.emplace_back("2d");
    marks_.push_back(run_.mark({status, ""}));
  }
  ScoreRun finish() {
    static const MetricContract contract{.id = "dice", .title = "Dice"};
    UnitValues sums(dice_.size()), marks(dice_.size());
    for (std::size_t i = 0; i < dice_.size(); ++i) {
      sums[i] = dice_[i];
      marks[i] = marks_[i];
    }
    run_.columns.push_back({.contract = &contract,
                            .id = "dice",
                            .sums = shared(std::move(sums)),
                            .weights = shared(UnitValues(dice_.size(), 1)),
                            .marks = shared(std::move(marks))});
    run_.measures.push_back({.slot = "dice_per_finding"});
    return std::move(run_);
  }

 private:
  ScoreRun run_;
  std::vector<double> dice_;
  std::vector<std::uint8_t> marks_;
};

std::vector<std::string> names_of(const ScoreRun& run, const std::vector<std::size_t>& units) {
  std::vector<std::string> out;
  out.reserve(units.size());
  for (const std::size_t unit : units) out.push_back(run.cases[run.units[unit].at].name);
  return out;
}

TEST(Extremes, are_the_lowest_and_highest_values_with_ties_by_name) {
  PagedRun builder;
  for (const auto& [name, dice] : {std::pair("d", 0.0), {"a", 0.0}, {"c", 1.0}, {"b", 1.0}, {"e", 0.5}})
    builder.add(name, dice);
  const ScoreRun run = builder.finish();
  const Extremes extremes = extremes_of(run, run.columns[0], 2, 1);
  EXPECT_EQ(names_of(run, extremes.worst), (std::vector<std::string>{"a", "d"}));
  EXPECT_EQ(names_of(run, extremes.best), (std::vector<std::string>{"b"}));
}

TEST(Extremes, show_no_finding_twice_and_none_that_was_not_scored) {
  PagedRun builder;
  builder.add("a", 0.2);
  builder.add("b", 0.4);
  builder.add("c", 0, "missing");
  const ScoreRun run = builder.finish();
  const Extremes extremes = extremes_of(run, run.columns[0], 6, 3);
  EXPECT_EQ(extremes.worst.size() + extremes.best.size(), 2U);
  EXPECT_EQ(names_of(run, extremes.worst).front(), "a");
}

TEST(SizeText, tells_millilitres_and_millimetres_where_the_spacing_is_known) {
  PagedRun builder;
  builder.add("a", 0.2);
  ScoreRun run = builder.finish();
  EXPECT_EQ(size_text(run, 0, 14877), "14,877 voxels");
  run.files.push_back({.name = "a", .spacing_mm = Vec3{0.5, 0.5, 2}});
  EXPECT_EQ(size_text(run, 0, 14877), "7.44 ml (14,877 voxels), 24 mm equivalent diameter");
  EXPECT_EQ(size_text(run, 0, 1), "0.00 ml (1 voxel), 1.0 mm equivalent diameter");
  EXPECT_EQ(size_text(run, 0, 0), "0 voxels");
}

TEST(GroupTitle, says_what_a_code_stands_for) {
  EXPECT_EQ(group_title("size_voxels", "10000-99999"), "10,000 – 99,999");
  EXPECT_TRUE(group_title("category", "2d").ends_with(" (2d)"));
  EXPECT_EQ(group_title("category", "<x>"), "<x>");
}

TEST(SlotTitle, falls_back_to_the_metric_and_then_to_the_words_of_the_slot) {
  EXPECT_EQ(slot_title("hd95_pooled_per_finding"), "hd95 pooled per finding");
  EXPECT_EQ(slot_title("something_per_finding", "iou"), slot_title("else", "iou"));
  EXPECT_NE(slot_title("something_per_finding", "iou"), "something per finding");
}

}  // namespace
}  // namespace fiducial
