#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/board/leaderboard.h"
#include "fiducial/terminal/text_table.h"

#include "board_add.h"
#include "board_answers.h"
#include "command.h"

namespace fiducial::cli {

namespace {

struct BoardOptions {
  std::string file;
  std::string board;
  std::string measure;
  std::vector<std::string> team_columns;
  std::vector<std::string> team_prefixes;
  std::string display;
  int digits = 3;
  std::int64_t cases = 720;
  bool json = false;
  std::optional<Verb> verb;
};

Result<std::vector<Leaderboard>> wanted_boards(const BoardOptions& options) {
  FIDUCIAL_TRY(const CsvTable table, read_csv(options.file));
  const TeamRule teams{.columns = options.team_columns, .prefixes = options.team_prefixes};
  FIDUCIAL_TRY(std::vector<Leaderboard> boards, leaderboards_from_csv(table, teams).in_file(options.file));
  if (options.board.empty()) return boards;
  std::vector<std::string> names;
  for (const Leaderboard& board : boards) {
    if (board.name == options.board) return std::vector<Leaderboard>{board};
    names.push_back(board.name);
  }
  return no_such_name("board", options.board, names, options.file + ": ");
}

Result<DisplayRule> display_of(const BoardOptions& options, const std::string& board) {
  DisplayRule rule = display_rule_of(board);
  if (!options.display.empty()) {
    FIDUCIAL_TRY(rule.shortening, parse_shortening(options.display));
  }
  rule.digits = options.digits;
  return rule;
}

std::string board_text(const RankedBoard& board, const DisplayRule& display, std::size_t width) {
  using Align = TextTable::Align;
  TextTable table({Align::right, Align::left, Align::left});
  std::vector<std::string> header{"rank", "model", "date"};
  header.insert(header.end(), board.measures.begin(), board.measures.end());
  table.add_header(header);
  for (const RankedEntry& each : board.entries) {
    const std::string rank = each.rank ? (each.tied ? "=" : "") + decimal(*each.rank) : "-";
    std::vector<std::string> cells{rank, each.entry.model, each.entry.date};
    for (const auto& value : each.entry.values) cells.push_back(value ? displayed(*value, display) : "");
    table.add(std::move(cells));
  }
  std::string rule = "ranked by " + board.rule.measure;
  if (board.rule.best_per_team) rule += ", best entry of each team";
  constexpr const char* words[] = {"truncated to ", "rounded to "};
  if (display.shortening != Shortening::none) {
    rule += std::string(", values ") + words[static_cast<std::size_t>(display.shortening)] +
            decimal(display.digits) + " decimals";
  }
  return board.name + " (" + rule + ")\n" + table.text("  ", width);
}

// Options that mean nothing for a kind of board are refused, never ignored.
Outcome refuse_for(const BoardOptions& options, std::initializer_list<const char*> names,
                   const std::string& boards) {
  std::string given;
  for (const char* name : names) {
    if (options.verb->given(name)) append_joined(given, name);
  }
  return given.empty() ? done() : bad_usage(given + ": not for " + boards);
}

Result<int> print_tables(const BoardOptions& options, Console& console) {
  FIDUCIAL_TRY(const bool has_answers, is_answer_board(options.file));
  if (has_answers) {
    FIDUCIAL_TRY_DONE(
        refuse_for(options, {"--board", "--by", "--best-per-team", "--team-prefix", "--display", "--digits"},
                   "answers to questions, which are ranked by right ones"));
    return print_answer_board({.file = options.file, .cases = options.cases, .json = options.json}, console);
  }
  FIDUCIAL_TRY_DONE(refuse_for(options, {"--cases"}, "boards of measures"));
  FIDUCIAL_TRY(const std::vector<Leaderboard> boards, wanted_boards(options));
  const RankingRule rule{.measure = options.measure,
                         .best_per_team = !options.team_columns.empty() || !options.team_prefixes.empty()};
  std::vector<RankedBoard> ranking;
  std::vector<DisplayRule> display;
  std::string text;
  for (const Leaderboard& board : boards) {
    FIDUCIAL_TRY(RankedBoard result, ranked(board, rule));
    FIDUCIAL_TRY(const DisplayRule shown, display_of(options, board.name));
    append_joined(text, board_text(result, shown, console.width()), "\n");
    ranking.push_back(std::move(result));
    display.push_back(shown);
  }
  if (options.json) {
    console.print(boards_json(ranking, display).pretty());
  } else {
    console.show(text);
  }
  return 0;
}

void define_table(Verb table, BoardOptions& options) {
  table
      .add_option(
          "FILE", options.file,
          "CSV with the columns board, model, date and one a measure; or of answers to questions: model, "
          "mode, effort, ratio_bucket, correct, benchmark.json, or what 'board import' wrote")
      ->required();
  table.add_option("--board", options.board, "Only the board of this name");
  table.add_option("--by", options.measure,
                   "Measure to rank by; higher is better (default: dice, else the first)");
  table.add_option("--best-per-team", options.team_columns,
                   "Columns that name the team: only a team's best entry is ranked");
  table
      .add_option("--team-prefix", options.team_prefixes,
                  "Models that begin with one of these are of one team, ranked once")
      ->delimiter(',');
  table.add_option("--display", options.display, "truncate, round or none (default: as the board does)");
  table.add_option("--digits", options.digits, "Digits after the point")
      ->check(Range(0, 15))
      ->capture_default_str();
  table
      .add_option("--cases", options.cases,
                  "Cases of the test split, for answers to questions that do not say it themselves")
      ->check(Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  table.add_flag("--json", options.json, "Print as JSON");
  options.verb = table;
}

}  // namespace

Command board_command() {
  return {.name = "board",
          .summary = "Rank leaderboards, add scores to them, import and export",
          .example = "fiducial board table leaderboard.csv --best-per-team submitter",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<BoardOptions>();
            auto answers = std::make_shared<AnswerBoardOptions>();
            verb.require_subcommand();
            define_table(verb.add_subcommand("table", "Print boards of a CSV file as ranked tables"),
                         *options);
            const Verb imported = verb.add_subcommand(
                "import", "Import published results of MedThinkVQA, with notes on contradictions");
            auto added = std::make_shared<BoardAddOptions>();
            const Verb add = verb.add_subcommand("add", "Add score folders to a board's CSV file");
            define_board_add(add, *added);
            const Verb exported = verb.add_subcommand("export", "Write the leaderboard's own benchmark.json");
            define_board_import(imported, *answers);
            define_board_export(exported, *answers);
            return [options, answers, added, add, imported, exported](Console& console) {
              if (add.parsed()) return add_to_board(*added, console);
              if (imported.parsed()) return import_board(*answers, console);
              if (exported.parsed()) return export_board(*answers, console);
              return print_tables(*options, console);
            };
          }};
}

}  // namespace fiducial::cli
