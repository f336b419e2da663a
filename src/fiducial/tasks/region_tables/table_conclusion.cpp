#include "fiducial/tasks/region_tables/table_conclusion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/findings/report_labels.h"
#include "fiducial/tasks/organ_masks/region_masks.h"

namespace fiducial {

namespace {

constexpr int bleu_order_count = static_cast<int>(longest_ngram);

Json corpus_json(const RegionCounts& region) {
  Json out = Json::object({{"n", region.texts}});
  for (int order = 1; order <= bleu_order_count; ++order) {
    out.set("bleu_" + decimal(order), bleu_add_one(region.bleu, order));
  }
  return out;
}

std::int64_t patients_of(const ScoreRun& run) {
  return static_cast<std::int64_t>(run.pooled_units().patient_count);
}

// The fewest patients of any region that has texts.
std::int64_t fewest_of_regions(const ScoreRun& run, const Json& regions) {
  const PooledUnits units = run.pooled_units();
  std::int64_t out = static_cast<std::int64_t>(units.patient_count);
  for (const GroupKind& kind : run.groups) {
    for (const LabelledUnits& group : kind.groups) {
      if (kind.kind != "region" || regions.find(group.label) == nullptr) continue;
      out = std::min(out, static_cast<std::int64_t>(UnitGroup::of(units, group.members).patients.size()));
    }
  }
  return out;
}

void add_corpus(ScoreRun& run, const Json& tallies) {
  const Json* regions = tallies.find("regions");
  if (regions == nullptr || regions->as_object() == nullptr) return;
  RegionCounts all;
  Json by_region = Json::object({});
  std::map<std::string, const Json*> sorted;
  for (const auto& [name, counts] : *regions->as_object()) sorted.emplace(name, &counts);
  for (const auto& [name, counts] : sorted) {
    const RegionCounts region = parse_region_counts(*counts);
    if (region.texts == 0) continue;
    all.bleu += region.bleu;
    all.texts += region.texts;
    by_region.set(name, corpus_json(region));
  }
  const std::int64_t fewest = fewest_of_regions(run, by_region);
  Json corpus = corpus_json(all);
  run.blocks.push_back({"corpus", corpus.set("region", std::move(by_region)), fewest});
}

// What is known of single cases: errors of sizes by row, labels by the volume's number in the split.
struct CaseRecords {
  std::map<std::int64_t, double> errors;
  std::map<std::uint32_t, std::string> patients;  // beside volumes
  std::map<std::uint32_t, VolumeLabels> volumes;
  std::set<std::string> sized;  // patients with a size
};

Result<CaseRecords> read_records(const ScoreRun& run) {
  CaseRecords out;
  for (const RunCase& entry : run.cases) {
    if (entry.evidence.empty()) continue;
    FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
    if (const Json* sizes = evidence.find("sizes"); sizes != nullptr && sizes->as_object() != nullptr) {
      out.sized.insert(entry.patient);
      for (const auto& [row, error] : *sizes->as_object())
        out.errors.emplace(parse_integer(row).value_or(0), error.as_number().value_or(0));
    }
    const Json* labels = evidence.find("labels");
    if (labels == nullptr) continue;
    out.patients.emplace(static_cast<std::uint32_t>(integer_at(*labels, "volume")), entry.patient);
    out.volumes.emplace(static_cast<std::uint32_t>(integer_at(*labels, "volume")),
                        VolumeLabels{static_cast<std::uint32_t>(integer_at(*labels, "wanted")),
                                     static_cast<std::uint32_t>(integer_at(*labels, "said")),
                                     integer_at(*labels, "answered") != 0});
  }
  return out;
}

// The fewest patients that have any one label.
std::int64_t fewest_of_labels(const CaseRecords& records) {
  std::map<std::size_t, std::set<std::string>> by_label;
  for (std::size_t i = 0; i < ct_rate_label_rules().names().size(); ++i) by_label.try_emplace(i);
  for (const auto& [volume, labels] : records.volumes) {
    for (auto& [label, patients] : by_label) {
      if ((labels.wanted >> label & 1U) != 0) patients.insert(records.patients.at(volume));
    }
  }
  std::size_t out = records.volumes.size();
  for (const auto& [label, patients] : by_label) out = std::min(out, patients.size());
  return static_cast<std::int64_t>(out);
}

Json size_block(const CaseRecords& records) {
  double squares = 0;
  for (const auto& [row, error] : records.errors) squares += error * error;
  const auto rows = static_cast<std::int64_t>(records.errors.size());
  const Json rmse = rows > 0 ? Json(std::sqrt(squares / static_cast<double>(rows))) : Json();
  return Json::object({{"n", rows}, {"rmse_mm", rmse}});
}

Json table_block(const Json& facts, const Json& counts) {
  const std::string status = *facts.find("status")->as_string();
  Json out = Json::object({{"status", status}, {"questions", integer_at(counts, "questions")}});
  if (status != "scored") return out;
  return out.set("missing", integer_at(counts, "missing")).set("unknown_rows", integer_at(counts, "unknown"));
}

void remark_table(ScoreRun& run, const Json& facts, const Json& counts) {
  const Json* file = facts.find("file");
  if (file == nullptr) return;
  const std::int64_t missing = integer_at(counts, "missing");
  if (missing > 0) {
    run.remarks.push_back({*file->as_string(), "missing",
                           decimal(missing) + " of " + decimal(integer_at(counts, "questions")) +
                               " questions have no answer and score 0",
                           Remark::Kind::failure});
  }
}

}  // namespace

Json to_json(const RegionCounts& region) {
  Json out = Json::object({{"texts", region.texts},
                           {"prediction_words", region.bleu.prediction_words},
                           {"reference_words", region.bleu.reference_words}});
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    out.set("matches_" + decimal(n), region.bleu.matches.at(n));
    out.set("possible_" + decimal(n), region.bleu.possible.at(n));
    out.set("at_least_one_" + decimal(n), region.bleu.possible_at_least_one.at(n));
  }
  return out;
}

RegionCounts parse_region_counts(const Json& counts) {
  RegionCounts out{.texts = integer_at(counts, "texts")};
  out.bleu.prediction_words = integer_at(counts, "prediction_words");
  out.bleu.reference_words = integer_at(counts, "reference_words");
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    out.bleu.matches.at(n) = integer_at(counts, "matches_" + decimal(n));
    out.bleu.possible.at(n) = integer_at(counts, "possible_" + decimal(n));
    out.bleu.possible_at_least_one.at(n) = integer_at(counts, "at_least_one_" + decimal(n));
  }
  return out;
}

void TableRecord::add_table(const std::string& task, const std::string& status, std::int64_t questions) {
  order_.push_back(task);
  tables_[task] = {.status = status, .questions = questions};
}

void TableRecord::add_answers(const std::string& task, const std::string& file, std::int64_t missing,
                              std::int64_t unknown) {
  TableFacts& facts = tables_.at(task);
  facts.file = file;
  facts.missing = missing;
  facts.unknown = unknown;
}

void TableRecord::add_region(const std::string& region, const RegionCounts& counts) {
  regions_[region] = counts;
}

void TableRecord::add_size(std::uint32_t at, const RowError& error) { sizes_[at].push_back(error); }

void TableRecord::add_labels(std::uint32_t at, std::uint32_t volume, const VolumeLabels& labels) {
  labels_[at] = {volume, labels};
}

void TableRecord::write_to(ScoreRun& run, const RegionUnits& units) const {
  Json common = Json::object({});
  Json counts = Json::object({});
  for (const std::string& task : order_) {
    const TableFacts& facts = tables_.at(task);
    Json told = Json::object({{"status", facts.status}});
    if (!facts.file.empty()) told.set("file", facts.file);
    common.set(task, std::move(told));
    counts.set(task,
               Json::object(
                   {{"questions", facts.questions}, {"missing", facts.missing}, {"unknown", facts.unknown}}));
    const auto first = first_unknown_.find(task);
    if (first != first_unknown_.end()) {
      run.remarks.push_back(
          {facts.file, "unknown_rows",
           decimal(facts.unknown) + " answers to questions that do not exist; the first: " + first->second});
    }
  }
  run.common = Json::object({{"tables", std::move(common)}});
  if (has_sizes_) run.common.set("sizes", true);
  if (has_labels_) run.common.set("labels", true);
  run.tallies = Json::object({{"tables", std::move(counts)}});
  if (!regions_.empty()) {
    Json regions = Json::object({});
    for (const auto& [name, region] : regions_) regions.set(name, to_json(region));
    run.tallies.set("regions", std::move(regions));
  }
  for (std::uint32_t at = 0; at < units.cases().size(); ++at) {
    Json evidence = Json::object({});
    if (const auto found = sizes_.find(at); found != sizes_.end()) {
      Json sizes = Json::object({});
      for (const RowError& each : found->second) sizes.set(decimal(each.row), each.error);
      evidence.set("sizes", std::move(sizes));
    }
    if (const auto found = labels_.find(at); found != labels_.end()) {
      const auto& [volume, labels] = found->second;
      evidence.set("labels", Json::object({{"volume", static_cast<std::int64_t>(volume)},
                                           {"wanted", static_cast<std::int64_t>(labels.wanted)},
                                           {"said", static_cast<std::int64_t>(labels.said)},
                                           {"answered", labels.answered ? 1 : 0}}));
    }
    if (!evidence.as_object()->empty()) run.cases[at].evidence = evidence.compact();
  }
}

Outcome conclude_tables(ScoreRun& run) {
  FIDUCIAL_TRY(const CaseRecords records, read_records(run));
  const std::int64_t patients = patients_of(run);
  Json tasks = Json::object({});
  std::int64_t unknown = 0;
  for (const auto& [task, facts] : *run.common.find("tables")->as_object()) {
    const Json& counts = *run.tallies.find("tables")->find(task);
    tasks.set(task, table_block(facts, counts));
    remark_table(run, facts, counts);
    unknown += integer_at(counts, "unknown");
  }
  FIDUCIAL_TRY_DONE(conclude_region_masks(run, tasks));
  run.blocks.push_back({"tasks", std::move(tasks), patients});
  if (run.common.find("sizes") != nullptr)
    run.blocks.push_back({"size", size_block(records), static_cast<std::int64_t>(records.sized.size())});
  add_corpus(run, run.tallies);
  if (run.common.find("labels") != nullptr)
    run.blocks.push_back({"clinical", label_report(records.volumes), fewest_of_labels(records)});
  run.counts = Json::object({{"cases", static_cast<std::int64_t>(run.cases.size())},
                             {"questions", run.attempts},
                             {"missing", run.failures},
                             {"unknown_rows", unknown}});
  run.attempt_words = "answers missing";
  digest_inputs(run);
  return done();
}

}  // namespace fiducial
