#include "fiducial/board/leaderboard.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"

namespace fiducial {
namespace {

constexpr const char* example =
    "board,model,date,dice,hit,submitter\n"
    "spring,Alder,2026-01-01,0.30,0.5,a\n"
    "spring,Birch,2026-01-02,0.40,0.6,b\n"
    "spring,Birch-2,2026-01-03,0.35,,b\n"
    "spring,Cedar,,0.30,,c\n"
    "spring,Dogwood,,,0.1,d\n"
    "spring,Elm,,0.20,,e\n"
    "autumn,Alder,2026-09-01,0.5,0.7,a\n";

std::vector<Leaderboard> boards_of(const std::string& text, const TeamRule& teams = {}) {
  const Result<CsvTable> table = parse_csv(text);
  EXPECT_TRUE(table.ok());
  Result<std::vector<Leaderboard>> boards = leaderboards_from_csv(*table, teams);
  EXPECT_TRUE(boards.ok()) << boards.error().text();
  return boards.ok() ? *std::move(boards) : std::vector<Leaderboard>{};
}

// "1 Birch", "- Birch-2", "2= Alder" ...
std::vector<std::string> lines(const Leaderboard& board, const RankingRule& rule) {
  std::vector<std::string> out;
  const Result<RankedBoard> result = ranked(board, rule);
  for (const RankedEntry& each : result->entries) {
    const std::string text = each.rank ? decimal(*each.rank) : "-";
    out.push_back(text + (each.tied ? "= " : " ") + each.entry.model);
  }
  return out;
}

std::string refusal(const std::string& text, const TeamRule& teams = {}) {
  const Result<CsvTable> table = parse_csv(text);
  const auto boards = leaderboards_from_csv(*table, teams);
  return boards.ok() ? "accepted" : boards.error().text();
}

TEST(Leaderboard, keeps_boards_apart_and_takes_every_other_column_as_a_measure) {
  const auto boards = boards_of(example, {.columns = {"submitter"}});
  EXPECT_EQ(boards_of(example)[0].measures, boards[0].measures);
  ASSERT_EQ(boards.size(), 2U);
  EXPECT_EQ(boards[0].name, "spring");
  EXPECT_EQ(boards[1].entries.size(), 1U);
  EXPECT_EQ(boards[0].measures, (std::vector<std::string>{"dice", "hit"}));
  EXPECT_EQ(boards[0].entries[2].values, (std::vector<std::optional<double>>{0.35, std::nullopt}));
  EXPECT_EQ(boards[0].entries[2].team, "b");
}

TEST(Leaderboard, shares_a_rank_among_equal_values_and_skips_the_next) {
  EXPECT_EQ(lines(boards_of(example, {.columns = {"submitter"}})[0], {}),
            (std::vector<std::string>{"1 Birch", "2 Birch-2", "3= Alder", "3= Cedar", "5 Elm", "- Dogwood"}));
}

TEST(Leaderboard, ranks_only_the_best_entry_of_a_team) {
  EXPECT_EQ(lines(boards_of(example, {.columns = {"submitter"}})[0], {.best_per_team = true}),
            (std::vector<std::string>{"1 Birch", "- Birch-2", "2= Alder", "2= Cedar", "4 Elm", "- Dogwood"}));
}

TEST(Leaderboard, finds_teams_by_the_front_of_the_model_name) {
  const auto boards =
      boards_of("board,model,dice\nx,Oak_2,0.3\nx,Oak,0.3\nx,Pine,0.1\n", {.prefixes = {"Oak"}});
  EXPECT_EQ(lines(boards[0], {.best_per_team = true}),
            (std::vector<std::string>{"1 Oak_2", "- Oak", "2 Pine"}));
}

TEST(Leaderboard, ranks_by_any_measure) {
  EXPECT_EQ(lines(boards_of(example, {.columns = {"submitter"}})[0], {.measure = "hit"}).front(), "1 Birch");
  EXPECT_EQ(ranked(boards_of(example, {.columns = {"submitter"}})[0], {.measure = "f1"}).error().text(),
            "no measure \"f1\"; there is dice, hit");
}

TEST(Leaderboard, says_where_a_file_is_not_a_leaderboard) {
  EXPECT_EQ(refusal("model,dice\nA,1\n"), "line 1: no column \"board\"; there is model, dice");
  EXPECT_EQ(refusal("board,model,dice\nx,A,high\n"),
            "line 2, at column 3: dice: expected a number, found \"high\"");
  EXPECT_EQ(refusal("board,model,dice\nx,A,nan\n"),
            "line 2, at column 3: dice: expected a number, found \"nan\"");
  EXPECT_EQ(refusal("board,model,dice\nx,,1\n"),
            "line 2, at column 2: model: expected a name, found nothing");
  EXPECT_EQ(refusal("board,model,dice\nx,A,1\n", {.columns = {"team"}}),
            "line 1: no column \"team\"; there is board, model, dice");
}

class PublishedLeaderboard : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("FIDUCIAL_SPECS");  // NOLINT(concurrency-mt-unsafe): one thread
    const Path file = Path(folder == nullptr ? "" : folder) / "rexgroundingct_leaderboard.csv";
    if (folder == nullptr || !std::filesystem::exists(file)) {
      GTEST_SKIP() << "FIDUCIAL_SPECS names no folder with rexgroundingct_leaderboard.csv";
    }
    const Result<CsvTable> table = read_csv(file);
    ASSERT_TRUE(table.ok()) << table.error().text();
    // The challenge page shows these families under one submitter each.
    Result<std::vector<Leaderboard>> boards =
        leaderboards_from_csv(*table, {.prefixes = {"Grounder", "JECT", "MUW", "FARM"}});
    ASSERT_TRUE(boards.ok()) << boards.error().text();
    boards_ = *std::move(boards);
  }

  RankedBoard ranked_board(const std::string& name) const {
    for (const Leaderboard& board : boards_) {
      if (board.name == name) return *ranked(board, {.best_per_team = true});
    }
    ADD_FAILURE() << "no board " << name;
    return {};
  }

  std::vector<Leaderboard> boards_;
};

TEST_F(PublishedLeaderboard, gives_the_published_ranks_of_july) {
  std::vector<std::string> first;
  for (const RankedEntry& each : ranked_board("miccai2026_public150_2026-07-22").entries) {
    if (!each.rank) continue;
    EXPECT_EQ(*each.rank, static_cast<std::int64_t>(first.size()) + 1);
    first.push_back(each.entry.model);
  }
  EXPECT_EQ(first, (std::vector<std::string>{"Grounder_1.1", "JECT_base", "MUW-GroundCT-v3", "ThoraxTell",
                                             "VoXTell-FT (submission 2)", "VoxTell-FT (MICLab)",
                                             "FARM-VoxTell-FT-Test", "VoXTell-FT"}));
}

TEST_F(PublishedLeaderboard, gives_the_published_rank_of_september) {
  const auto entries = ranked_board("miccai2026_public150_2026-09-09_best").entries;
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [](const RankedEntry& each) { return each.entry.model == "V++_b3"; });
  ASSERT_NE(found, entries.end());
  EXPECT_EQ(found->rank, 15);
}

TEST_F(PublishedLeaderboard, shows_what_the_first_board_shows) {
  const RankedBoard board = ranked_board("rexrank_v1_test100");
  const DisplayRule rule = display_rule_of(board.name);
  ASSERT_GE(board.entries.size(), 4U);
  EXPECT_EQ(displayed(*board.entries[3].entry.values[0], rule), "0.285");
  EXPECT_EQ(displayed(*board.entries[3].entry.values[1], rule), "0.615");
}

}  // namespace
}  // namespace fiducial
