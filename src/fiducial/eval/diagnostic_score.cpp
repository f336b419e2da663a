#include "fiducial/eval/diagnostic_score.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/eval/diagnostic_predictions.h"
#include "fiducial/eval/reply_cleanup.h"
#include "fiducial/table/parquet.h"
#include "fiducial/text/rouge.h"

namespace fiducial {

namespace {

constexpr const char* output_marker = "plan.json";  // what an earlier output folder is known by

ExtractedAnswer answer_of(const std::string& reply, const DiagnosticCase& entry, Scorer scorer) {
  const std::string_view text = trimmed(reply);
  if (text.size() == 1 && DiagnosticCase::letters.find(text[0]) != std::string_view::npos) {
    return {text[0], AnswerRule::letter};
  }
  return extract_answer(cleaned_reply(reply, scorer), entry.options);
}

// Adds one text of a step; a case without a reference has nothing to compare.
void add_text(RougeSums& sums, RougeWords& words, const std::string& reference,
              const std::string* prediction) {
  if (reference.empty()) return;
  ++sums.texts;
  if (prediction == nullptr || prediction->empty()) {
    ++sums.absent;
    return;
  }
  const RougeScores scores = rouge(words, reference, *prediction);
  const double f1[] = {scores.rouge_1.f1, scores.rouge_2.f1, scores.rouge_l.f1, scores.rouge_lsum.f1};
  for (std::size_t i = 0; i < sums.f1.size(); ++i) sums.f1[i] += f1[i];
}

void score_steps(DiagnosticScore& out, RougeWords& words, const std::optional<ThinkingSteps>& steps) {
  const std::vector<CaseImage>& images = out.entry.images;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const bool is_there = steps && i < steps->findings.size();
    add_text(out.steps[0], words, images[i].caption, is_there ? &steps->findings[i] : nullptr);
  }
  add_text(out.steps[1], words, out.entry.findings, steps ? &steps->summary : nullptr);
  if (steps && steps->findings.size() != images.size()) {
    out.steps_remark = "expected " + decimal(images.size()) + " per-image findings, found " +
                       decimal(steps->findings.size());
  }
}

DiagnosticScore scored(const DiagnosticCase& entry, const DiagnosticPrediction* prediction) {
  DiagnosticScore out{.entry = entry};
  out.is_missing = prediction == nullptr;
  if (out.is_missing || !prediction->reply) return out;
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    out.answers[static_cast<std::size_t>(scorer)] = answer_of(*prediction->reply, entry, scorer);
  }
  return out;
}

}  // namespace

std::int64_t DiagnosticRun::missing() const {
  return std::count_if(cases.begin(), cases.end(),
                       [](const DiagnosticScore& each) { return each.is_missing; });
}

std::int64_t DiagnosticRun::invalid(Scorer scorer) const {
  return std::count_if(cases.begin(), cases.end(), [scorer](const DiagnosticScore& each) {
    return !each.is_missing && !each.answer(scorer).letter;
  });
}

Result<DiagnosticRun> score_diagnostic_run(const DiagnosticScoreRequest& request) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  if (adapter->open_diagnostic == nullptr) {
    return bad_usage(request.dataset.string() + ": " + adapter->id + " asks no questions, which this needs");
  }
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosticDataset> dataset, adapter->open_diagnostic(request.dataset));
  FIDUCIAL_TRY(const std::string name, choose_split(*dataset, request.split));
  FIDUCIAL_TRY(const DiagnosticPredictions predictions, read_diagnostic_predictions(request.predictions));
  FIDUCIAL_TRY(const DiagnosticSplit split, dataset->read_split(name));
  DiagnosticRun out{.benchmark = adapter->id,
                    .split = name,
                    .system = request.system.value_or(request.predictions.stem().string()),
                    .mode = request.mode,
                    .seed = request.seed,
                    .dataset_file = split.file,
                    .dataset_digest = split.digest,
                    .predictions_file = predictions.file,
                    .predictions_digest = predictions.digest};
  for (const auto& [number, prediction] : predictions.by_number)
    out.has_steps |= prediction.steps.has_value();
  RougeWords words(Stemming::porter);
  std::set<std::int64_t> known;
  for (const DiagnosticCase& entry : split.cases) {
    known.insert(entry.number);
    const auto found = predictions.by_number.find(entry.number);
    const DiagnosticPrediction* prediction = found == predictions.by_number.end() ? nullptr : &found->second;
    out.cases.push_back(scored(entry, prediction));
    if (!out.has_steps) continue;
    score_steps(out.cases.back(), words, prediction == nullptr ? std::nullopt : prediction->steps);
  }
  for (const auto& [number, prediction] : predictions.by_number) {
    if (!known.contains(number)) out.unknown.push_back("Case number " + decimal(number));
  }
  return out;
}

Result<Json> write_scores(const DiagnosticRun& run, const Path& folder, bool overwrite) {
  FIDUCIAL_TRY(StagedFolder staged, StagedFolder::create(folder, output_marker, overwrite));
  const std::string plan = plan_json(run).pretty();
  Json summary = summary_json(run, sha256(as_bytes(plan)));
  FIDUCIAL_TRY_DONE(write_file(staged.staging() / "plan.json", plan));
  FIDUCIAL_TRY_DONE(write_file(staged.staging() / "summary.json", summary.pretty()));
  FIDUCIAL_TRY_DONE(write_parquet(staged.staging() / "rows.parquet", rows_table(run)));
  FIDUCIAL_TRY_DONE(staged.publish());
  return summary;
}

}  // namespace fiducial
