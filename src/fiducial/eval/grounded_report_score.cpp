#include "fiducial/eval/grounded_report_score.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/mask_file.h"
#include "fiducial/eval/grounded_references.h"
#include "fiducial/eval/mask_places.h"
#include "fiducial/metrics/dice_formula.h"
#include "fiducial/spatial/overlap.h"

namespace fiducial {

namespace {

// What scoring a case gives.
struct ReportScore {
  double reference_facts = 0;
  double predicted_facts = 0;
  double matched = 0;
  double grounded = 0;
  double aligned = 0;
  double dice = 0;
  double measured = 0;  // matched facts that have a Dice
  bool is_missing = false;
  std::int64_t without_facts = 0;  // reference sentences that no rule reads a fact from
  std::vector<HashedFile> reference_files;
  std::vector<HashedFile> prediction_files;
  std::optional<Digest> organs;
  std::vector<TaskRemark> remarks;
};

// The masks of a case's sentences; none where they cannot be compared.
struct SentenceMasks {
  std::vector<LabelMap> channels;
};

std::vector<std::vector<double>> dice_table(const std::vector<GroundedSentence>& reference,
                                            const SentenceMasks& truth,
                                            const std::vector<GroundedSentence>& prediction,
                                            const SentenceMasks& predicted) {
  std::vector<std::vector<double>> out(reference.size(), std::vector<double>(prediction.size()));
  for (std::size_t r = 0; r < reference.size(); ++r) {
    const auto wanted = static_cast<std::size_t>(reference[r].channel.value_or(-1));
    if (wanted >= truth.channels.size()) continue;
    const Mask mask = truth.channels[wanted].foreground();
    for (std::size_t p = 0; p < prediction.size(); ++p) {
      const auto said = static_cast<std::size_t>(prediction[p].channel.value_or(-1));
      if (said >= predicted.channels.size()) continue;
      const Result<Overlap> shared = overlap(mask, predicted.channels[said].foreground());
      if (!shared.ok() || shared->reference + shared->prediction == 0) continue;
      out[r][p] = exact_dice(*shared);
    }
  }
  return out;
}

// Scores cases one by one; safe from several threads.
class ReportScorer {
 public:
  ReportScorer(const GroundedReports& reports, const PredictionFiles& files, const GroundedDataset* dataset,
               OrganMasks* organs)
      : reports_(reports), files_(files), dataset_(dataset), organs_(organs) {}

  Result<ReportScore> score(const ReferenceReport& reference, const GroundedCase* entry) const {
    ReportScore out;
    const auto found = reports_.by_case.find(reference.name);
    out.is_missing = found == reports_.by_case.end();
    if (out.is_missing) out.remarks.push_back({reference.name, "missing", "no report"});
    const std::vector<GroundedSentence> nothing;
    const std::vector<GroundedSentence>& said = out.is_missing ? nothing : found->second;
    FactFinder finder;
    const std::vector<ReportFact> wanted_facts = finder.facts(reference.sentences);
    const std::vector<ReportFact> said_facts = finder.facts(said);
    std::vector<std::vector<double>> dice;
    SentenceMasks truth;
    if (entry != nullptr) {
      FIDUCIAL_TRY(truth, read_truth(*entry, out));
    }
    const SentenceMasks predicted = entry != nullptr || organs_ != nullptr
                                        ? read_prediction(reference.name, truth, said, out)
                                        : SentenceMasks{};
    if (entry != nullptr) dice = dice_table(reference.sentences, truth, said, predicted);
    std::vector<bool> has_fact(reference.sentences.size());
    for (const ReportFact& fact : wanted_facts) has_fact[fact.sentence] = true;
    out.without_facts = std::count(has_fact.begin(), has_fact.end(), false);
    out.reference_facts = static_cast<double>(wanted_facts.size());
    out.predicted_facts = static_cast<double>(said_facts.size());
    const std::vector<FactMatch> matches = match_facts(wanted_facts, said_facts, dice);
    const PlacedReport placed{said, said_facts, predicted};
    const std::vector<ReportFact> no_facts;
    const std::vector<ReportFact>& held_against = entry != nullptr ? no_facts : wanted_facts;
    FIDUCIAL_TRY(const CaseMasks organs, organs_of(reference.name, matches, placed, held_against));
    out.organs = organs.digest();
    for (const FactMatch& match : matches) {
      const ReportFact& fact = said_facts[match.prediction];
      const LabelMap* mask = organs.empty() ? nullptr : placed.mask_of(fact);
      out.matched += 1;
      out.aligned += match.shares_region ? aligned_share(mask, fact, organs) : 0;
      if (entry != nullptr) {
        out.measured += 1;
        out.dice += match.dice;
        out.grounded += match.dice >= least_grounded_dice ? 1 : 0;
        continue;
      }
      const auto fit = mask == nullptr
                           ? std::nullopt
                           : fit_to_places(mask->foreground(), wanted_facts[match.reference], organs);
      out.measured += fit ? 1 : 0;
      out.dice += fit ? fit->dice : 0;
      out.grounded += (fit ? fit->is_in_place() : match.shares_region) ? 1 : 0;
    }
    return out;
  }

 private:
  // What a report says, and where.
  struct PlacedReport {
    const std::vector<GroundedSentence>& sentences;
    const std::vector<ReportFact>& facts;
    const SentenceMasks& masks;

    const LabelMap* mask_of(const ReportFact& fact) const {
      const auto channel = static_cast<std::size_t>(sentences[fact.sentence].channel.value_or(-1));
      return channel < masks.channels.size() ? &masks.channels[channel] : nullptr;
    }
  };

  // A matched fact is aligned as far as its mask lies in the places it names, or wholly where there is no
  // mask of it or of these places; and not at all where it names no region of the reference.
  static double aligned_share(const LabelMap* mask, const ReportFact& fact, const CaseMasks& organs) {
    const auto fit = mask == nullptr ? std::nullopt : fit_to_places(mask->foreground(), fact, organs);
    return fit ? fit->share : 1;
  }

  // Masks of the places that matched facts with a mask name, and of those of the reference they are held
  // against.
  Result<CaseMasks> organs_of(const std::string& name, const std::vector<FactMatch>& matches,
                              const PlacedReport& said, const std::vector<ReportFact>& held_against) const {
    std::vector<std::string> wanted;
    for (const FactMatch& match : matches) {
      const ReportFact& fact = said.facts[match.prediction];
      if (said.mask_of(fact) == nullptr) continue;
      if (match.shares_region) {
        for (const std::string& place : fact.places) wanted.emplace_back(node_of(place));
      }
      if (held_against.empty()) continue;
      for (const std::string& place : held_against[match.reference].places)
        wanted.emplace_back(node_of(place));
    }
    if (organs_ == nullptr || wanted.empty()) return CaseMasks();
    return organs_->read(name, wanted).context("reading organ masks of " + name);
  }

  Result<SentenceMasks> read_truth(const GroundedCase& entry, ReportScore& out) const {
    FIDUCIAL_TRY(StoredFile stored, dataset_->open_mask(entry));
    MaskRead read = read_mask_file(std::move(stored), std::nullopt);
    const std::string name = dataset_->mask_name(entry);
    FIDUCIAL_TRY(MaskFile mask, std::move(read.mask).in_file((dataset_->folder() / name).string()));
    out.reference_files.push_back({name, *read.digest});
    return SentenceMasks{std::move(mask.channels)};
  }

  // A mask that cannot be used is told of, and counts as none.
  SentenceMasks read_prediction(const std::string& name, const SentenceMasks& truth,
                                const std::vector<GroundedSentence>& said, ReportScore& out) const {
    const bool has_masks =
        std::any_of(said.begin(), said.end(), [](const auto& each) { return each.channel.has_value(); });
    if (!has_masks) return {};
    const auto refuse = [&](const std::string& why) {
      out.remarks.push_back({name, "mask_unusable", why});
      return SentenceMasks{};
    };
    if (!files_.has(name)) return refuse("sentences name channels, but there is no mask file of the case");
    Result<StoredFile> stored = files_.open_file(name);
    if (!stored.ok()) return refuse(stored.error().message());
    MaskRead read = read_mask_file(*std::move(stored), std::nullopt);
    if (read.digest) out.prediction_files.push_back({name, *read.digest});
    if (!read.mask.ok()) return refuse(read.mask.error().message());
    if (read.mask->values.fractional > 0 || read.mask->values.not_finite > 0)
      return refuse("values are not integers; expected a mask, found probabilities");
    if (!truth.channels.empty() && read.mask->shape.extent != truth.channels.front().extent())
      return refuse("the mask lies on another grid than the reference");
    for (const GroundedSentence& sentence : said) {
      if (sentence.channel.value_or(0) >= read.mask->shape.channels) {
        out.remarks.push_back({name, "mask_unusable",
                               "channel " + decimal(*sentence.channel) + " of " +
                                   decimal(read.mask->shape.channels) + " is not there"});
      }
    }
    return {std::move(read.mask->channels)};
  }

  const GroundedReports& reports_;
  const PredictionFiles& files_;
  const GroundedDataset* dataset_;
  OrganMasks* organs_;
};

// The measures of all cases; a case is one unit.
TaskScores fact_scores(const std::vector<ReportScore>& scores, bool has_masks) {
  TaskScores out{.task = grounded_report_task,
                 .absence = "no fact is stated",
                 .counts = UnitValues(scores.size()),
                 .failed = UnitValues(scores.size())};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    out.counts[i] = 1;
    out.failed[i] = scores[i].is_missing ? 1 : 0;
  }
  using Part = double (*)(const ReportScore&);
  const auto add = [&](const char* id, Part sum, Part weight) {
    TaskMeasure& measure = out.add(id, id, true);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      measure.sums[i] = sum(scores[i]);
      measure.weights[i] = weight(scores[i]);
    }
  };
  const Part matched = [](const ReportScore& each) { return each.matched; };
  const Part grounded = [](const ReportScore& each) { return each.grounded; };
  const Part said = [](const ReportScore& each) { return each.predicted_facts; };
  const Part wanted = [](const ReportScore& each) { return each.reference_facts; };
  const Part both = [](const ReportScore& each) { return each.predicted_facts + each.reference_facts; };
  add("fact_precision", matched, said);
  add("fact_recall", matched, wanted);
  add(
      "fact_f1", [](const ReportScore& each) { return 2 * each.matched; }, both);
  const bool is_measured =
      std::any_of(scores.begin(), scores.end(), [](const ReportScore& each) { return each.measured > 0; });
  if (has_masks || is_measured)
    add(
        "matched_fact_dice", [](const ReportScore& each) { return each.dice; },
        [](const ReportScore& each) { return each.measured; });
  add("grounded_precision", grounded, said);
  add("grounded_recall", grounded, wanted);
  add(
      "grounded_f1", [](const ReportScore& each) { return 2 * each.grounded; }, both);
  add(
      "region_alignment", [](const ReportScore& each) { return each.aligned; }, matched);
  return out;
}

// Every case has a row, whatever was predicted: folders that are compared have rows of the same cases.
TaskScores answered_scores(const std::vector<ReportScore>& scores) {
  TaskScores out{.task = "answered",
                 .absence = "no case",
                 .counts = UnitValues(scores.size()),
                 .failed = UnitValues(scores.size())};
  TaskMeasure& share = out.add("answered", "answered");
  for (std::size_t i = 0; i < scores.size(); ++i) {
    out.counts[i] = 1;
    share.sums[i] = scores[i].is_missing ? 0 : 1;
  }
  return out;
}

void add_totals(const std::vector<ReportScore>& scores, std::int64_t unknown_cases, TaskRun& run) {
  ReportScore all;
  for (const ReportScore& each : scores) {
    all.reference_facts += each.reference_facts;
    all.predicted_facts += each.predicted_facts;
    all.matched += each.matched;
    all.without_facts += each.without_facts;
    run.failures += each.is_missing ? 1 : 0;
    run.dataset_files.insert(run.dataset_files.end(), each.reference_files.begin(),
                             each.reference_files.end());
    run.prediction_files.insert(run.prediction_files.end(), each.prediction_files.begin(),
                                each.prediction_files.end());
    run.remarks.insert(run.remarks.end(), each.remarks.begin(), each.remarks.end());
  }
  run.questions = static_cast<std::int64_t>(scores.size());
  run.counts = Json::object({{"cases", run.questions},
                             {"missing", run.failures},
                             {"reference_facts", static_cast<std::int64_t>(all.reference_facts)},
                             {"predicted_facts", static_cast<std::int64_t>(all.predicted_facts)},
                             {"matched_facts", static_cast<std::int64_t>(all.matched)},
                             {"references_without_facts", all.without_facts},
                             {"unknown_cases", unknown_cases}});
}

}  // namespace

Result<TaskRun> score_grounded_reports(const TableScoreRequest& request, const Executor& executor) {
  if (!request.metrics.empty())
    return bad_usage("--metrics: grounded reports are always scored by all of theirs");
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(request.predictions));
  if (!files.has(grounded_reports_file)) {
    return Error(ErrorCode::invalid_data, std::string("expected ") + grounded_reports_file + ", found none",
                 Place{.path = request.predictions.string()});
  }
  FIDUCIAL_TRY(StoredFile stored, files.open_file(grounded_reports_file));
  FIDUCIAL_TRY(const GroundedReports reports, read_grounded_reports(std::move(stored)));
  FIDUCIAL_TRY(const ReferenceReports references, read_references(request));
  std::vector<ReportScore> scores(references.reports.size());
  FIDUCIAL_TRY(const std::unique_ptr<OrganMasks> organs, OrganMasks::find(request.dataset));
  const ReportScorer scorer(reports, files, references.dataset.get(), organs.get());
  FIDUCIAL_TRY_DONE(
      executor.for_each(static_cast<std::int64_t>(scores.size()), [&](std::int64_t at) -> Outcome {
        const auto i = static_cast<std::size_t>(at);
        FIDUCIAL_TRY(scores[i], scorer.score(references.reports[i],
                                             references.cases.empty() ? nullptr : &references.cases[i]));
        return done();
      }));
  Path predictions = request.predictions;
  if (!predictions.has_filename()) predictions = predictions.parent_path();
  TaskRun run{.benchmark = references.benchmark,
              .task = grounded_report_task,
              .split = references.split,
              .system = request.system.value_or(predictions.stem().string()),
              .seed = request.seed,
              .resamples = request.resamples,
              .dataset_file = references.dataset_file,
              .dataset_files = references.files,
              .predictions_file = predictions.filename().string(),
              .prediction_files = {{grounded_reports_file, reports.digest}},
              .part_kind = "region",
              .parts = {"whole scan"}};
  std::int64_t unknown = static_cast<std::int64_t>(reports.by_case.size());
  for (const ReferenceReport& report : references.reports) {
    run.units.push_back({static_cast<std::uint32_t>(run.cases.size()), 0});
    const std::optional<Digest>& organs_read = scores[run.cases.size()].organs;
    if (organs_read) run.masks.push_back({report.name, organs_read, std::nullopt});
    run.cases.push_back({report.name, report.patient});
    unknown -= reports.by_case.contains(report.name) ? 1 : 0;
  }
  run.tasks = {fact_scores(scores, !references.cases.empty()), answered_scores(scores)};
  add_totals(scores, unknown, run);
  if (unknown > 0) {
    run.remarks.push_back(
        {grounded_reports_file, "unknown_cases", decimal(unknown) + " reports of no case of the split"});
  }
  return run;
}

}  // namespace fiducial
