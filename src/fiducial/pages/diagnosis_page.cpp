#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/lost_cases.h"
#include "fiducial/pages/strip_plot.h"
#include "fiducial/pages/task_page.h"

namespace fiducial {

namespace {

std::string percent(double share) { return fixed(share * 100, 1) + " %"; }

ReportedValue accuracy_in(const Json& summary) {
  return reported_value(summary.find("metrics"), "accuracy").value_or(ReportedValue{});
}

// A baseline as the summary tells of it.
ReportedValue baseline_value(const Json& entry) {
  const Json slots = Json::object({{"baseline", entry}});
  ReportedValue out = reported_value(&slots, "baseline").value_or(ReportedValue{});
  out.is_share = true;
  return out;
}

Html diagnosis_lead(const Json& summary) {
  const ReportedValue accuracy = accuracy_in(summary);
  if (!accuracy.value) return {};
  const std::string right = decimal(summary_count(summary, {"metrics", "accuracy", "correct"})) + " of " +
                            decimal(summary_count(summary, {"counts", "cases"}));
  Html out = bold(right) + Html::of_text(" diagnoses are right: ") + bold(percent(*accuracy.value));
  if (accuracy.low && accuracy.high)
    out += Html::of_text(", 95 % interval " + percent(*accuracy.low) + " to " + percent(*accuracy.high) +
                         " (Wilson)");
  const std::string letter = summary_text(summary, {"baselines", "majority", "letter"});
  const auto majority = summary_number(summary, {"baselines", "majority", "value"});
  if (majority)
    out += Html::of_text(". Always answering " + letter + ", without looking at any image, reaches " +
                         percent(*majority));
  return out + Html::of_text(".");
}

// Why cases have no answer, as the summary counts them.
struct LostCount {
  const char* count;
  const char* words;  // of a verdict
  const char* title;  // of a table
};
constexpr LostCount lost_counts[] = {{"missing", "missing", "no prediction"},
                                     {"ambiguous", "ambiguous", "several options, none committed to"},
                                     {"refused", "refused", "refused to answer"},
                                     {"invalid", "without a letter", "no letter found"}};

Html answers_verdict(const Json& summary) {
  const std::int64_t cases = summary_count(summary, {"counts", "cases"});
  std::int64_t lost = 0;
  std::string parts;
  for (const LostCount& each : lost_counts) {
    const std::int64_t count = summary_count(summary, {"counts", each.count});
    lost += count;
    append_joined(parts, decimal(count) + " " + each.words);
  }
  if (lost == 0)
    return verdict(true, "Every case is answered",
                   "One letter was found in each of " + decimal(cases) + " replies.");
  return verdict(false, decimal(lost) + " of " + decimal(cases) + " without an answer",
                 parts + ". They count as wrong and stay in the denominator.");
}

struct RuleTitle {
  const char* count;
  const char* title;
  bool is_plain;  // the accuracy of plain answers takes it
};
// The rules of the first version have letters in their names; a run has those of one version.
constexpr RuleTitle rule_titles[] = {{"rule_letter", "the prediction is a letter", true},
                                     {"rule_json", "JSON", true},
                                     {"rule_statement", "a statement: “the answer is B”", true},
                                     {"rule_boxed", "\\boxed{B}", false},
                                     {"rule_first_line", "a sentence of nothing but the letter", false},
                                     {"rule_option_text", "the text of an option", false},
                                     {"rule_elimination", "the other four are rejected", false},
                                     {"rule_lone_letter", "the only letter that stands alone", false},
                                     {"rule_a_json", "a. the reply is JSON", true},
                                     {"rule_b_json_inside", "b. JSON inside the reply", true},
                                     {"rule_c_answer_line", "c. a line “Answer: X”", true},
                                     {"rule_d_boxed", "d. \\boxed{X}", false},
                                     {"rule_e_last_letter", "e. the last letter that stands alone", false},
                                     {"rule_f_option_text", "f. the text of one option", false}};

const RuleTitle* find_rule(std::string_view count) {
  for (const RuleTitle& rule : rule_titles) {
    if (count == rule.count) return &rule;
  }
  return nullptr;
}

// How many answers each rule found, in the order of the summary; rules that are not known here by their own
// words.
struct RuleCount {
  std::string title;
  std::int64_t cases = 0;
  bool is_plain = false;
};
std::vector<RuleCount> rule_counts(const Json& summary) {
  std::vector<RuleCount> out;
  const Json::Object* counts = find_object(summary, "counts");
  if (counts == nullptr) return out;
  constexpr std::string_view prefix = "rule_";
  for (const auto& [name, count] : *counts) {
    if (!name.starts_with(prefix) || count.as_integer() == nullptr) continue;
    const RuleTitle* rule = find_rule(name);
    std::string words = name.substr(prefix.size());
    std::replace(words.begin(), words.end(), '_', ' ');
    out.push_back(
        {rule == nullptr ? words : rule->title, *count.as_integer(), rule != nullptr && rule->is_plain});
  }
  return out;
}

Html lenient_verdict(const Json& summary) {
  std::int64_t guessed = 0;
  for (const RuleCount& rule : rule_counts(summary)) guessed += rule.is_plain ? 0 : rule.cases;
  if (guessed == 0)
    return verdict(true, "Answers follow the requested format",
                   "Every answer was a letter, JSON or a statement.");
  return verdict(false, counted(guessed, "answer was", "answers were") + " found by weaker rules",
                 "These replies do not have the requested form. Compare the accuracy of plain answers.");
}

// Whether a certificate vouches for the judge of the steps.
Html judge_verdict(const Json& summary) {
  const Json* judge = summary.find("judge");
  if (judge == nullptr) return {};
  if (flag_at(*judge, "is_certified").value_or(false))
    return verdict(true, "The judge of the steps is certified", "It is " + text_at(*judge, "model") + ".");
  return verdict(false, "The judge of the steps is uncertified",
                 joined(strings_at(*judge, "reasons"), "; ") + ".");
}

// The best of what sees no image.
Html baseline_verdict(const Json& summary) {
  if (summary.find("baselines") == nullptr) return {};  // withheld
  const ReportedValue accuracy = accuracy_in(summary);
  double best = summary_number(summary, {"baselines", "majority", "value"}).value_or(0.2);
  std::string name = "the most frequent letter";
  const Json::Array* runs = find_array(*summary.find("baselines"), "runs");
  for (std::size_t i = 0; runs != nullptr && i < runs->size(); ++i) {
    const double value = number_at((*runs)[i], "value").value_or(0);
    if (value <= best) continue;
    best = value;
    name = text_at((*runs)[i], "name");
  }
  const bool above = accuracy.low && *accuracy.low > best;
  return verdict(
      above, above ? "Above every baseline shown" : "Not clearly above its baselines",
      "The best baseline, " + name + ", reaches " + percent(best) + "." +
          (runs == nullptr ? " No run without images or with options only was given (--baseline)." : ""));
}

PageSection baselines_section(const Json& summary) {
  PageSection out{
      "baselines",
      "Compared with image-free baselines",
      Html::of_text("Accuracy with 95 % Wilson intervals. Histories and options alone give some "
                    "answers away; runs with options only or without images (--baseline) show how "
                    "many."),
      {}};
  const Json* baselines = summary.find("baselines");
  if (baselines == nullptr) return out;
  const std::int64_t cases = summary_count(summary, {"counts", "cases"});
  std::vector<Strip> strips;
  const auto add = [&](const std::string& label, const ReportedValue& value) {
    strips.push_back({.label = excerpt(label, 60), .n = cases, .dots = {}, .mean = value, .other_mean = {}});
  };
  add(summary_text(summary, {"system"}), accuracy_in(summary));
  const Json::Array* runs = find_array(*baselines, "runs");
  for (std::size_t i = 0; runs != nullptr && i < runs->size(); ++i)
    add(text_at((*runs)[i], "name"), baseline_value((*runs)[i]));
  if (const Json* majority = baselines->find("majority"))
    add("always " + text_at(*majority, "letter"), baseline_value(*majority));
  add("guessing by answer-letter frequency", {.value = number_at(*baselines, "letter_prior")});
  add("chance", {.value = number_at(*baselines, "chance")});
  out.body = card(strip_plot("Accuracy compared with baselines", strips));
  return out;
}

PageSection rules_section(const Json& summary) {
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "rule");
  table.column(HtmlTable::Kind::numbers, "cases");
  table.column(HtmlTable::Kind::words, "counts as plain");
  const auto add = [&table](std::string_view title, std::int64_t count, bool is_plain) {
    table.row({Html::of_text(title), Html::of_text(decimal(count)), Html::of_text(is_plain ? "yes" : "no")});
  };
  for (const RuleCount& rule : rule_counts(summary)) add(rule.title, rule.cases, rule.is_plain);
  for (const LostCount& each : lost_counts) {
    if (summary_at(summary, {"counts", each.count}) != nullptr)
      add(each.title, summary_count(summary, {"counts", each.count}), false);
  }
  return {
      "rules", "How answers were found",
      Html::of_text("The first rule that fits decides. The accuracy of plain answers takes only replies in "
                    "the asked form."),
      card(table.html())};
}

std::vector<std::string_view> diagnosis_limits(const Json& summary) {
  std::vector<std::string_view> out{
      "All cases come from one source of teaching cases, and models may have seen them in training.",
      "A case is not a patient population: teaching cases are rare and clear more often than daily ones.",
      "This is a single run: intervals reflect the choice of cases, not the variation between runs.",
      "Histories still give some diagnoses away: read an accuracy beside runs without images.",
      "The benchmark publishes no answer parser. Ours has a version, and its rules are counted above.",
      "Official means the published clean-up of replies before that parser."};
  if (summary_at(summary, {"metrics", "radcliq_v1_step1"}) != nullptr)
    out.emplace_back(
        "RadCliQ was fitted on reports of chest X-rays. Lower is better, and whether it means anything for "
        "captions of other modalities is unproven.");
  if (summary_at(summary, {"metrics", "step_factuality"}) != nullptr)
    out.emplace_back(
        "Steps are judged by a model or by people: steps without a valid verdict are left out and counted, "
        "never "
        "held against the system.");
  return out;
}

}  // namespace

Result<TaskPage> diagnosis_page(const RunPage& page) {
  const Json& summary = page.summary;
  TaskPage out{.lead = diagnosis_lead(summary),
               .verdicts = answers_verdict(summary) + baseline_verdict(summary) + lenient_verdict(summary) +
                           judge_verdict(summary),
               .tiles = {"accuracy", "accuracy_strict", "step_factuality", "education_value", "rouge_l_step1",
                         "rouge_l_step2"},
               .groups = {.plots = {"accuracy"},
                          .columns = {"accuracy"},
                          .kinds = {"icd_chapter", "images", "longitudinal", "key_is_longest", "key_letter"}},
               .limits = diagnosis_limits(summary)};
  out.counts = counted(summary_count(summary, {"counts", "cases"}), "case", "cases") + ", five options each";
  out.values_note = Html::of_text(
      "A missing prediction is wrong, and a text that was not written scores 0; steps and discussions count "
      "where they were judged. Intervals are 95 %: Wilson for accuracies, resampled over cases for the "
      "others.");
  out.before_values = {baselines_section(summary), rules_section(summary)};
  FIDUCIAL_TRY(out.after_groups.emplace_back(), lost_section(page));
  return out;
}

}  // namespace fiducial
