#include "fiducial/board/leaderboard.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

namespace {

// Where everything stands in the file.
struct BoardColumns {
  std::size_t board = 0;
  std::size_t model = 0;
  std::optional<std::size_t> date;
  std::vector<std::size_t> team;
  std::vector<std::size_t> measures;
};

// Columns that say who an entry is from, whether or not teams are found by them.
bool describes(const std::string& column) {
  return column == "team" || column == "submitter" || column == "institution";
}

Result<BoardColumns> find_columns(const CsvTable& table, const TeamRule& teams) {
  BoardColumns out;
  FIDUCIAL_TRY(out.board, table.column("board"));
  FIDUCIAL_TRY(out.model, table.column("model"));
  out.date = table.find_column("date");
  for (const std::string& name : teams.columns) {
    FIDUCIAL_TRY(const std::size_t column, table.column(name));
    out.team.push_back(column);
  }
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const bool names_entry =
        i == out.board || i == out.model || i == out.date || describes(table.columns()[i]);
    const bool names_team = std::find(out.team.begin(), out.team.end(), i) != out.team.end();
    if (!names_entry && !names_team) out.measures.push_back(i);
  }
  return out;
}

std::string team_of(const CsvTable& table, std::size_t row, const BoardColumns& columns,
                    const TeamRule& teams) {
  const std::string_view model = table.cell(row, columns.model);
  for (const std::string& prefix : teams.prefixes) {
    if (model.starts_with(prefix)) return prefix;
  }
  std::string out;
  bool known = false;
  for (const std::size_t column : columns.team) {
    const std::string_view cell = table.cell(row, column);
    known = known || !cell.empty();
    out += (column == columns.team.front() ? "" : " / ") + std::string(cell);
  }
  return known ? out : std::string(model);
}

Result<std::optional<double>> number_at(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string_view cell = table.cell(row, column);
  if (cell.empty()) return std::optional<double>();
  const auto number = parse_double(cell);
  if (!number || !std::isfinite(*number)) {
    return table.cell_error(row, column, "expected a number, found \"" + std::string(cell) + "\"");
  }
  return number;
}

Result<BoardEntry> entry_at(const CsvTable& table, std::size_t row, const BoardColumns& columns) {
  BoardEntry out;
  for (const std::size_t column : {columns.board, columns.model}) {
    if (table.cell(row, column).empty())
      return table.cell_error(row, column, "expected a name, found nothing");
  }
  out.model = table.cell(row, columns.model);
  if (columns.date) out.date = table.cell(row, *columns.date);
  for (const std::size_t column : columns.measures) {
    FIDUCIAL_TRY(const std::optional<double> value, number_at(table, row, column));
    out.values.push_back(value);
  }
  return out;
}

// Gives ranks to entries that are already in order and may have one.
void give_ranks(std::vector<RankedEntry>& entries, std::size_t measure, bool best_per_team) {
  std::set<std::string> seen;
  std::int64_t position = 0;
  RankedEntry* before = nullptr;
  for (RankedEntry& each : entries) {
    const auto& value = each.entry.values[measure];
    if (!value || (best_per_team && !seen.insert(each.entry.team).second)) continue;
    ++position;
    each.rank = position;
    if (before != nullptr && before->entry.values[measure] == value) {
      each.rank = before->rank;
      each.tied = before->tied = true;
    }
    before = &each;
  }
}

Json entry_json(const RankedEntry& ranked, const RankedBoard& board, const DisplayRule& display) {
  Json values = Json::Object{};
  Json texts = Json::Object{};
  for (std::size_t i = 0; i < board.measures.size(); ++i) {
    const auto& value = ranked.entry.values[i];
    values.set(board.measures[i], value ? Json(*value) : Json());
    texts.set(board.measures[i], value ? Json(displayed(*value, display)) : Json());
  }
  return Json::object({{"rank", ranked.rank ? Json(*ranked.rank) : Json()},
                       {"tied", ranked.tied},
                       {"model", ranked.entry.model},
                       {"team", ranked.entry.team},
                       {"date", ranked.entry.date.empty() ? Json() : Json(ranked.entry.date)},
                       {"values", values},
                       {"displayed", texts}});
}

}  // namespace

Result<std::vector<Leaderboard>> leaderboards_from_csv(const CsvTable& table, const TeamRule& teams) {
  FIDUCIAL_TRY(const BoardColumns columns, find_columns(table, teams));
  std::vector<Leaderboard> out;
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    FIDUCIAL_TRY(BoardEntry entry, entry_at(table, row, columns));
    entry.team = team_of(table, row, columns, teams);
    const auto [place, is_new] = places.try_emplace(std::string(table.cell(row, columns.board)), out.size());
    if (is_new) {
      out.push_back({.name = place->first});
      for (const std::size_t column : columns.measures)
        out.back().measures.push_back(table.columns()[column]);
    }
    out[place->second].entries.push_back(std::move(entry));
  }
  return out;
}

Result<RankedBoard> ranked(const Leaderboard& board, RankingRule rule) {
  const auto place_of = [&board](std::string_view measure) {
    return std::find(board.measures.begin(), board.measures.end(), measure);
  };
  auto found = place_of(rule.measure.empty() ? "dice" : rule.measure);
  if (found == board.measures.end() && rule.measure.empty()) found = board.measures.begin();
  if (found == board.measures.end()) {
    if (rule.measure.empty()) return invalid_data("the board \"" + board.name + "\" has no measure");
    return no_such_name("measure", rule.measure, board.measures);
  }
  rule.measure = *found;
  const auto measure = static_cast<std::size_t>(found - board.measures.begin());
  RankedBoard out{.name = board.name, .measures = board.measures, .rule = std::move(rule)};
  for (const BoardEntry& entry : board.entries) out.entries.push_back({.entry = entry});
  // An empty optional is less than any value.
  std::stable_sort(out.entries.begin(), out.entries.end(),
                   [measure](const RankedEntry& a, const RankedEntry& b) {
                     return a.entry.values[measure] > b.entry.values[measure];
                   });
  give_ranks(out.entries, measure, out.rule.best_per_team);
  return out;
}

Json boards_json(const std::vector<RankedBoard>& boards, const std::vector<DisplayRule>& display) {
  Json list = Json::Array{};
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const RankedBoard& board = boards[i];
    Json entries = Json::Array{};
    for (const RankedEntry& entry : board.entries) entries.push(entry_json(entry, board, display[i]));
    list.push(Json::object({{"name", board.name},
                            {"ranked_by", board.rule.measure},
                            {"best_per_team", board.rule.best_per_team},
                            {"display", Json::object({{"shortening", to_string(display[i].shortening)},
                                                      {"digits", display[i].digits}})},
                            {"entries", entries}}));
  }
  return Json::object({{"schema", "fiducial.board/1"}, {"boards", list}});
}

}  // namespace fiducial
