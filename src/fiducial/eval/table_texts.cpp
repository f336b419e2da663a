#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/table_tasks.h"
#include "fiducial/findings/report_labels.h"
#include "fiducial/metrics/text_pairs.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr int bleu_orders = 4;
constexpr std::size_t texts_of_a_piece = 2048;

// The text of a region as it is scored: without a task's tag.
std::string untagged(const std::string& answer) {
  const std::string_view text = white_space_trimmed(answer);
  if (!text.starts_with('<')) return std::string(text);
  const std::size_t end = text.find('>');
  return std::string(end == std::string_view::npos ? text : white_space_trimmed(text.substr(end + 1)));
}

// The rows of one region.
struct RegionRows {
  std::vector<std::size_t> rows;
  BleuCounts corpus;
};

TextPairs pairs_of(const AnsweredTable& of, const std::vector<std::size_t>& rows) {
  std::vector<std::string> references;
  std::vector<std::string> predictions;
  for (const std::size_t row : rows) {
    references.push_back(of.reference(row));
    predictions.push_back(of.is_answered(row) ? untagged(of.answer(row)) : std::string());
  }
  return {std::move(references), std::move(predictions)};
}

// The value of a text by a metric that is a mean over texts.
double text_value(const TextPairs& pairs, const std::string& id, std::size_t at) {
  if (id.starts_with("bleu")) return bleu_add_one(pairs.bleu_counts(BleuWords::words_13a)[at], id[4] - '0');
  if (id == "rouge_1_nostem") return pairs.rouge(Stemming::none)[at].rouge_1.f1;
  if (id == "rouge_2_nostem") return pairs.rouge(Stemming::none)[at].rouge_2.f1;
  if (id == "rouge_l_nostem") return pairs.rouge(Stemming::none)[at].rouge_l.f1;
  if (id == "meteor_nltk") return pairs.meteor(false)[at];
  return pairs.cider_d()[at];
}

std::string text_slot(const std::string& id) {
  if (id.starts_with("bleu")) return std::string("mean_bleu_") + id[4];
  if (id.starts_with("meteor")) return "meteor";
  return id.substr(0, id.find("_nostem"));
}

Json corpus_json(const BleuCounts& counts, std::size_t texts) {
  Json out = Json::object({{"n", static_cast<std::int64_t>(texts)}});
  for (int order = 1; order <= bleu_orders; ++order) {
    out.set("bleu_" + decimal(order), bleu_add_one(counts, order));
  }
  return out;
}

using LabelBits = std::uint32_t;

// The labels of every text that is used, found on all threads.
Result<std::map<std::uint32_t, LabelBits>> labels_of_texts(const radgenome::TextPool& pool,
                                                           const std::vector<std::uint32_t>& used,
                                                           const Executor& executor) {
  std::vector<LabelBits> bits(used.size());
  const std::size_t pieces = (used.size() + texts_of_a_piece - 1) / texts_of_a_piece;
  FIDUCIAL_TRY_DONE(executor.for_each(static_cast<std::int64_t>(pieces), [&](std::int64_t piece) -> Outcome {
    ReportLabeller labeller;
    const std::size_t begin = static_cast<std::size_t>(piece) * texts_of_a_piece;
    for (std::size_t i = begin; i < std::min(used.size(), begin + texts_of_a_piece); ++i) {
      const std::vector<bool>& flags = labeller.labels(pool.text(used[i]));
      for (std::size_t label = 0; label < flags.size(); ++label) bits[i] |= flags[label] ? 1U << label : 0U;
    }
    return done();
  }));
  std::map<std::uint32_t, LabelBits> out;
  for (std::size_t i = 0; i < used.size(); ++i) out.emplace(used[i], bits[i]);
  return out;
}

void make_distinct(std::vector<std::uint32_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

struct VolumeLabels {
  LabelBits wanted = 0;
  LabelBits said = 0;
  bool answered = false;
};

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
                       {"labels", std::move(by_label)}});
}

}  // namespace

Result<ScoredTexts> score_texts(const AnsweredTable& of, const ReportTexts& how, const Executor& executor) {
  const std::size_t units = how.run.units.size();
  ScoredTexts out;
  out.scores = {.task = "region_report",
                .absence = "no reference text",
                .counts = std::vector<std::uint32_t>(units),
                .failed = std::vector<std::uint32_t>(units)};
  for (const std::string& id : how.metrics) out.scores.add(text_slot(id), id);
  std::vector<RegionRows> regions(how.run.parts.size());
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    const std::uint32_t unit = of.unit_of_row[row];
    ++out.scores.counts[unit];
    out.scores.failed[unit] += of.is_answered(row) ? 0U : 1U;
    regions[how.run.units[unit].part].rows.push_back(row);
  }
  // Regions share no unit, so that no two threads write to one.
  FIDUCIAL_TRY_DONE(
      executor.for_each(static_cast<std::int64_t>(regions.size()), [&](std::int64_t at) -> Outcome {
        RegionRows& region = regions[static_cast<std::size_t>(at)];
        if (region.rows.empty()) return done();
        const TextPairs pairs = pairs_of(of, region.rows);
        for (std::size_t m = 0; m < how.metrics.size(); ++m) {
          for (std::size_t i = 0; i < region.rows.size(); ++i) {
            out.scores.measures[m].sums[of.unit_of_row[region.rows[i]]] +=
                text_value(pairs, how.metrics[m], i);
          }
        }
        for (const BleuCounts& counts : pairs.bleu_counts(BleuWords::words_13a)) region.corpus += counts;
        return done();
      }));
  BleuCounts all;
  Json by_region = Json::object({});
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (regions[i].rows.empty()) continue;
    all += regions[i].corpus;
    by_region.set(how.run.parts[i], corpus_json(regions[i].corpus, regions[i].rows.size()));
  }
  out.corpus = corpus_json(all, of.table.rows.size());
  out.corpus.set("region", std::move(by_region));
  return out;
}

Result<ScoredLabels> score_labels(const AnsweredTable& of, const std::vector<std::uint32_t>& unit_of_volume,
                                  std::size_t units, const Executor& executor) {
  std::vector<std::uint32_t> wanted_texts;
  std::vector<std::uint32_t> said_texts;
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    wanted_texts.push_back(of.table.rows[row].answer);
    if (of.is_answered(row)) said_texts.push_back(of.answers.of_row[row]);
  }
  make_distinct(wanted_texts);
  make_distinct(said_texts);
  FIDUCIAL_TRY(const auto wanted, labels_of_texts(of.split.texts, wanted_texts, executor));
  FIDUCIAL_TRY(const auto said, labels_of_texts(of.answers.texts, said_texts, executor));
  std::map<std::uint32_t, VolumeLabels> volumes;
  for (std::size_t row = 0; row < of.table.rows.size(); ++row) {
    VolumeLabels& volume = volumes[of.table.rows[row].volume];
    volume.wanted |= wanted.at(of.table.rows[row].answer);
    if (!of.is_answered(row)) continue;
    volume.said |= said.at(of.answers.of_row[row]);
    volume.answered = true;
  }
  ScoredLabels out;
  out.scores = {.task = "clinical",
                .absence = "no label is raised",
                .counts = std::vector<std::uint32_t>(units),
                .failed = std::vector<std::uint32_t>(units)};
  for (const char* id : {"clinical_precision", "clinical_recall", "clinical_f1"})
    out.scores.add(id, id, true);
  out.scores.add("clinical_samples_f1", "clinical_samples_f1");
  auto& measures = out.scores.measures;
  for (const auto& [volume, found] : volumes) {
    const std::uint32_t unit = unit_of_volume[volume];
    const LabelCounts counts{count_bits(found.wanted & found.said), count_bits(found.said),
                             count_bits(found.wanted)};
    ++out.scores.counts[unit];
    out.scores.failed[unit] += found.answered ? 0U : 1U;
    measures[0].sums[unit] += counts.both;
    measures[0].weights[unit] += counts.said;
    measures[1].sums[unit] += counts.both;
    measures[1].weights[unit] += counts.wanted;
    measures[2].sums[unit] += 2 * counts.both;
    measures[2].weights[unit] += counts.said + counts.wanted;
    measures[3].sums[unit] += !found.answered ? 0 : counts.said + counts.wanted == 0 ? 1 : counts.f1();
  }
  out.labels = label_report(volumes);
  return out;
}

}  // namespace fiducial
