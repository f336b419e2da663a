#include "fiducial/metrics/diagnosis_contracts.h"

#include <algorithm>
#include <string>

#include "fiducial/base/error.h"
#include "fiducial/base/number_text.h"
#include "fiducial/metrics/text_metric.h"

namespace fiducial {

namespace {

constexpr const char* release = "MedThinkVQA, arXiv 2604.16506";

// A share of what is counted, by both scorers' rules.
struct Share {
  std::string id;
  std::string title;
  std::string input;
  std::string group;
  std::string definition;
  std::string empty;  // what it gives where there is nothing to count
  Direction better = Direction::higher;
};

MetricContract contract_of(const Share& share) {
  return {.id = share.id,
          .title = share.title,
          .input = share.input,
          .group = share.group,
          .better = share.better,
          .range = "[0, 1]",
          .empty = {.both = share.empty,
                    .reference = share.empty,
                    .prediction = share.empty,
                    .missing = share.empty},
          .definition = share.definition,
          .valid_for = "multiple-choice diagnosis with five options",
          .citation = release};
}

void append_both(std::vector<MetricContract>& out, const Share& share, const std::string& strict_rules,
                 const std::string& official_rules) {
  out.push_back(contract_of(share));
  out.back().parameters = strict_rules;
  out.push_back(contract_of(share));
  out.back().id += "_official";
  out.back().scorer = Scorer::official;
  out.back().parameters = official_rules;
}

void append_answers(std::vector<MetricContract>& out) {
  const std::string strict = "reply clean-up: a lone closing think tag ends the reasoning";
  const std::string official =
      "reply clean-up as published: a lone closing think tag leaves the text before it";
  const std::string empty = "counts as wrong";
  append_both(
      out,
      {"answer_accuracy", "Accuracy", "answers", "answers",
       "cases whose reply commits itself to the key, by any rule of docs/formats/answers.md / all cases",
       empty},
      strict, official);
  append_both(out,
              {"answer_accuracy_strict", "Accuracy of plain answers", "answers", "answers",
               "the same by a letter, JSON or a statement only", empty},
              strict, official);
  for (MetricContract& contract : out) {
    if (contract.group != "answers") continue;
    contract.version = 4;
    contract.less_is_never_better = true;
  }
}

constexpr const char* step_words[] = {"per-image findings against captions",
                                      "the integrated summary against the imaging findings"};

void append_step_texts(std::vector<MetricContract>& out) {
  for (const TextMetric* metric : text_metrics_of("diagnosis")) {
    for (const std::size_t step : {0U, 1U}) {
      MetricContract contract = metric->contract;
      contract.id += "_step" + decimal(step + 1);
      contract.title += ", step " + decimal(step + 1);
      contract.definition += "; of " + std::string(step_words[step]) + " that are not empty";
      contract.empty = {.both = "undefined: no reference text",
                        .reference = "undefined: no reference text",
                        .prediction = "0",
                        .missing = "0",
                        .missing_value = 0};
      if (metric->values == nullptr)  // of the corpus: nothing is averaged
        contract.empty.prediction = contract.empty.missing = "counts as a text of no words";
      contract.citation += "; " + std::string(release);
      out.push_back(std::move(contract));
    }
  }
}

void append_radcliq(std::vector<MetricContract>& out) {
  for (const char* version : {"0", "1"}) {
    for (const std::size_t step : {0U, 1U}) {
      const std::string worst = std::string(version) == "0" ? "5.516" : "2.450";
      const std::string all_zero = worst + ": all components 0";
      out.push_back(
          {.id = std::string("radcliq_v") + version + "_step" + decimal(step + 1),
           .title = std::string("RadCliQ-v") + version + ", step " + decimal(step + 1),
           .input = "component scores",
           .group = "radcliq",
           .better = Direction::lower,
           .range = std::string(version) == "0" ? "[-0.96, 6.23] for components from 0 to 1"
                                                : "[-1.45, 2.46] for components from 0 to 1",
           .empty = {.both = "undefined: no reference text",
                     .reference = "undefined: no reference text",
                     .prediction = all_zero,
                     .missing = all_zero},
           .definition = "linear model of four standardised components (RadGraph F1, BERTScore, CheXbert "
                         "cosine, BLEU-2) of " +
                         std::string(step_words[step]) +
                         "; mean over the texts whose components are known, never its reciprocal",
           .parameters = "components are imported, or made by a provider",
           .valid_for = "reports of chest X-rays, on which it was fitted; unproven for captions of other "
                        "modalities",
           .citation = "Yu 2023, Evaluating progress in automatic chest X-ray radiology report generation"});
    }
  }
}

void append_steps(std::vector<MetricContract>& out) {
  const std::string strict = "steps without a valid verdict are left out and counted";
  const std::string official =
      "as published: verdicts by position, a missing one is not factual and not critical";
  const std::string empty = "undefined: no judged step";
  const auto add = [&](const std::string& id, const std::string& title, const std::string& definition,
                       Direction better) {
    append_both(out, {id, title, "verdicts", "steps", definition, empty, better}, strict, official);
  };
  add("step_factuality", "Factual steps", "factual steps / judged steps", Direction::higher);
  add("critical_step_factuality", "Factual critical steps", "factual critical steps / judged critical steps",
      Direction::higher);
  for (const StepErrorType& type : step_error_types) {
    const std::string name(type.label);
    const std::string word(type.word);
    add("error_share_" + word, name + " among false steps",
        "false steps of that error type / false steps; a step may have several types", Direction::none);
    add("error_share_" + word + "_critical", name + " among false critical steps",
        "false critical steps of that error type / false critical steps", Direction::none);
  }
  add("critical_error_rate", "Cases with a critical error",
      "cases with at least one false critical step / cases with a judged step", Direction::lower);
  add("right_for_wrong_reason", "Right for the wrong reason",
      "cases with at least one false critical step / judged cases whose answer is right", Direction::lower);
}

void append_discussion(std::vector<MetricContract>& out) {
  const std::string empty = "undefined: not rated";
  MetricContract value{.id = "education_value",
                       .title = "Education value",
                       .input = "ratings",
                       .group = "discussion",
                       .range = "[0, 10]",
                       .unit = "points",
                       .empty = {.both = empty, .reference = empty, .prediction = empty, .missing = empty},
                       .definition =
                           "sum of five items of 0 to 2 points; mean over the raters of a case, "
                           "then over cases",
                       .parameters = "raters with an item left blank are left out of the total",
                       .valid_for = "discussions rated by people or a judge",
                       .citation = release};
  out.push_back(value);
  for (const std::string_view item : education_items) {
    MetricContract one = value;
    one.id = "education_" + std::string(item);
    one.title = "Education: " + std::string(item);
    std::replace(one.title.begin(), one.title.end(), '_', ' ');
    one.range = "[0, 2]";
    one.definition = "points for this item; mean over the raters of a case, then over cases";
    one.parameters = "";
    out.push_back(std::move(one));
  }
  out.push_back(contract_of({"discussion_sections", "Sections present", "texts", "discussion",
                             "sections of the six headings that the discussion has / 6, mean over cases", "0",
                             Direction::higher}));
  out.push_back(
      contract_of({"discussion_sentence_correctness", "Correct sentences", "ratings", "discussion",
                   "sentences rated correct / rated sentences, a rating of every rater counting once", empty,
                   Direction::higher}));
}

void append_contamination(std::vector<MetricContract>& out) {
  Share share{.id = "history_known",
              .title = "Histories known by heart",
              .input = "texts",
              .group = "contamination",
              .definition =
                  "cases whose second half of the history the model continues with a similarity of "
                  "at least 0.95 / continued cases",
              .empty = "undefined: no continuation",
              .better = Direction::none};
  const std::size_t first = out.size();
  out.push_back(contract_of(share));
  share.id = "history_similarity";
  share.title = "Similarity of continued histories";
  share.definition =
      "1 - edit distance / length of the longer text, of the second half of the history and what the model "
      "makes of the first; mean over continued cases";
  out.push_back(contract_of(share));
  for (std::size_t i = first; i < out.size(); ++i) {
    out[i].valid_for = "histories that were published before the model was trained";
    out[i].citation = "MELD, Nori 2023, arXiv 2303.13375";
  }
}

std::vector<MetricContract> make_diagnosis_contracts() {
  std::vector<MetricContract> out;
  append_answers(out);
  append_step_texts(out);
  append_radcliq(out);
  append_steps(out);
  append_discussion(out);
  append_contamination(out);
  return out;
}

}  // namespace

const std::vector<MetricContract>& diagnosis_contracts() {
  static const std::vector<MetricContract> all = make_diagnosis_contracts();
  return all;
}

const MetricContract& diagnosis_contract(std::string_view id) {
  const auto& all = diagnosis_contracts();
  const auto found =
      std::find_if(all.begin(), all.end(), [id](const MetricContract& each) { return each.id == id; });
  FIDUCIAL_ASSERT(found != all.end());
  return *found;
}

std::string diagnosis_slot(const MetricContract& contract) {
  const std::string& id = contract.id;
  const std::size_t ending = id.rfind("_step");
  if (ending != std::string::npos) {
    const TextMetric* metric = find_text_metric(id.substr(0, ending));
    if (metric != nullptr) return metric->slot + id.substr(ending);
  }
  const std::size_t begin = id.starts_with("answer_") ? 7 : 0;
  const std::size_t end = id.ends_with("_official") ? id.size() - 9 : id.size();
  return id.substr(begin, end - begin);
}

}  // namespace fiducial
