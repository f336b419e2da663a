#include <algorithm>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/reproduce/medthinkvqa_tables.h"
#include "fiducial/reproduce/published_values.h"
#include "fiducial/reproduce/system_tables.h"

namespace fiducial {
namespace {

Json value_json(double value) {
  return Json::object({{"value", value},
                       {"metric", "accuracy"},
                       {"ci95", Json::array({value - 0.05, value + 0.05})},
                       {"n", 200},
                       {"version", 2}});
}

ScoredSystem asked(const std::string& model, const std::string& effort, const std::string& images,
                   double accuracy, const std::string& hints = "none", const std::string& summary = "none") {
  const bool has_cue = hints != "none" || summary != "none";
  Json told = Json::object({{"model", model},
                            {"workflow", has_cue ? "twi" : "direct"},
                            {"effort", effort},
                            {"images", images + " spread/1"},
                            {"hints", hints},
                            {"summary", summary},
                            {"cases", 200},
                            {"tokens", Json::object({{"completion", 40000}})}});
  Json metrics = Json::object({{"accuracy", value_json(accuracy)}});
  return {.folder = "x",
          .system = model,
          .summary = Json::object({{"task", "diagnosis"}, {"metrics", metrics}, {"asked", told}})};
}

const ResultTable& find(const std::vector<ResultTable>& tables, std::string_view id) {
  for (const ResultTable& table : tables) {
    if (table.id == id) return table;
  }
  ADD_FAILURE() << "no table " << id;
  return tables.front();
}

TEST(MedthinkvqaTables, put_every_run_into_its_cell) {
  const std::vector<ScoredSystem> systems{
      asked("a", "high", "100%", 0.5),
      asked("a", "high", "20%", 0.3),
      asked("a", "low", "100%", 0.4),
      asked("a", "high", "100%", 0.9, "expert", "expert"),
      asked("a", "high", "100%", 0.45, "run:earlier", "none"),
      {.folder = "y", .system = "file", .summary = Json::object({{"task", "diagnosis"}})}};
  const std::vector<ModelRun> runs = model_runs(systems);
  ASSERT_EQ(runs.size(), 5U);
  const std::vector<ResultTable> tables = medthinkvqa_tables(runs, {});
  const ResultTable& main = find(tables, "main");
  ASSERT_EQ(main.rows.size(), 2U);
  EXPECT_EQ(main.rows[0].names, (std::vector<std::string>{"a", "high"}));
  EXPECT_EQ(main.rows[0].cells[1].words, "100");
  const ResultTable& shares = find(tables, "image_share");
  EXPECT_DOUBLE_EQ(*shares.rows[0].cells[1].value->value, 0.3);
  EXPECT_DOUBLE_EQ(*shares.rows[0].cells[5].value->value, 0.5);
  EXPECT_EQ(shares.rows[0].cells[2].missing,
            "fiducial run DIR --workflow direct --model a --effort high --image-budget 40%");
  const ResultTable& efforts = find(tables, "effort");
  EXPECT_DOUBLE_EQ(*efforts.rows[1].cells[4].number, 200);
  EXPECT_DOUBLE_EQ(*efforts.rows[0].cells[2].value->value, 0.4);
  const ResultTable& cues = find(tables, "cues");
  EXPECT_DOUBLE_EQ(*cues.rows[0].cells[0].value->value, 0.5);
  EXPECT_DOUBLE_EQ(*cues.rows[0].cells[3].value->value, 0.9);
  EXPECT_DOUBLE_EQ(*cues.rows[0].cells[4].value->value, 0.45);
  EXPECT_NE(result_text(cues).find("missing for a high, expert hints"), std::string::npos)
      << result_text(cues);
}

TEST(MedthinkvqaTables, know_sizes_and_weights_from_the_facts) {
  const auto facts =
      parse_model_facts("model,name,family,billions,weights\na,Alpha,A,7,open\nb,Beta,B,,closed\n");
  ASSERT_TRUE(facts.ok()) << facts.error().text();
  const std::vector<ModelRun> runs =
      model_runs({asked("a", "", "100%", 0.5), asked("b", "", "100%", 0.6), asked("c", "", "100%", 0.1)});
  const std::vector<ResultTable> tables = medthinkvqa_tables(runs, *facts);
  const ResultTable& sizes = find(tables, "size");
  ASSERT_EQ(sizes.rows.size(), 2U);  // b is closed
  EXPECT_EQ(sizes.rows[1].names, (std::vector<std::string>{"Alpha", "A", "7"}));
  EXPECT_NE(sizes.rows[0].cells[0].missing.find("--facts"), std::string::npos);
  const ResultTable& both = find(tables, "open_closed");
  EXPECT_EQ(both.rows[0].cells[1].words, "Alpha");
  EXPECT_EQ(both.rows[1].cells[1].words, "Beta");
}

TEST(ModelFacts, refuse_what_they_are_not) {
  const auto text_of = [](const char* text) { return parse_model_facts(text).error().text(); };
  EXPECT_NE(text_of("model,weights\na,half\n").find("neither open nor closed"), std::string::npos);
  EXPECT_NE(text_of("model,billions\na,-1\n").find("no number of parameters"), std::string::npos);
  EXPECT_NE(text_of("model\na\na\n").find("occurs twice"), std::string::npos);
}

TEST(PublishedValues, stand_below_what_was_made_again) {
  std::vector<ResultTable> tables = medthinkvqa_tables(model_runs({asked("a", "high", "20%", 0.3)}), {});
  const std::int64_t empty = find(tables, "image_share").empty_cells();
  ASSERT_TRUE(add_published_values("medthinkvqa", tables).ok());
  const ResultTable& shares = find(tables, "image_share");
  ASSERT_EQ(shares.rows.size(), 8U);
  EXPECT_EQ(shares.rows[1].names, (std::vector<std::string>{"gpt-5", "thinking"}));
  EXPECT_NEAR(*shares.rows[1].cells[5].value->value, 339.0 / 720, 1e-9);
  EXPECT_EQ(shares.empty_cells(), empty);
  EXPECT_NE(result_text(shares).find("published [1]"), std::string::npos);
  EXPECT_NE(result_csv(shares).find("read off: approximate"), std::string::npos);
  const ResultTable& main = find(tables, "main");
  EXPECT_EQ(main.rows.size(), 59U + 4U);  // and those of an earlier version
  EXPECT_EQ(main.rows[0].cells[1].words, "412");
  EXPECT_NEAR(*main.rows[0].cells[0].value->low, 0.5358, 1e-4);  // Wilson, as the specification checks it
}

TEST(PublishedValues, fit_the_tables_they_are_put_into) {
  for (const char* benchmark : {"medthinkvqa", "rexgroundingct", "radgenome"}) {
    std::vector<ResultTable> tables = medthinkvqa_tables({}, {});
    if (benchmark == std::string("rexgroundingct")) tables = rexgroundingct_tables({});
    if (benchmark == std::string("radgenome")) tables = radgenome_tables({});
    ASSERT_TRUE(add_published_values(benchmark, tables).ok());
    for (const ResultTable& table : tables) {
      for (const ResultRow& row : table.rows) {
        EXPECT_EQ(row.names.size(), table.names.size()) << table.id;
        EXPECT_LE(row.cells.size(), table.columns.size()) << table.id;
      }
    }
  }
  std::vector<ResultTable> masks = rexgroundingct_tables({});
  ASSERT_TRUE(add_published_values("rexgroundingct", masks).ok());
  const std::vector<std::string>& categories = find(masks, "category_hit_rate").columns;
  EXPECT_EQ(categories.size(), 13U);
  EXPECT_TRUE(std::is_sorted(categories.begin(), categories.end()));
  EXPECT_EQ(published_model_facts()->at("qwen3.5-35b-a3b").active, 3.0);
}

TEST(SystemTables, read_groups_by_official_rules_where_there_are_some) {
  const auto slots = [](double dice) {
    return Json::object({{"dice_per_case", value_json(dice)}, {"dice_per_finding", value_json(dice)}});
  };
  ScoredSystem one{.folder = "x", .system = "s"};
  one.summary = Json::object({{"task", "finding_masks"},
                              {"metrics", slots(0.1)},
                              {"official", slots(0.2)},
                              {"groups", Json::object({{"category", Json::object({{"2d", slots(0.3)}})}})}});
  const std::vector<ResultTable> tables = rexgroundingct_tables({one});
  EXPECT_DOUBLE_EQ(*find(tables, "overall").rows[0].cells[0].value->value, 0.2);
  EXPECT_DOUBLE_EQ(*find(tables, "category_dice_per_finding").rows[0].cells[0].value->value, 0.3);
  EXPECT_NE(result_csv(find(tables, "overall")).find("s,Dice,0.2,"), std::string::npos);
  EXPECT_TRUE(result_svg(find(tables, "overall")).starts_with("<svg"));
}

}  // namespace
}  // namespace fiducial
