#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/stats/bootstrap.h"
#include "fiducial/table/csv.h"

namespace fiducial {

// How a run id names its run: model, whether and how hard it thought, and which share of images it saw.
struct RunLabel {
  std::string model;
  std::string mode;          // "Thinking", "Non-thinking" or "Unspecified"
  std::string effort;        // "xhigh" ... "minimal", "standard" or "N/A"
  std::string ratio_bucket;  // "ratio100" or "no-ratio"

  friend bool operator==(const RunLabel&, const RunLabel&) = default;
};

// By the grammar of MedThinkVQA's leaderboard:
// (api|vllm)-<model>[-<effort>thinking|-effort-<effort>|-thinking|-nonthinking|-nothinking][-qmode][-ratio<N>][-acc].
RunLabel run_label(std::string_view run_id);
// How much of a case's images a run saw: "60 %" by "ratio60", "100 %" where nothing is said.
std::string image_share(const RunLabel& run);
// Runs that saw a part of the images are left out: an id has ratio100 or no ratio at all.
bool is_full_run(std::string_view run_id);

// One result: how many of the board's cases were answered right.
struct AnswerEntry {
  RunLabel run;
  std::int64_t correct = 0;
  std::vector<std::string> notes;  // where published sources contradict each other
};

// Results on one test split, in the order of their file.
struct AnswerBoard {
  std::int64_t cases = 720;
  std::vector<AnswerEntry> entries;
  std::vector<std::string> notes;  // about the board as a whole, and about its order
};

// The published rows: columns model, mode, effort, ratio_bucket and correct. What is known to contradict them
// is attached as notes, and entries that stand against the order of accuracies are named.
Result<AnswerBoard> answer_board_from_csv(const CsvTable& table, std::int64_t cases);
// The same from the leaderboard's own benchmark.json, whose accuracies are counts over the cases.
Result<AnswerBoard> parse_benchmark_json(const Json& document, std::int64_t cases);
// Reads answer_board_json back.
Result<AnswerBoard> parse_answer_board(const Json& document);

// An entry in its place. Tie groups hold entries whose 95 % Wilson interval reaches that of the best of the
// group.
struct RankedAnswer {
  const AnswerEntry* entry = nullptr;
  std::size_t rank = 1;
  bool tied = false;
  std::size_t tie_group = 1;
  double accuracy = 0;
  Interval wilson95;
};
// Best first; the board must outlive it.
std::vector<RankedAnswer> ranked(const AnswerBoard& board);

// Schema fiducial.answer_board/1.
Json answer_board_json(const AnswerBoard& board, const std::string& source, const Digest& digest);

// A line of the leaderboard's own file.
struct GeneratedEntry {
  RunLabel run;
  double accuracy = 0;
};

// Rows with an empty id or without a number are skipped and counted, and so are partial runs.
struct GeneratedEntries {
  std::vector<GeneratedEntry> entries;
  std::int64_t skipped = 0;
  std::int64_t partial = 0;
};

// From runs and their accuracies (columns model and newacc), best first. Unless official, accuracies that are
// outside of 0 to 1 are refused with their line.
Result<GeneratedEntries> generated_entries(const CsvTable& table, bool official);
std::vector<GeneratedEntry> generated_entries(const AnswerBoard& board);

// benchmark.json as the published generator writes it, byte for byte.
std::string benchmark_json(const std::vector<GeneratedEntry>& entries, const std::string& source_csv,
                           const std::string& generated_at);

}  // namespace fiducial
