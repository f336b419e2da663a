#include <algorithm>
#include <map>
#include <utility>

#include "fiducial/base/json_fields.h"
#include "fiducial/eval/task/kept_numbers.h"
#include "fiducial/findings/report_labels.h"
#include "fiducial/metrics/table_contracts.h"
#include "fiducial/metrics/text_metric.h"
#include "fiducial/tasks/region_tables/table_tasks.h"
#include "fiducial/text/bleu.h"
#include "fiducial/text/cider.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr std::size_t rows_of_a_piece = 2048;

// The text of a region as it is scored: without a task's tag.
std::string_view untagged(std::string_view answer) {
  const std::string_view text = white_space_trimmed(answer);
  if (!text.starts_with('<')) return text;
  const std::size_t end = text.find('>');
  return end == std::string_view::npos ? text : white_space_trimmed(text.substr(end + 1));
}

// The texts of a region and what was said of them, one row at a time.
class RegionTexts {
 public:
  explicit RegionTexts(const AnsweredTable& of)
      : of_(of), references_(of.table.stored), answers_(of.answers.texts) {}

  // Valid until the next call.
  Result<std::string_view> reference(std::size_t row) {
    return references_.text(of_.table.stored_answers[row]);
  }
  // "" where a row has no answer.
  Result<std::string_view> answer(std::size_t row) {
    if (!of_.is_answered(row)) return std::string_view();
    return answers_.text(of_.answers.of_row[row]);
  }

 private:
  const AnsweredTable& of_;
  TextStore::Reader references_;
  TextStore::Reader answers_;
};

// The rows of one region.
struct RegionRows {
  std::string name;
  std::vector<std::uint32_t> rows;  // also those that are not scored here, whose words CIDEr-D weighs by
  RegionCounts counts;
};

// Scores the texts of a region some at a time: what metrics remember of words is forgotten with them, but for
// the words that CIDEr-D weighs by.
class RegionScorer {
 public:
  RegionScorer(const AnsweredTable& of, const ReportTexts& how, RegionCounts& counts, ScoreFamily& scores)
      : of_(of), how_(how), counts_(counts), scores_(scores) {}

  void add_reference(std::string_view reference) { corpus_.add_reference(reference); }

  void add(std::uint32_t row, std::string_view reference, std::string_view prediction) {
    rows_.push_back(row);
    references_.emplace_back(reference);
    predictions_.emplace_back(prediction);
    bytes_ += reference.size() + prediction.size();
    if (rows_.size() >= most_pairs || bytes_ >= most_bytes) finish();
  }

  // Adds the values of what was added to the units of its rows, in the order of the rows.
  void finish() {
    if (rows_.empty()) return;
    TextPairs pairs(std::exchange(references_, {}), std::exchange(predictions_, {}));
    pairs.use_synonyms(how_.synonyms);
    pairs.use_corpus(&corpus_);
    for (std::size_t m = 0; m < how_.metrics.size(); ++m) {
      const std::vector<double> values = how_.metrics[m]->values(pairs);
      UnitValues& sums = scores_.measures[m].sums;
      for (std::size_t i = 0; i < rows_.size(); ++i) sums[of_.unit_of_row[rows_[i]]] += values[i];
    }
    for (const BleuCounts& counts : pairs.bleu_counts(BleuWords::words_13a)) counts_.bleu += counts;
    counts_.texts += static_cast<std::int64_t>(rows_.size());
    rows_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr std::size_t most_pairs = 4096;
  static constexpr std::size_t most_bytes = std::size_t{1} << 20U;

  const AnsweredTable& of_;
  const ReportTexts& how_;
  RegionCounts& counts_;
  ScoreFamily& scores_;
  CiderScorer corpus_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::string> references_;
  std::vector<std::string> predictions_;
  std::size_t bytes_ = 0;
};

using LabelBits = std::uint32_t;

LabelBits bits_of(const std::vector<bool>& flags) {
  LabelBits out = 0;
  for (std::size_t label = 0; label < flags.size(); ++label) out |= flags[label] ? 1U << label : 0U;
  return out;
}

// The labels of a row's text and of what was said.
struct RowLabels {
  LabelBits wanted = 0;
  LabelBits said = 0;
};

// Of every row, found on all threads.
Result<std::vector<RowLabels>> labels_of_rows(const AnsweredTable& of, const Executor& executor) {
  const std::size_t rows = of.table.rows.size();
  std::vector<RowLabels> out(rows);
  const std::size_t pieces = (rows + rows_of_a_piece - 1) / rows_of_a_piece;
  FIDUCIAL_TRY_DONE(executor.for_each(static_cast<std::int64_t>(pieces), [&](std::int64_t piece) -> Outcome {
    ReportLabeller labeller;
    RegionTexts texts(of);
    const std::size_t begin = static_cast<std::size_t>(piece) * rows_of_a_piece;
    for (std::size_t row = begin; row < std::min(rows, begin + rows_of_a_piece); ++row) {
      if (!of.is_scored(row)) continue;
      FIDUCIAL_TRY(const std::string_view wanted, texts.reference(row));
      out[row].wanted = bits_of(labeller.labels(wanted));
      FIDUCIAL_TRY(const std::string_view said, texts.answer(row));
      if (of.is_answered(row)) out[row].said = bits_of(labeller.labels(said));
    }
    return done();
  }));
  return out;
}

using LabelledVolumes = std::map<std::uint32_t, VolumeLabels>;

// The labels of a volume's texts together.
Result<LabelledVolumes> labels_of_volumes(const AnsweredTable& of, const Executor& executor) {
  FIDUCIAL_TRY(const std::vector<RowLabels> labels, labels_of_rows(of, executor));
  LabelledVolumes out;
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    if (!of.is_scored(row)) continue;
    VolumeLabels& volume = out[of.table.rows[row].volume];
    volume.wanted |= labels[row].wanted;
    volume.said |= labels[row].said;
    volume.answered |= of.is_answered(row);
  }
  return out;
}

// What is kept of them: four numbers a volume.
Json labels_piece(const LabelledVolumes& volumes) {
  std::vector<double> numbers;
  for (const auto& [volume, found] : volumes) {
    for (const std::uint32_t number : {volume, found.wanted, found.said, found.answered ? 1U : 0U})
      numbers.push_back(number);
  }
  return Json::object(
      {{"volumes", static_cast<std::int64_t>(volumes.size())}, {"labels", kept_numbers(numbers)}});
}

Result<LabelledVolumes> parse_labelled_volumes(const Json& piece) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, integer_at(piece, "volumes")));
  FIDUCIAL_TRY(const std::vector<double> numbers, parse_kept_numbers(piece, "labels", 4 * count));
  const auto is_count = [](double number) { return number >= 0 && number <= 0xFFFFFFFFU; };
  if (!std::all_of(numbers.begin(), numbers.end(), is_count)) return at_pointer("/labels", "expected counts");
  LabelledVolumes out;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    out[static_cast<std::uint32_t>(numbers[i])] = {static_cast<std::uint32_t>(numbers[i + 1]),
                                                   static_cast<std::uint32_t>(numbers[i + 2]),
                                                   numbers[i + 3] != 0};
  }
  return out;
}

struct LabelCounts {
  double both = 0;
  double said = 0;
  double wanted = 0;

  double precision() const { return said > 0 ? both / said : 0; }
  double recall() const { return wanted > 0 ? both / wanted : 0; }
  double f1() const { return said + wanted > 0 ? 2 * both / (said + wanted) : 0; }
  Json json() const {
    return Json::object({{"precision", precision()},
                         {"recall", recall()},
                         {"f1", f1()},
                         {"reference", static_cast<std::int64_t>(wanted)},
                         {"predicted", static_cast<std::int64_t>(said)},
                         {"both", static_cast<std::int64_t>(both)}});
  }
};

double count_bits(LabelBits bits) { return static_cast<double>(__builtin_popcount(bits)); }

LabelCounts counts_of(const VolumeLabels& found) {
  return {count_bits(found.wanted & found.said), count_bits(found.said), count_bits(found.wanted)};
}

// Means over labels: each once, or as often as volumes have it.
Json mean_over_labels(const std::vector<LabelCounts>& labels, bool by_support) {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double total = 0;
  for (const LabelCounts& each : labels) {
    const double weight = by_support ? each.wanted : 1;
    precision += weight * each.precision();
    recall += weight * each.recall();
    f1 += weight * each.f1();
    total += weight;
  }
  if (total == 0) return Json();
  return Json::object({{"precision", precision / total}, {"recall", recall / total}, {"f1", f1 / total}});
}

// Means over volumes; one without labels on both sides is 1, one without an answer 0.
Json mean_over_volumes(const std::map<std::uint32_t, VolumeLabels>& volumes) {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  for (const auto& [volume, found] : volumes) {
    const LabelCounts counts = counts_of(found);
    const bool both_empty = found.answered && counts.said + counts.wanted == 0;
    precision += both_empty ? 1 : counts.precision();
    recall += both_empty ? 1 : counts.recall();
    f1 += both_empty ? 1 : counts.f1();
  }
  if (volumes.empty()) return Json();
  const auto total = static_cast<double>(volumes.size());
  return Json::object({{"precision", precision / total}, {"recall", recall / total}, {"f1", f1 / total}});
}

// The units of a region's rows, each once.
std::vector<std::uint32_t> units_of_region(const AnsweredTable& of, const RegionRows& region) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t row : region.rows) {
    if (of.is_scored(row)) out.push_back(of.unit_of_row[row]);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// What is kept of a region that was scored, and how it is taken from there.
Json region_piece(const AnsweredTable& of, const RegionRows& region, const ScoreFamily& scores) {
  const std::vector<std::uint32_t> units = units_of_region(of, region);
  Json out = Json::object({{"counts", to_json(region.counts)}});
  for (const FamilyMeasure& measure : scores.measures) {
    std::vector<double> sums;
    sums.reserve(units.size());
    for (const std::uint32_t unit : units) sums.push_back(measure.sums[unit]);
    out.set(measure.slot, kept_numbers(sums));
  }
  return out;
}

Outcome take_region(const Json& piece, const AnsweredTable& of, RegionRows& region, ScoreFamily& scores) {
  const std::vector<std::uint32_t> units = units_of_region(of, region);
  FIDUCIAL_TRY(const Json* counts, required_field(piece, "counts", ""));
  region.counts = parse_region_counts(*counts);
  for (FamilyMeasure& measure : scores.measures) {
    FIDUCIAL_TRY(const std::vector<double> sums, parse_kept_numbers(piece, measure.slot, units.size()));
    for (std::size_t i = 0; i < units.size(); ++i) measure.sums[units[i]] = sums[i];
  }
  return done();
}

bool weighs_words(const ReportTexts& how) {
  return std::any_of(how.metrics.begin(), how.metrics.end(),
                     [](const TextMetric* metric) { return metric->weighs_words; });
}

// Adds the values of a region's rows to their units, in the order of the rows.
Outcome score_region(const AnsweredTable& of, const ReportTexts& how, RegionRows& region,
                     ScoreFamily& scores) {
  RegionTexts texts(of);
  RegionScorer scorer(of, how, region.counts, scores);
  if (weighs_words(how)) {
    for (const std::uint32_t row : region.rows) {
      FIDUCIAL_TRY(const std::string_view reference, texts.reference(row));
      scorer.add_reference(reference);
    }
  }
  for (const std::uint32_t row : region.rows) {
    if (!of.is_scored(row)) continue;
    FIDUCIAL_TRY(const std::string_view reference, texts.reference(row));
    FIDUCIAL_TRY(const std::string_view answer, texts.answer(row));
    scorer.add(row, reference, untagged(answer));
  }
  scorer.finish();
  return done();
}

// The same, or as the call's journal has it.
Outcome keep_region(const TaskCall& call, const AnsweredTable& of, const ReportTexts& how, RegionRows& region,
                    ScoreFamily& scores) {
  bool is_made = false;
  const auto make = [&]() -> Result<Json> {
    is_made = true;
    FIDUCIAL_TRY_DONE(score_region(of, how, region, scores));
    return region_piece(of, region, scores);
  };
  FIDUCIAL_TRY(const Json piece, call.kept_or_made("texts of " + region.name, make));
  return is_made ? done() : take_region(piece, of, region, scores);
}

}  // namespace

Json label_report(const std::map<std::uint32_t, VolumeLabels>& volumes) {
  const std::vector<std::string>& names = ct_rate_label_rules().names();
  std::vector<LabelCounts> labels(names.size());
  LabelCounts all;
  for (const auto& [volume, found] : volumes) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool wanted = (found.wanted >> i & 1U) != 0;
      const bool said = (found.said >> i & 1U) != 0;
      labels[i].wanted += wanted ? 1 : 0;
      labels[i].said += said ? 1 : 0;
      labels[i].both += wanted && said ? 1 : 0;
    }
  }
  Json by_label = Json::object({});
  for (std::size_t i = 0; i < names.size(); ++i) {
    by_label.set(names[i], labels[i].json());
    all.both += labels[i].both;
    all.said += labels[i].said;
    all.wanted += labels[i].wanted;
  }
  return Json::object({{"volumes", static_cast<std::int64_t>(volumes.size())},
                       {"micro", all.json()},
                       {"macro", mean_over_labels(labels, false)},
                       {"weighted", mean_over_labels(labels, true)},
                       {"samples", mean_over_volumes(volumes)},
                       {"labels", std::move(by_label)}});
}

Result<ScoredTexts> score_texts(const AnsweredTable& of, const ReportTexts& how, const TaskCall& call) {
  const std::size_t units = how.units.units().size();
  ScoredTexts out;
  out.scores = {.name = "region_report",
                .absence = "no reference text",
                .counted = "texts",
                .counts = UnitValues(units),
                .failed = UnitValues(units)};
  for (const TextMetric* metric : how.metrics) out.scores.add(metric->slot, metric->contract);
  std::vector<RegionRows> regions(how.units.parts().size());
  for (std::uint32_t row = 0; row < of.table.rows.size(); ++row) {
    regions[how.units.part_of(radgenome::TableKind::region_report, of.table.rows[row])].rows.push_back(row);
    if (!of.is_scored(row)) continue;
    const std::uint32_t unit = of.unit_of_row[row];
    out.scores.counts[unit] += 1;
    out.scores.failed[unit] += of.is_answered(row) ? 0 : 1;
  }
  // Regions share no unit, so that no two threads write to one.
  const auto count = static_cast<std::int64_t>(regions.size());
  FIDUCIAL_TRY_DONE(call.executor().for_each(count, [&](std::int64_t at) {
    RegionRows& region = regions[static_cast<std::size_t>(at)];
    region.name = how.units.parts()[static_cast<std::size_t>(at)];
    return keep_region(call, of, how, region, out.scores);
  }));
  for (const RegionRows& region : regions) out.regions.push_back(region.counts);
  return out;
}

Result<ScoredLabels> score_labels(const AnsweredTable& of, const RegionUnits& of_units,
                                  const TaskCall& call) {
  const std::size_t units = of_units.units().size();
  FIDUCIAL_TRY(const Json piece, call.kept_or_made("labels of texts", [&]() -> Result<Json> {
    FIDUCIAL_TRY(const LabelledVolumes found, labels_of_volumes(of, call.executor()));
    return labels_piece(found);
  }));
  ScoredLabels out;
  FIDUCIAL_TRY(out.volumes, parse_labelled_volumes(piece));
  auto& volumes = out.volumes;
  out.scores = {.name = "clinical",
                .absence = "no label is raised",
                .counted = "volumes",
                .counts = UnitValues(units),
                .failed = UnitValues(units)};
  for (const char* id : {"clinical_precision", "clinical_recall", "clinical_f1"})
    out.scores.add(id, table_contract(id), true);
  out.scores.add("clinical_samples_f1", table_contract("clinical_samples_f1"));
  auto& measures = out.scores.measures;
  for (const auto& [volume, found] : volumes) {
    const std::uint32_t unit = of_units.whole_scan_of(volume);
    const LabelCounts counts = counts_of(found);
    out.scores.counts[unit] += 1;
    out.scores.failed[unit] += found.answered ? 0 : 1;
    measures[0].sums[unit] += counts.both;
    measures[0].weights[unit] += counts.said;
    measures[1].sums[unit] += counts.both;
    measures[1].weights[unit] += counts.wanted;
    measures[2].sums[unit] += 2 * counts.both;
    measures[2].weights[unit] += counts.said + counts.wanted;
    measures[3].sums[unit] += !found.answered ? 0 : counts.said + counts.wanted == 0 ? 1 : counts.f1();
  }
  return out;
}

}  // namespace fiducial
