#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/datasets/diagnostic_dataset.h"
#include "fiducial/text/answer_extraction.h"
#include "fiducial/eval/plan.h"
#include "fiducial/stats/bootstrap.h"
#include "fiducial/table/table.h"

namespace fiducial {

// What to score and how, as a user asks for it.
struct DiagnosticScoreRequest {
  Path dataset;
  Path predictions;  // JSONL
  Path output;
  std::optional<std::string> split;
  std::optional<std::string> system;  // default: the name of the predictions without its suffix
  ScoreMode mode = ScoreMode::both;
  std::uint64_t seed = 0;
  bool overwrite = false;
};

// Mean F1 values of one step of a case: sums over its texts, and how many there are.
struct RougeSums {
  std::array<double, 4> f1{};  // ROUGE-1, 2, L, Lsum
  std::int64_t texts = 0;      // with a reference
  std::int64_t absent = 0;     // of these, without a prediction: zeros
};

// All that scoring one case gives. Answers are by strict and by official clean-up of the same reply.
struct DiagnosticScore {
  DiagnosticCase entry;
  bool is_missing = false;  // the predictions have no line for it
  std::array<ExtractedAnswer, 2> answers;
  std::array<RougeSums, 2> steps;  // per-image findings, summary
  std::string steps_remark;        // what is odd about the texts; may be empty

  const ExtractedAnswer& answer(Scorer scorer) const { return answers[static_cast<std::size_t>(scorer)]; }
  bool is_correct(Scorer scorer) const { return answer(scorer).letter == entry.key; }
  bool is_strictly_correct(Scorer scorer) const {
    return is_correct(scorer) && is_strict(answer(scorer).rule);
  }
};

// Everything a finished run knows.
struct DiagnosticRun {
  std::string benchmark;
  std::string split;
  std::string system;
  ScoreMode mode = ScoreMode::both;
  std::uint64_t seed = 0;
  int resamples = 2000;
  bool has_steps = false;  // any prediction came with texts of its steps
  std::string dataset_file;
  Digest dataset_digest;
  std::string predictions_file;
  Digest predictions_digest;
  std::vector<DiagnosticScore> cases;  // by number
  std::vector<std::string> unknown;    // titles of predictions for no case of the split

  Scorer primary() const { return mode == ScoreMode::official ? Scorer::official : Scorer::strict; }
  std::int64_t missing() const;
  std::int64_t invalid(Scorer scorer) const;  // answered, but with no letter that could be found
};

// Scores every case of a split.
Result<DiagnosticRun> score_diagnostic_run(const DiagnosticScoreRequest& request);

// Cases that share a property, as indices into the run's cases, by kind of property and label.
struct DiagnosticGroup {
  std::string kind;
  std::string label;
  std::vector<std::size_t> members;
};
std::vector<DiagnosticGroup> diagnostic_groups(const std::vector<DiagnosticScore>& cases);

// The resolved plan with the hashes of its inputs; the summary; one row a case and metric.
Json plan_json(const DiagnosticRun& run);
Json summary_json(const DiagnosticRun& run, const Digest& plan_digest);
Table rows_table(const DiagnosticRun& run);

// Writes summary.json, rows.parquet and plan.json: the whole folder appears at once. Returns the summary.
Result<Json> write_scores(const DiagnosticRun& run, const Path& folder, bool overwrite);

}  // namespace fiducial
