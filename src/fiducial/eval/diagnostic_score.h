#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/datasets/diagnostic_dataset.h"
#include "fiducial/eval/diagnostic_predictions.h"
#include "fiducial/eval/discussion_ratings.h"
#include "fiducial/eval/plan.h"
#include "fiducial/eval/radcliq_components.h"
#include "fiducial/eval/score.h"
#include "fiducial/eval/step_verdicts.h"
#include "fiducial/table/table.h"
#include "fiducial/text/answer_extraction.h"
#include "fiducial/text/bleu.h"
#include "fiducial/text/discussion_sections.h"

namespace fiducial {

// A file that a user gave a name.
struct NamedFile {
  std::string name;
  Path path;
};

// What to score and how, as a user asks for it.
struct DiagnosticScoreRequest {
  Path dataset;
  Path predictions;  // JSONL
  std::optional<std::string> split;
  std::optional<std::string> system;  // default: the name of the predictions without its suffix
  ScoreMode mode = ScoreMode::both;
  std::vector<std::string> metrics;   // groups, slots or contract ids; none: what the inputs allow
  std::vector<std::string> group_by;  // kinds of groups; none: all there are
  std::vector<NamedFile> baselines;   // other predictions to show beside the accuracy
  std::optional<Path> components;     // scores that RadCliQ is made of
  std::optional<ComponentProvider> provider;
  std::optional<Path> verdicts;
  std::optional<Path> ratings;
  std::optional<Path> wordnet;        // a WordNet 3 database for METEOR with synonyms, or "auto"
  bool accept_equal_options = false;  // any letter whose text is that of the key is right
  std::uint64_t seed = 0;
  int resamples = 10'000;
};

// All that scoring the answer of one case gives: by strict and by official clean-up of the same reply.
struct DiagnosticScore {
  DiagnosticCase entry;
  std::string right_letters;  // the key; with equal options accepted also theirs
  bool is_missing = false;    // the predictions have no line for it
  std::array<ExtractedAnswer, 2> answers;

  const ExtractedAnswer& answer(Scorer scorer) const { return answers[static_cast<std::size_t>(scorer)]; }
  bool is_correct(Scorer scorer) const {
    const auto letter = answer(scorer).letter;
    return letter && right_letters.find(*letter) != std::string::npos;
  }
  bool is_strictly_correct(Scorer scorer) const {
    return is_correct(scorer) && is_strict(answer(scorer).rule);
  }
};

// One aggregate of a run, a mean or a share: what every case adds to it, beside the run's cases.
struct CaseMeasure {
  std::string slot;
  const MetricContract* contract = nullptr;
  bool is_share_of_cases = false;  // every case is 0 or 1: it has a Wilson interval
  std::string absence;             // why a case has no value
  std::vector<double> sums;
  std::vector<double> counts;  // of what the value is the mean: cases, texts, steps
  std::vector<double> failed;  // of counts: zeros for want of a prediction
  // Where the value is BLEU of all texts together and no mean: what every case adds to it. Such a measure has
  // no rows, and no groups.
  std::shared_ptr<const std::vector<BleuCounts>> corpus;
  int order = 0;
};

// What is odd about a case, or about a prediction for none.
struct DiagnosticRemark {
  std::string title;
  std::string code;
  std::string text;
};

// The steps of a case with their verdicts, by strict and by official rules.
struct JudgedCase {
  std::size_t at = 0;  // its place among the run's cases
  std::array<std::vector<JudgedStep>, 2> steps;
};

// A discussion that a system wrote.
struct WrittenDiscussion {
  std::size_t at = 0;
  Discussion discussion;
};

// What another system reaches without what the question is about.
struct BaselineScore {
  std::string name;
  std::string file;
  Digest digest;
  std::int64_t correct = 0;
  std::int64_t missing = 0;
  std::int64_t invalid = 0;
};

// A further file that went in.
struct InputFile {
  std::string role;  // "components", "verdicts", "ratings", "wordnet"
  std::string name;
  Digest digest;
};

// Everything a finished run knows.
struct DiagnosticRun {
  std::string benchmark;
  std::string split;
  std::string system;
  ScoreMode mode = ScoreMode::both;
  std::vector<std::string> metrics;   // as asked for
  std::vector<std::string> group_by;  // as asked for
  bool accept_equal_options = false;
  std::uint64_t seed = 0;
  int resamples = 10'000;
  std::string dataset_file;
  Digest dataset_digest;
  std::string predictions_file;
  Digest predictions_digest;
  std::vector<InputFile> inputs;
  std::vector<DiagnosticScore> cases;                // by number
  std::array<std::vector<CaseMeasure>, 2> measures;  // by scorer; what both agree in stands with the first
  std::vector<BaselineScore> baselines;
  std::vector<JudgedCase> judged;              // where verdicts were given: one a case
  std::vector<WrittenDiscussion> discussions;  // where any were written
  RatingsByCase ratings;
  std::string
      provided_components;  // what a provider wrote, a record a line; kept, so that the run can be made again
  std::vector<DiagnosticRemark> remarks;
  std::int64_t unknown_cases = 0;  // predictions for no case of the split

  Scorer primary() const { return mode == ScoreMode::official ? Scorer::official : Scorer::strict; }
  std::vector<Scorer> scorers() const;
  std::int64_t missing() const;
  std::int64_t invalid(Scorer scorer) const;  // answered, but with no letter that could be found
};

// Scores every case of a split. A metric that is asked for by name but lacks its inputs is unavailable; with
// "all" its slots say so.
Result<DiagnosticRun> score_diagnostic_run(const DiagnosticScoreRequest& request);

// Cases that share a property, as indices into the run's cases, by kind of property and label.
struct DiagnosticGroup {
  std::string kind;
  std::string label;
  std::vector<std::size_t> members;
};
// Of all kinds, or of those that are wanted; an unknown one is bad usage.
Result<std::vector<DiagnosticGroup>> diagnostic_groups(const std::vector<DiagnosticScore>& cases,
                                                       const std::vector<std::string>& wanted);

// The kind of groups that a case may belong to several of; in rows its labels stand between these.
inline constexpr std::string_view many_labels_kind = "sub_modality";
inline constexpr std::string_view label_separator = "; ";

// Where the answers of a provider are kept in a score folder.
inline constexpr const char* components_file = "components.jsonl";

// The resolved plan with the hashes of its inputs; the summary; one row a case and metric.
Json plan_json(const DiagnosticRun& run);
Result<Json> summary_json(const DiagnosticRun& run, const Digest& plan_digest, const Executor& executor);
Table rows_table(const DiagnosticRun& run);
// One row a judged step, one a sentence of a discussion.
Table steps_table(const DiagnosticRun& run);
Table sentences_table(const DiagnosticRun& run);

// Writes summary.json, plan.json and, unless private, rows.parquet, steps.parquet, sentences.parquet and the
// components.jsonl of a provider: the whole folder appears at once. Returns the summary.
Result<Json> write_scores(const DiagnosticRun& run, const ScoreOutput& output, const Executor& executor);

}  // namespace fiducial
