#include "board_add.h"

#include <optional>

#include "fiducial/base/file.h"
#include "fiducial/base/number_text.h"
#include "fiducial/board/board_file.h"

namespace fiducial::cli {

namespace {

Result<BoardRow> row_of(const std::string& scores) {
  const std::string file = (Path(scores) / "summary.json").string();
  FIDUCIAL_TRY(const std::string text, read_text_file(file).in_file(file));
  FIDUCIAL_TRY(const Json summary, parse_json(text).in_file(file));
  return board_row(summary).in_file(file);
}

}  // namespace

void define_board_add(Verb subcommand, BoardAddOptions& options) {
  subcommand.add_option("SCORES", options.scores, "Folders that 'fiducial score' wrote, of any task")
      ->required();
  subcommand.add_option("-o,--output", options.output, "CSV file of the board; made where there is none")
      ->required();
  subcommand.add_option("--model", options.model,
                        "Name of the entry (default: the system's; one folder only)");
  subcommand.add_option("--date", options.date, "Date of the entry, e.g. 2026-11-18");
  subcommand.add_flag("--overwrite", options.overwrite, "Replace rows of the same board and model");
  subcommand.footer("Example:\n  fiducial board add scores/ours scores/theirs -o board.csv");
}

Result<int> add_to_board(const BoardAddOptions& options, Console& console) {
  if (!options.model.empty() && options.scores.size() > 1)
    return bad_usage("--model names one entry; give one folder of scores");
  std::vector<BoardRow> rows;
  for (const std::string& scores : options.scores) {
    FIDUCIAL_TRY(BoardRow row, row_of(scores));
    if (!options.model.empty()) row.model = options.model;
    row.date = options.date;
    rows.push_back(std::move(row));
  }
  std::optional<CsvTable> board;
  if (is_file(options.output)) {
    FIDUCIAL_TRY(board, read_csv(options.output));
  }
  FIDUCIAL_TRY(const std::string text, with_board_rows(board, rows, options.overwrite));
  FIDUCIAL_TRY_DONE(write_file(options.output, text));
  const auto& measures = rows.front().measures;
  const std::string measure = measures.empty() ? "MEASURE" : measures.front().first;
  console.print(options.output + ": " + decimal(rows.size()) + (rows.size() == 1 ? " entry" : " entries") +
                " added; 'fiducial board table " + options.output + " --by " + measure + "' ranks them\n");
  return 0;
}

}  // namespace fiducial::cli
