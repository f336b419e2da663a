#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/board/score_display.h"
#include "fiducial/table/csv.h"

namespace fiducial {

// A line of a board: one result of one model.
struct BoardEntry {
  std::string model;
  std::string date;  // "" when none is given
  std::string team;  // entries of one team compete as one; the model itself when nothing else is known
  std::vector<std::optional<double>> values;  // one a measure of the board
};

// The entries of one board, in file order.
struct Leaderboard {
  std::string name;
  std::vector<std::string> measures;  // "dice", "hit", ...
  std::vector<BoardEntry> entries;
};

// How the team of an entry is found. Without any of these every model is a team of its own.
struct TeamRule {
  std::vector<std::string> columns;   // entries with equal cells in all of them are of one team
  std::vector<std::string> prefixes;  // models that begin with the same one of these are of one team
};

// Reads the published layout: columns board, model and date, those of the team rule, and every other column a
// measure whose cells are numbers or empty; columns named team, submitter or institution are none. Boards are
// in order of appearance.
Result<std::vector<Leaderboard>> leaderboards_from_csv(const CsvTable& table, const TeamRule& teams);

struct RankingRule {
  std::string measure;         // empty: dice where the board has it, else its first measure
  bool best_per_team = false;  // only the best entry of a team has a rank; the others are listed without one
};

// An entry in its place. Equal values share a rank and the next rank is skipped; among equal entries of one
// team the first of the file is the team's best. Entries without a value have no rank and come last.
struct RankedEntry {
  std::optional<std::int64_t> rank;
  bool tied = false;
  BoardEntry entry;
};

struct RankedBoard {
  std::string name;
  std::vector<std::string> measures;
  RankingRule rule;
  std::vector<RankedEntry> entries;  // best first
};

// Higher is better, by the exact values, never by what is displayed.
Result<RankedBoard> ranked(const Leaderboard& board, RankingRule rule);

// Schema fiducial.board/1; values are exact, with their displayed text beside them.
Json boards_json(const std::vector<RankedBoard>& boards, const std::vector<DisplayRule>& display);

}  // namespace fiducial
