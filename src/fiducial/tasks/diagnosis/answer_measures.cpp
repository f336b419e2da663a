#include "fiducial/tasks/diagnosis/answer_measures.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/eval/task/kept_numbers.h"
#include "fiducial/metrics/text_metric.h"

namespace fiducial {

namespace {

constexpr const char* no_reference = "no reference text";

CaseMeasure empty_measure(const std::string& id, std::size_t cases) {
  const MetricContract& contract = diagnosis_contract(id);
  return {.slot = diagnosis_slot(contract),
          .contract = &contract,
          .sums = std::vector<double>(cases),
          .counts = std::vector<double>(cases),
          .failed = std::vector<double>(cases)};
}

std::string id_of(const std::string& id, Scorer scorer) {
  return scorer == Scorer::official ? id + "_official" : id;
}

}  // namespace

Result<MetricChoice> MetricChoice::parse(const std::vector<std::string>& words) {
  MetricChoice out;
  std::set<std::string> known;
  std::string groups;
  for (const MetricContract& contract : diagnosis_contracts()) {
    if (known.insert(contract.group).second) groups += contract.group + ", ";
    known.insert({contract.id, diagnosis_slot(contract)});
  }
  for (const std::string& word : words) {
    out.all_ = out.all_ || word == "all";
    if (word == "all" || known.contains(word)) continue;
    std::string message = "no metric or group of metrics \"" + word;
    message.append("\" for answers to questions; there is ").append(groups).append("all");
    message += did_you_mean(word, {known.begin(), known.end()});
    return bad_usage(std::move(message)).because(ErrorReason::unknown_name);
  }
  out.words_ = words;
  return out;
}

bool MetricChoice::wants(const std::string& slot, const MetricContract& contract) const {
  if (words_.empty() || all_ || contract.group == "answers") return true;
  return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
    return word == contract.group || word == contract.id || word == slot;
  });
}

bool MetricChoice::wants_group(std::string_view group) const {
  const auto& all = diagnosis_contracts();
  return std::any_of(all.begin(), all.end(), [&](const MetricContract& contract) {
    return contract.group == group && wants(diagnosis_slot(contract), contract);
  });
}

bool MetricChoice::names(const MetricContract& contract) const {
  return std::any_of(words_.begin(), words_.end(), [&contract](const std::string& word) {
    return word == contract.id || word == diagnosis_slot(contract);
  });
}

bool MetricChoice::insists_on(std::string_view group) const {
  return !words_.empty() && !all_ && group != "answers" && wants_group(group);
}

std::vector<CaseMeasure> answer_measures(const std::vector<AnsweredCase>& cases, Scorer scorer) {
  std::vector<CaseMeasure> out{empty_measure(id_of("answer_accuracy", scorer), cases.size()),
                               empty_measure(id_of("answer_accuracy_strict", scorer), cases.size())};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool has_letter = cases[i].answer(scorer).letter.has_value();
    out[0].sums[i] = cases[i].is_correct(scorer) ? 1 : 0;
    out[1].sums[i] = cases[i].is_strictly_correct(scorer) ? 1 : 0;
    for (CaseMeasure& measure : out) {
      measure.counts[i] = 1;
      measure.failed[i] = has_letter ? 0 : 1;
    }
  }
  for (CaseMeasure& measure : out) measure.is_share_of_cases = true;
  return out;
}

namespace {

// The pairs of one step, ready for text metrics.
struct StepPairs {
  std::vector<const StepTextPair*> pairs;
  TextPairs texts;
};

StepPairs pairs_of_step(const std::vector<StepTextPair>& pairs, int step) {
  std::vector<const StepTextPair*> chosen;
  std::vector<std::string> references;
  std::vector<std::string> predictions;
  for (const StepTextPair& each : pairs) {
    if (each.text.step != step) continue;
    chosen.push_back(&each);
    references.push_back(each.reference);
    predictions.push_back(each.prediction);
  }
  if (chosen.empty()) {  // text pairs are never none
    references.emplace_back();
    predictions.emplace_back();
  }
  return {std::move(chosen), TextPairs(std::move(references), std::move(predictions))};
}

// What a text metric gives every case: the sum over its texts of a step that were predicted.
std::vector<double> text_sums(const TextMetric& metric, std::size_t cases, const StepPairs& of) {
  std::vector<double> out(cases);
  if (metric.values == nullptr) return out;
  const std::vector<double> values = metric.values(of.texts);
  for (std::size_t i = 0; i < of.pairs.size(); ++i) {
    const StepTextPair& pair = *of.pairs[i];
    if (pair.at && !pair.prediction.empty()) out[*pair.at] += values[i];
  }
  return out;
}

// The measure of a text metric. A text that was not predicted is 0, and one of no words in what all texts
// have together.
CaseMeasure text_measure(const std::string& id, const StepPairs& of, std::vector<double> sums) {
  CaseMeasure out = empty_measure(id, sums.size());
  out.absence = no_reference;
  out.counted = "texts";
  out.sums = std::move(sums);
  for (const StepTextPair* pair : of.pairs) {
    if (!pair->at) continue;
    out.counts[*pair->at] += 1;
    out.failed[*pair->at] += pair->prediction.empty() ? 1 : 0;
  }
  return out;
}

// What every case adds to BLEU of all texts of a step together.
std::shared_ptr<const std::vector<BleuCounts>> corpus_counts(const StepPairs& of, std::size_t cases) {
  const auto out = std::make_shared<std::vector<BleuCounts>>(cases);
  for (std::size_t i = 0; i < of.pairs.size(); ++i) {
    if (of.pairs[i]->at) (*out)[*of.pairs[i]->at] += of.texts.bleu_counts(BleuWords::words_13a)[i];
  }
  return out;
}

}  // namespace

Result<std::vector<CaseMeasure>> text_measures(const TaskCall& call, const std::vector<StepTextPair>& pairs,
                                               std::size_t cases, const MetricChoice& choice,
                                               const Synonyms* synonyms) {
  std::vector<CaseMeasure> out;
  for (const int step : {1, 2}) {
    StepPairs of = pairs_of_step(pairs, step);
    of.texts.use_synonyms(synonyms);
    std::shared_ptr<const std::vector<BleuCounts>> corpus;
    for (const TextMetric* metric : text_metrics_of("diagnosis")) {
      const MetricContract& contract = diagnosis_contract(metric->contract.id + "_step" + decimal(step));
      if (metric->needs_synonyms && synonyms == nullptr) continue;
      if (!choice.wants(diagnosis_slot(contract), contract)) continue;
      FIDUCIAL_TRY(const Json piece, call.kept_or_made(contract.id, [&]() -> Result<Json> {
        return Json::object({{"sums", kept_numbers(text_sums(*metric, cases, of))}});
      }));
      FIDUCIAL_TRY(std::vector<double> sums, parse_kept_numbers(piece, "sums", cases));
      out.push_back(text_measure(contract.id, of, std::move(sums)));
      if (metric->corpus_order == 0) continue;
      if (!corpus) corpus = corpus_counts(of, cases);
      out.back().corpus = corpus;
      out.back().order = metric->corpus_order;
    }
  }
  return out;
}

std::vector<CaseMeasure> radcliq_measures(const std::vector<StepTextPair>& pairs, std::size_t cases,
                                          const ComponentTable& components) {
  std::vector<CaseMeasure> out;
  for (const int step : {1, 2}) {
    for (const int version : {0, 1}) {
      CaseMeasure measure = empty_measure("radcliq_v" + decimal(version) + "_step" + decimal(step), cases);
      measure.absence = "no reference text, or no component scores";
      measure.counted = "texts";
      for (const StepTextPair& pair : pairs) {
        if (pair.text.step != step || !pair.at) continue;
        const auto known = components.find(pair.text);
        std::optional<RadcliqComponents> values;
        if (pair.prediction.empty()) {
          values = RadcliqComponents{};  // nothing in common with any reference
        } else if (known != components.end()) {
          values = known->second.values;
        }
        if (!values) continue;
        measure.counts[*pair.at] += 1;
        measure.failed[*pair.at] += pair.prediction.empty() ? 1 : 0;
        measure.sums[*pair.at] += version == 0 ? radcliq_v0(*values) : radcliq_v1(*values);
      }
      out.push_back(std::move(measure));
    }
  }
  return out;
}

namespace {

// What a case adds to a share of steps, or nothing.
using StepShare = std::function<std::optional<bool>(const StepVerdict&)>;

CaseMeasure step_share(const std::string& id, const AnsweredSplit& run, Scorer scorer,
                       const StepShare& share) {
  CaseMeasure out = empty_measure(id_of(id, scorer), run.cases.size());
  out.absence = "no judged step of that kind";
  out.counted = "steps";
  for (const JudgedCase& judged : run.judged) {
    for (const JudgedStep& step : judged.steps[static_cast<std::size_t>(scorer)]) {
      if (step.verdict.status != VerdictStatus::ok) continue;
      const auto part = share(step.verdict);
      if (!part) continue;
      out.counts[judged.at] += 1;
      out.sums[judged.at] += *part ? 1 : 0;
    }
  }
  return out;
}

// A share of judged cases: those with a critical error, of all or of those that answered right.
CaseMeasure case_share(const std::string& id, const AnsweredSplit& run, Scorer scorer, bool only_right) {
  CaseMeasure out = empty_measure(id_of(id, scorer), run.cases.size());
  out.absence = only_right ? "not judged, or not answered right" : "not judged";
  out.is_share_of_cases = true;
  for (const JudgedCase& judged : run.judged) {
    const auto& steps = judged.steps[static_cast<std::size_t>(scorer)];
    const bool is_judged = std::any_of(steps.begin(), steps.end(), [](const JudgedStep& step) {
      return step.verdict.status == VerdictStatus::ok;
    });
    if (!is_judged || (only_right && !run.cases[judged.at].is_correct(scorer))) continue;
    const bool has_error = std::any_of(steps.begin(), steps.end(), [](const JudgedStep& step) {
      return step.verdict.status == VerdictStatus::ok && step.verdict.is_critical && !step.verdict.is_factual;
    });
    out.counts[judged.at] = 1;
    out.sums[judged.at] = has_error ? 1 : 0;
  }
  return out;
}

}  // namespace

std::vector<CaseMeasure> step_measures(const AnsweredSplit& run, Scorer scorer) {
  using Share = std::optional<bool>;
  std::vector<CaseMeasure> out;
  out.push_back(step_share("step_factuality", run, scorer,
                           [](const StepVerdict& verdict) { return Share(verdict.is_factual); }));
  out.push_back(step_share("critical_step_factuality", run, scorer, [](const StepVerdict& verdict) {
    return verdict.is_critical ? Share(verdict.is_factual) : std::nullopt;
  }));
  for (std::size_t type = 0; type < step_error_type_count; ++type) {
    const std::string id = "error_share_" + std::string(step_error_types[type].word);
    out.push_back(step_share(id, run, scorer, [type](const StepVerdict& verdict) {
      return verdict.is_factual ? std::nullopt : Share(verdict.error_types.at(type));
    }));
    out.push_back(step_share(id + "_critical", run, scorer, [type](const StepVerdict& verdict) {
      return verdict.is_factual || !verdict.is_critical ? std::nullopt : Share(verdict.error_types.at(type));
    }));
  }
  out.push_back(case_share("critical_error_rate", run, scorer, false));
  out.push_back(case_share("right_for_wrong_reason", run, scorer, true));
  return out;
}

namespace {

using RatingValue = std::function<std::optional<double>(const CaseRating&)>;

// The mean over the raters of each case.
CaseMeasure rating_measure(const std::string& id, const AnsweredSplit& run, const RatingValue& value) {
  CaseMeasure out = empty_measure(id, run.cases.size());
  out.absence = "not rated";
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    const auto ratings = run.ratings.find(run.cases[i].entry.number);
    if (ratings == run.ratings.end()) continue;
    double sum = 0;
    double raters = 0;
    for (const CaseRating& rating : ratings->second) {
      const auto points = value(rating);
      if (!points) continue;
      sum += *points;
      raters += 1;
    }
    if (raters == 0) continue;
    out.sums[i] = sum / raters;
    out.counts[i] = 1;
  }
  return out;
}

CaseMeasure sentence_measure(const AnsweredSplit& run) {
  CaseMeasure out = empty_measure("discussion_sentence_correctness", run.cases.size());
  out.absence = "no sentence rated";
  out.counted = "sentences";
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    const auto ratings = run.ratings.find(run.cases[i].entry.number);
    if (ratings == run.ratings.end()) continue;
    for (const CaseRating& rating : ratings->second) {
      for (const SentenceRating& sentence : rating.sentences) {
        out.counts[i] += 1;
        out.sums[i] += sentence.correct ? 1 : 0;
      }
    }
  }
  return out;
}

CaseMeasure section_measure(const AnsweredSplit& run) {
  CaseMeasure out = empty_measure("discussion_sections", run.cases.size());
  const auto sections = static_cast<double>(discussion_headings.size());
  for (std::size_t i = 0; i < run.cases.size(); ++i) out.counts[i] = out.failed[i] = 1;
  for (const WrittenDiscussion& each : run.discussions) {
    out.sums[each.at] = (sections - static_cast<double>(each.discussion.missing().size())) / sections;
    out.failed[each.at] = 0;
  }
  return out;
}

}  // namespace

std::vector<CaseMeasure> discussion_measures(const AnsweredSplit& run) {
  std::vector<CaseMeasure> out;
  if (!run.ratings.empty()) {
    out.push_back(
        rating_measure("education_value", run, [](const CaseRating& rating) { return rating.total(); }));
    for (std::size_t item = 0; item < education_item_count; ++item) {
      out.push_back(rating_measure("education_" + std::string(education_items[item]), run,
                                   [item](const CaseRating& rating) { return rating.items.at(item); }));
    }
    out.push_back(sentence_measure(run));
  }
  if (!run.discussions.empty()) out.push_back(section_measure(run));
  return out;
}

std::vector<CaseMeasure> contamination_measures(const std::vector<std::optional<double>>& similarities) {
  constexpr double known = 0.95;
  CaseMeasure by_heart = empty_measure("history_known", similarities.size());
  CaseMeasure similarity = empty_measure("history_similarity", similarities.size());
  for (CaseMeasure* measure : {&by_heart, &similarity}) {
    measure->absence = "no continuation";
    for (std::size_t i = 0; i < similarities.size(); ++i) {
      if (!similarities[i]) continue;
      measure->counts[i] = 1;
      measure->sums[i] = measure == &similarity ? *similarities[i] : *similarities[i] >= known ? 1 : 0;
    }
  }
  std::vector<CaseMeasure> out;
  out.push_back(std::move(by_heart));
  out.push_back(std::move(similarity));
  return out;
}

std::vector<CaseMeasure> unavailable_measures(std::string_view group, std::size_t cases,
                                              const std::string& reason) {
  std::vector<CaseMeasure> out;
  for (const MetricContract& contract : diagnosis_contracts()) {
    const bool is_meant = contract.group == group || contract.id.starts_with(group);
    if (!is_meant || contract.scorer == Scorer::official) continue;
    out.push_back(empty_measure(contract.id, cases));
    out.back().absence = "unavailable: " + reason;
  }
  return out;
}

}  // namespace fiducial
