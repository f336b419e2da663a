#include "board_answers.h"

#include <algorithm>
#include <ctime>

#include "fiducial/base/file.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/board/answer_board.h"
#include "fiducial/terminal/text_table.h"

namespace fiducial::cli {

namespace {

bool is_document(const std::string& text) { return text.find_first_not_of(" \t\r\n") == text.find('{'); }

struct ReadBoard {
  AnswerBoard board;
  Digest digest;
};

Result<ReadBoard> read_board(const std::string& file, std::int64_t cases) {
  FIDUCIAL_TRY(const std::string text, read_text_file(file));
  const Digest digest = sha256(as_bytes(text));
  if (is_document(text)) {
    FIDUCIAL_TRY(const Json document, parse_json(text).in_file(file));
    const bool is_ours = document.find("schema") != nullptr;
    FIDUCIAL_TRY(
        AnswerBoard board,
        (is_ours ? parse_answer_board(document) : parse_benchmark_json(document, cases)).in_file(file));
    return ReadBoard{std::move(board), digest};
  }
  FIDUCIAL_TRY(const CsvTable table, parse_csv(text).in_file(file));
  FIDUCIAL_TRY(AnswerBoard board, answer_board_from_csv(table, cases).in_file(file));
  return ReadBoard{std::move(board), digest};
}

std::string file_name(const std::string& file) { return Path(file).filename().string(); }

std::string percent(double share) { return fixed(share * 100, 2); }

std::string board_text(const AnswerBoard& board, std::size_t width) {
  using Align = TextTable::Align;
  TextTable table({Align::right, Align::left, Align::left, Align::left});
  // Shares of the images have a column where any run says its own.
  const bool has_shares =
      std::any_of(board.entries.begin(), board.entries.end(),
                  [](const AnswerEntry& each) { return each.run.ratio_bucket != "no-ratio"; });
  const auto with_share = [has_shares](std::vector<std::string> cells, std::string share) {
    constexpr std::ptrdiff_t after_effort = 4;
    if (has_shares) cells.insert(cells.begin() + after_effort, std::move(share));
    return cells;
  };
  table.add_header(with_share(
      {"rank", "model", "mode", "effort", "correct", "%", "95 % Wilson", "ties", "notes"}, "images"));
  std::vector<std::string> notes;
  for (const RankedAnswer& each : ranked(board)) {
    std::string marks;
    for (const std::string& note : each.entry->notes) {
      notes.push_back(each.entry->run.model + " " + each.entry->run.mode + " " + each.entry->run.effort +
                      ": " + note);
      append_joined(marks, decimal(notes.size()), ",");
    }
    table.add(
        with_share({(each.tied ? "=" : "") + decimal(each.rank), each.entry->run.model, each.entry->run.mode,
                    each.entry->run.effort, decimal(each.entry->correct), percent(each.accuracy),
                    percent(each.wilson95.low) + " - " + percent(each.wilson95.high),
                    "group " + decimal(each.tie_group), marks},
                   image_share(each.entry->run)));
  }
  notes.insert(notes.end(), board.notes.begin(), board.notes.end());
  std::string out = "medthinkvqa: " + decimal(board.entries.size()) + " results on " + decimal(board.cases) +
                    " cases; entries of a group cannot be told from its best by their intervals\n" +
                    table.text("  ", width);
  for (std::size_t i = 0; i < notes.size(); ++i) out += "  [" + decimal(i + 1) + "] " + notes[i] + "\n";
  return out;
}

// Coordinated universal time to the second: 2026-01-31T12:00:00Z.
std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

Outcome refuse_existing(const AnswerBoardOptions& options) {
  if (!std::filesystem::exists(options.output) || options.overwrite) return done();
  return bad_usage(options.output + " exists; --overwrite replaces it");
}

// The entries of a file of runs, or of a board in its own order.
Result<std::vector<GeneratedEntry>> entries_of(const AnswerBoardOptions& options, Console& console) {
  FIDUCIAL_TRY(const std::string text, read_text_file(options.file));
  if (!is_document(text)) {
    FIDUCIAL_TRY(const CsvTable table, parse_csv(text).in_file(options.file));
    if (table.find_column("newacc")) {
      FIDUCIAL_TRY(GeneratedEntries found,
                   generated_entries(table, options.mode == "official").in_file(options.file));
      if (found.skipped > 0)
        console.warn(decimal(found.skipped) + " rows without an id or an accuracy were skipped");
      if (found.partial > 0)
        console.note(decimal(found.partial) + " runs that saw a part of the images were left out");
      return std::move(found.entries);
    }
  }
  FIDUCIAL_TRY(const ReadBoard read, read_board(options.file, options.cases));
  for (const std::string& note : read.board.notes) console.warn(note);
  return generated_entries(read.board);
}

}  // namespace

void define_board_import(Verb subcommand, AnswerBoardOptions& options) {
  subcommand
      .add_option("FILE", options.file,
                  "CSV with the columns model, mode, effort, ratio_bucket, correct; or benchmark.json")
      ->required();
  subcommand.footer("Example:\n  fiducial board import medthinkvqa.csv -o board.json");
  subcommand.add_option("-o,--output", options.output, "File to write the board to, as JSON")->required();
  subcommand.add_option("--cases", options.cases, "Cases of the test split")
      ->check(Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  subcommand.add_flag("--overwrite", options.overwrite, "Replace an earlier file");
}

void define_board_export(Verb subcommand, AnswerBoardOptions& options) {
  subcommand
      .add_option(
          "FILE", options.file,
          "CSV of runs (model, newacc), CSV of published rows, benchmark.json, or what 'board import' wrote")
      ->required();
  subcommand.footer("Example:\n  fiducial board export board.json -o benchmark.json");
  subcommand.add_option("-o,--output", options.output, "benchmark.json to write")->required();
  subcommand.add_option("--source-csv", options.source_csv, "What to name as its source (default: FILE)");
  subcommand.add_option("--generated-at", options.generated_at, "Time to write (default: now, UTC)");
  subcommand
      .add_option("--mode", options.mode, "strict refuses accuracies outside of 0 to 1, official takes them")
      ->one_of({"strict", "official"})
      ->capture_default_str();
  subcommand.add_option("--cases", options.cases, "Cases of the test split")
      ->check(Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  subcommand.add_flag("--overwrite", options.overwrite, "Replace an earlier file");
}

Result<bool> is_answer_board(const std::string& file) {
  FIDUCIAL_TRY(const std::string text, read_text_file(file));
  if (is_document(text)) return true;
  const Result<CsvTable> table = parse_csv(text);
  return table.ok() && table->find_column("correct") && table->find_column("ratio_bucket");
}

Result<int> print_answer_board(const AnswerBoardOptions& options, Console& console) {
  FIDUCIAL_TRY(const ReadBoard read, read_board(options.file, options.cases));
  if (options.json) {
    console.print(answer_board_json(read.board, file_name(options.file), read.digest).pretty());
  } else {
    console.show(board_text(read.board, console.width()));
  }
  return 0;
}

Result<int> import_board(const AnswerBoardOptions& options, Console& console) {
  FIDUCIAL_TRY_DONE(refuse_existing(options));
  FIDUCIAL_TRY(const ReadBoard read, read_board(options.file, options.cases));
  const Json document = answer_board_json(read.board, file_name(options.file), read.digest);
  FIDUCIAL_TRY_DONE(write_file(options.output, document.pretty()));
  for (const std::string& note : read.board.notes) console.warn(note);
  console.print(options.output + ": " + decimal(read.board.entries.size()) + " results\n");
  return 0;
}

Result<int> export_board(const AnswerBoardOptions& options, Console& console) {
  FIDUCIAL_TRY_DONE(refuse_existing(options));
  FIDUCIAL_TRY(const std::vector<GeneratedEntry> entries, entries_of(options, console));
  const std::string text =
      benchmark_json(entries, options.source_csv.empty() ? options.file : options.source_csv,
                     options.generated_at.empty() ? now_text() : options.generated_at);
  FIDUCIAL_TRY_DONE(write_file(options.output, text));
  console.print(options.output + ": " + decimal(entries.size()) + " entries\n");
  return 0;
}

}  // namespace fiducial::cli
