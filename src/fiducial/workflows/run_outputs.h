#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fiducial/chat/journal.h"
#include "fiducial/workflows/prepared_run.h"

namespace fiducial {

// What a run says at its end.
struct RunSummary {
  std::int64_t cases = 0;
  std::int64_t items = 0;      // cases, times samples
  std::int64_t answered = 0;   // items with an answer
  std::int64_t failed = 0;     // items that were asked about in vain, or cannot be
  std::int64_t open = 0;       // items with questions that were not asked yet
  std::int64_t in_text = 0;    // answers whose replies kept to no form
  std::int64_t recovered = 0;  // answers whose letter a second turn gave
  std::int64_t overflow = 0;   // of the failed: more images or tokens than the endpoint takes
  std::vector<std::pair<std::string, std::int64_t>> reasons;  // what most failed for, and how many
  Json manifest;
};

// Writes what the journal holds into the run's folder: predictions.jsonl in the form of the benchmark's
// submissions (with several samples the vote, and every sample in samples/), errors.jsonl, manifest.json.
// Equal journals give equal predictions, whatever order replies came in. stopped tells why a run ended early.
struct RunEnd {
  const Journal* replies = nullptr;
  std::string stopped;
  bool asks_again =
      false;  // a question that failed is open: the run stopped for another reason than failures
};
Result<RunSummary> write_run(const PreparedRun& run, const RunEnd& end);

// Names of files in a run's folder.
inline constexpr const char* journal_file = "journal.jsonl";
inline constexpr const char* predictions_file = "predictions.jsonl";
inline constexpr const char* run_manifest_file = "manifest.json";
inline constexpr const char* run_errors_file = "errors.jsonl";

}  // namespace fiducial
