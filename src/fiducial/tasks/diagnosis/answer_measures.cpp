#include "fiducial/tasks/diagnosis/answer_measures.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/metrics/text_metric.h"

namespace fiducial {

namespace {

constexpr const char* no_reference = "no reference text";

// The name under which a summary shows a contract's value.
std::string slot_of(const MetricContract& contract) {
  std::string out = contract.id;
  const auto cut = [&out](std::string_view part) {
    const std::size_t at = out.find(part);
    if (at != std::string::npos) out.erase(at, part.size());
  };
  cut("_official");
  cut("_stem");
  cut("_nltk");
  if (out.starts_with("answer_")) return out.substr(7);
  if (contract.group != "bleu") return out;
  const std::string name = contract.id.find("_mean_") == std::string::npos ? "bleu_" : "mean_bleu_";
  cut("_13a_smooth");
  cut("_mean");
  return name + out.substr(4);  // "bleu1_step1"
}

CaseMeasure empty_measure(const std::string& id, std::size_t cases) {
  const MetricContract& contract = diagnostic_contract(id);
  return {.slot = slot_of(contract),
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
  for (const MetricContract& contract : diagnostic_contracts()) {
    if (known.insert(contract.group).second) groups += contract.group + ", ";
    known.insert({contract.id, slot_of(contract)});
  }
  for (const std::string& word : words) {
    out.all_ = out.all_ || word == "all";
    if (word == "all" || known.contains(word)) continue;
    std::string message = "no metric or group of metrics \"" + word;
    message.append("\" for answers to questions; there is ").append(groups).append("all");
    message += did_you_mean(word, {known.begin(), known.end()});
    return bad_usage(std::move(message));
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
  const auto& all = diagnostic_contracts();
  return std::any_of(all.begin(), all.end(), [&](const MetricContract& contract) {
    return contract.group == group && wants(slot_of(contract), contract);
  });
}

bool MetricChoice::names(const MetricContract& contract) const {
  return std::any_of(words_.begin(), words_.end(), [&contract](const std::string& word) {
    return word == contract.id || word == slot_of(contract);
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

using ValueOf = std::function<double(std::size_t pair)>;

// One value a pair; a text that was not predicted is 0.
CaseMeasure text_measure(const std::string& id, std::size_t cases, const StepPairs& of,
                         const ValueOf& value) {
  CaseMeasure out = empty_measure(id, cases);
  out.absence = no_reference;
  for (std::size_t i = 0; i < of.pairs.size(); ++i) {
    const StepTextPair& pair = *of.pairs[i];
    if (!pair.at) continue;
    out.counts[*pair.at] += 1;
    if (pair.prediction.empty()) {
      out.failed[*pair.at] += 1;
    } else {
      out.sums[*pair.at] += value(i);
    }
  }
  return out;
}

ValueOf rouge_value(const TextPairs& texts, RougeScore RougeScores::*part) {
  return [&texts, part](std::size_t i) { return (texts.rouge(Stemming::porter)[i].*part).f1; };
}

ValueOf bleu_value(const TextPairs& texts, int order) {
  return [&texts, order](std::size_t i) {
    return bleu_add_one(texts.bleu_counts(BleuWords::words_13a)[i], order);
  };
}

}  // namespace

namespace {

// BLEU of all texts of a step together: a prediction that is not there is one of no words.
std::vector<CaseMeasure> corpus_bleu(const StepPairs& of, std::size_t cases, const std::string& step) {
  const auto counts = std::make_shared<std::vector<BleuCounts>>(cases);
  for (std::size_t i = 0; i < of.pairs.size(); ++i) {
    if (of.pairs[i]->at) (*counts)[*of.pairs[i]->at] += of.texts.bleu_counts(BleuWords::words_13a)[i];
  }
  std::vector<CaseMeasure> out;
  for (const int order : {1, 2, 3, 4}) {
    const auto nothing = [](std::size_t) { return 0.0; };
    out.push_back(text_measure("bleu" + decimal(order) + "_13a_smooth" + step, cases, of, nothing));
    out.back().corpus = counts;
    out.back().order = order;
  }
  return out;
}

}  // namespace

std::vector<CaseMeasure> text_measures(const std::vector<StepTextPair>& pairs, std::size_t cases,
                                       const MetricChoice& choice, const Synonyms* synonyms) {
  std::vector<CaseMeasure> out;
  for (const int step : {1, 2}) {
    StepPairs of = pairs_of_step(pairs, step);
    of.texts.use_synonyms(synonyms);
    const TextPairs& texts = of.texts;
    const std::string ending = "_step" + decimal(step);
    std::vector<std::pair<std::string, ValueOf>> values{
        {"rouge_1_stem", rouge_value(texts, &RougeScores::rouge_1)},
        {"rouge_2_stem", rouge_value(texts, &RougeScores::rouge_2)},
        {"rouge_l_stem", rouge_value(texts, &RougeScores::rouge_l)},
        {"rouge_lsum_stem", rouge_value(texts, &RougeScores::rouge_lsum)},
        {"bleu1_13a_smooth_mean", bleu_value(texts, 1)},
        {"bleu2_13a_smooth_mean", bleu_value(texts, 2)},
        {"bleu3_13a_smooth_mean", bleu_value(texts, 3)},
        {"bleu4_13a_smooth_mean", bleu_value(texts, 4)},
        {"meteor_nltk", [&texts](std::size_t i) { return texts.meteor(false)[i]; }},
        {"cider_d", [&texts](std::size_t i) { return texts.cider_d()[i]; }}};
    if (synonyms != nullptr) {
      values.emplace_back("meteor_nltk_wordnet", [&texts](std::size_t i) { return texts.meteor(true)[i]; });
    }
    for (const auto& [id, value] : values) {
      const MetricContract& contract = diagnostic_contract(id + ending);
      if (choice.wants(slot_of(contract), contract))
        out.push_back(text_measure(id + ending, cases, of, value));
    }
    if (!choice.wants_group("bleu")) continue;
    for (CaseMeasure& measure : corpus_bleu(of, cases, ending)) out.push_back(std::move(measure));
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

std::vector<CaseMeasure> unavailable_measures(std::string_view group, std::size_t cases,
                                              const std::string& reason) {
  std::vector<CaseMeasure> out;
  for (const MetricContract& contract : diagnostic_contracts()) {
    const bool is_meant = contract.group == group || contract.id.starts_with(group);
    if (!is_meant || contract.scorer == Scorer::official) continue;
    out.push_back(empty_measure(contract.id, cases));
    out.back().absence = "unavailable: " + reason;
  }
  return out;
}

}  // namespace fiducial
