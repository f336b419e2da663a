#include "fiducial/pages/diagnostic_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/sections.h"
#include "fiducial/pages/strip_plot.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr std::size_t most_groups = 24;  // of a kind, in a plot or a table

std::string percent(double share) { return fixed(share * 100, 1) + " %"; }

std::optional<double> number_at(const Json& summary, std::initializer_list<std::string_view> way) {
  const Json* found = summary_at(summary, way);
  return found == nullptr ? std::nullopt : found->as_number();
}

// A label that fits beside a plot.
std::string short_label(std::string label) {
  std::size_t end = 0;
  std::size_t characters = 0;
  while (end < label.size() && characters < 33) {
    do ++end;
    while (end < label.size() && (static_cast<unsigned char>(label[end]) & 0xC0U) == 0x80U);
    ++characters;
  }
  if (end < label.size()) label = label.substr(0, end) + "…";
  return label;
}

// A share with its Wilson interval.
ReportedValue share_of(const Json& entry) {
  ReportedValue out{.value = number_at(entry, {"value"}), .is_share = true};
  const Json* interval = entry.find("wilson95");
  if (interval != nullptr && interval->as_array() != nullptr && interval->as_array()->size() == 2) {
    out.low = interval->as_array()->front().as_number();
    out.high = interval->as_array()->back().as_number();
  }
  return out;
}

std::string head(const DiagnosticPageInput& input) {
  const Json& summary = input.summary;
  const ReportedValue accuracy = share_of(*summary_at(summary, {"metrics", "accuracy"}));
  const std::int64_t cases = summary_count(summary, {"counts", "cases"});
  std::string out = "<p class=\"over\">Diagnoses &middot; " +
                    html_escaped(summary_text(summary, {"benchmark"})) + " &middot; " +
                    html_escaped(summary_text(summary, {"split"})) + "</p>\n<h1><bdi>" +
                    html_escaped(summary_text(summary, {"system"})) + "</bdi></h1>\n<p class=\"soft\">" +
                    counted(cases, "case", "cases") + ", five options each" +
                    (input.is_private ? ". A private report: nothing about single cases." : "") + "</p>\n";
  if (!accuracy.value) return out;
  out += "<p class=\"lead\"><b>" + decimal(summary_count(summary, {"metrics", "accuracy", "correct"})) +
         " of " + decimal(cases) + "</b> diagnoses are right: <b>" + percent(*accuracy.value) +
         "</b>, 95 % interval " + percent(*accuracy.low) + " to " + percent(*accuracy.high) +
         " (Wilson). Always answering " +
         html_escaped(summary_text(summary, {"baselines", "majority", "letter"})) +
         ", without a look at any picture, reaches " +
         percent(number_at(summary, {"baselines", "majority", "value"}).value_or(0)) + ".</p>\n";
  return out;
}

std::string answers_verdict(const Json& summary) {
  const std::int64_t missing = summary_count(summary, {"counts", "missing"});
  const std::int64_t ambiguous = summary_count(summary, {"counts", "ambiguous"});
  const std::int64_t refused = summary_count(summary, {"counts", "refused"});
  const std::int64_t invalid = summary_count(summary, {"counts", "invalid"});
  const std::int64_t lost = missing + ambiguous + refused + invalid;
  const std::int64_t cases = summary_count(summary, {"counts", "cases"});
  if (lost == 0)
    return verdict(true, "Every case is answered",
                   "One letter was found in each of " + decimal(cases) + " replies.");
  return verdict(false, decimal(lost) + " of " + decimal(cases) + " without an answer",
                 decimal(missing) + " missing, " + decimal(ambiguous) + " ambiguous, " + decimal(refused) +
                     " refused, " + decimal(invalid) +
                     " without a letter. They count as wrong and stay in the denominator.");
}

std::string lenient_verdict(const Json& summary) {
  const auto count = [&summary](const char* rule) { return summary_count(summary, {"counts", rule}); };
  const std::int64_t last = count("rule_lone_letter") + count("rule_e_last_letter");
  const std::int64_t words = count("rule_option_text") + count("rule_boxed") + count("rule_first_line") +
                             count("rule_elimination") + count("rule_f_option_text") + count("rule_d_boxed");
  if (last + words == 0)
    return verdict(true, "Answers are given plainly", "Every answer was a letter, JSON or a statement.");
  return verdict(
      false, counted(last + words, "answer was", "answers were") + " found by weaker rules",
      decimal(last) + " by a letter that only stands there. Compare the accuracy of plain answers.");
}

// The best of what sees no picture.
std::string baseline_verdict(const Json& summary) {
  const ReportedValue accuracy = share_of(*summary_at(summary, {"metrics", "accuracy"}));
  double best = number_at(summary, {"baselines", "majority", "value"}).value_or(0.2);
  std::string name = "the commonest letter";
  const Json* runs = summary_at(summary, {"baselines", "runs"});
  for (std::size_t i = 0; runs != nullptr && i < runs->as_array()->size(); ++i) {
    const Json& each = (*runs->as_array())[i];
    const double value = number_at(each, {"value"}).value_or(0);
    if (value <= best) continue;
    best = value;
    name = html_escaped(summary_text(each, {"name"}));
  }
  const bool above = accuracy.low && *accuracy.low > best;
  return verdict(above, above ? "Above every baseline shown" : "Not clearly above its baselines",
                 "The best of them is " + name + " with " + percent(best) +
                     (runs == nullptr ? "; no run without pictures or with options alone was given." : "."));
}

std::string baselines_section(const Json& summary) {
  if (summary.find("baselines") == nullptr) return "";  // withheld
  std::vector<Strip> strips;
  const std::int64_t cases = summary_count(summary, {"counts", "cases"});
  const auto add = [&](const std::string& label, const ReportedValue& value) {
    strips.push_back({.label = label, .n = cases, .mean = value});
  };
  add(summary_text(summary, {"system"}), share_of(*summary_at(summary, {"metrics", "accuracy"})));
  const Json* runs = summary_at(summary, {"baselines", "runs"});
  for (std::size_t i = 0; runs != nullptr && i < runs->as_array()->size(); ++i) {
    add(summary_text((*runs->as_array())[i], {"name"}), share_of((*runs->as_array())[i]));
  }
  add("always " + summary_text(summary, {"baselines", "majority", "letter"}),
      share_of(*summary_at(summary, {"baselines", "majority"})));
  add("letters as often as keys", {.value = number_at(summary, {"baselines", "letter_prior"})});
  add("chance", {.value = number_at(summary, {"baselines", "chance"})});
  for (Strip& strip : strips) strip.label = short_label(strip.label);
  return "<section>\n<h2>Beside what sees no picture</h2>\n<p class=\"note\">Accuracy with 95 % Wilson "
         "intervals. Histories and options alone give some answers away; runs with options only or without "
         "images (<code>--baseline</code>) show how many.</p>\n<div class=\"card\">" +
         strip_plot("Accuracy beside baselines", strips) + "</div>\n</section>\n";
}

struct RuleTitle {
  const char* count;
  const char* title;
  bool strict;
};
// The rules of the first version have letters in their names; a run has those of one version.
constexpr RuleTitle rule_titles[] = {{"rule_letter", "the prediction is a letter", true},
                                     {"rule_json", "JSON", true},
                                     {"rule_statement", "a statement: &ldquo;the answer is B&rdquo;", true},
                                     {"rule_boxed", "\\boxed{B}", false},
                                     {"rule_first_line", "a sentence of nothing but the letter", false},
                                     {"rule_option_text", "the text of an option", false},
                                     {"rule_elimination", "the other four are rejected", false},
                                     {"rule_lone_letter", "the only letter that stands alone", false},
                                     {"rule_a_json", "a. the reply is JSON", true},
                                     {"rule_b_json_inside", "b. JSON inside the reply", true},
                                     {"rule_c_answer_line", "c. a line &ldquo;Answer: X&rdquo;", true},
                                     {"rule_d_boxed", "d. \\boxed{X}", false},
                                     {"rule_e_last_letter", "e. the last letter that stands alone", false},
                                     {"rule_f_option_text", "f. the text of one option", false},
                                     {"ambiguous", "several options, none committed to", false},
                                     {"refused", "refused to answer", false},
                                     {"invalid", "no letter found", false},
                                     {"missing", "no prediction", false}};

std::string rules_section(const Json& summary) {
  std::string rows;
  for (const RuleTitle& rule : rule_titles) {
    if (summary_at(summary, {"counts", rule.count}) == nullptr) continue;
    const std::int64_t count = summary_count(summary, {"counts", rule.count});
    rows += std::string("<tr><td>") + rule.title + "</td><td class=\"num\">" + decimal(count) + "</td><td>" +
            (rule.strict ? "yes" : "no") + "</td></tr>\n";
  }
  return "<section>\n<h2>How answers were found</h2>\n<p class=\"note\">The first rule that fits decides. "
         "The "
         "accuracy of plain answers takes rules a to c only.</p>\n<div "
         "class=\"card\"><table><thead><tr><th>rule</th>"
         "<th class=\"num\">cases</th><th>counts as plain</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n</section>\n";
}

struct AnswerGroupTitle {
  std::string_view kind;
  std::string_view title;
  bool first;  // shown at once
};
constexpr AnswerGroupTitle answer_group_titles[] = {
    {"icd_chapter", "By ICD-10 chapter", true},
    {"images", "By number of images", true},
    {"longitudinal", "Longitudinal cases", true},
    {"key_is_longest", "Is the right option the longest?", true},
    {"key_letter", "By letter of the key", true},
    {"modalities", "By number of modalities", false},
    {"modality_set", "By modalities", false},
    {"sub_modality", "By sub-modality (a case may have several)", false},
    {"timepoints", "By number of timepoints", false},
    {"equal_options", "Cases with equal options", false},
    {"icd_block", "By ICD-10 block", false},
    {"icd_category", "By ICD-10 category", false}};

struct Group {
  std::string label;
  const Json* slots;
  std::int64_t n;
};

// The number that a label begins with: "17-49" is after "5-8".
std::optional<std::int64_t> leading_number(const std::string& label) {
  return parse_integer(label.substr(0, label.find_first_not_of("0123456789")));
}

// The largest groups of a kind, by their numbers or in the order of the summary.
std::vector<Group> largest_groups(const Json& labels) {
  std::vector<Group> out;
  for (const auto& [label, slots] : *labels.as_object()) {
    out.push_back({label, &slots, summary_count(slots, {"accuracy", "n"})});
  }
  const bool has_numbers =
      std::all_of(out.begin(), out.end(), [](const Group& group) { return leading_number(group.label); });
  if (has_numbers) {
    std::stable_sort(out.begin(), out.end(), [](const Group& a, const Group& b) {
      return leading_number(a.label) < leading_number(b.label);
    });
  }
  if (out.size() <= most_groups) return out;
  std::vector<std::int64_t> sizes;
  sizes.reserve(out.size());
  for (const Group& group : out) sizes.push_back(group.n);
  std::sort(sizes.rbegin(), sizes.rend());
  const std::int64_t least = sizes[most_groups - 1];
  std::erase_if(out, [least](const Group& group) { return group.n < least; });
  out.resize(std::min(out.size(), most_groups));
  return out;
}

std::string group_plot(const std::string& title, const std::vector<Group>& groups) {
  std::vector<Strip> strips;
  for (const Group& group : groups) {
    const Json* accuracy = group.slots->find("accuracy");
    if (accuracy == nullptr) continue;
    strips.push_back({.label = short_label(group.label), .n = group.n, .mean = share_of(*accuracy)});
  }
  return strips.empty() ? "" : strip_plot("Accuracy " + title, strips);
}

std::string group_table(const std::vector<Group>& groups) {
  std::string rows;
  for (const Group& group : groups) {
    const Json* accuracy = group.slots->find("accuracy");
    if (accuracy == nullptr) continue;
    const ReportedValue value = share_of(*accuracy);
    rows += "<tr><td>" + html_escaped(group.label) + "</td><td class=\"num\">" + decimal(group.n) +
            "</td><td class=\"num\">" + decimal(summary_count(*accuracy, {"correct"})) +
            "</td><td class=\"num\">" + value_text(value) + "<span class=\"ci\">" + interval_text(value) +
            "</span></td></tr>\n";
  }
  return "<table><thead><tr><th></th><th class=\"num\">cases</th><th class=\"num\">right</th><th "
         "class=\"num\">accuracy</th></tr></thead><tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string groups_part(const Json& summary) {
  const Json* kinds = summary.find("groups");
  if (kinds == nullptr || kinds->as_object() == nullptr) return "";
  std::string out =
      "<section>\n<h2>Where it is right and where it is not</h2>\n<p class=\"note\">Accuracy with 95 % "
      "Wilson "
      "intervals. Groups of few cases have wide ones: read them with their n.</p>\n<div class=\"card\">\n";
  std::string more;
  for (const AnswerGroupTitle& kind : answer_group_titles) {
    const Json* labels = kinds->find(kind.kind);
    if (labels == nullptr || labels->as_object() == nullptr || labels->as_object()->empty()) continue;
    const std::vector<Group> groups = largest_groups(*labels);
    std::string part = "<h3>" + std::string(kind.title) + "</h3>\n";
    part += kind.first ? group_plot(std::string(kind.title), groups) : group_table(groups);
    const std::size_t left_out = labels->as_object()->size() - groups.size();
    if (left_out > 0) {
      part += "<p class=\"note\">" + decimal(left_out) + " smaller groups are in summary.json.</p>\n";
    }
    (kind.first ? out : more) += part;
  }
  if (!more.empty()) out += "<details><summary>Other groups</summary>\n" + more + "</details>\n";
  return out + "</div>\n</section>\n";
}

std::string excerpt(const std::string& text) {
  constexpr std::size_t most = 420;
  if (text.size() <= most) return html_escaped(text);
  std::size_t end = text.rfind(' ', most);
  if (end == std::string::npos || end < most / 2) end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return html_escaped(text.substr(0, end)) + " &hellip;";
}

std::string lost_card(const LostCase& lost) {
  const std::string said = lost.is_missing ? "no prediction"
                           : lost.answer   ? "answered " + std::string(1, *lost.answer)
                                           : "no letter found";
  std::string out =
      "<article class=\"card finding\"><header><div><h3><bdi>" + html_escaped(lost.entry.title) +
      "</bdi></h3><p class=\"where\">" + html_escaped(lost.entry.icd_category) + " &middot; " +
      counted(static_cast<std::int64_t>(lost.entry.images.size()), "image", "images") +
      "</p></div><div class=\"dice\"><b>" + said + "</b>" +
      (lost.answer ? "<span class=\"note\">rule " + html_escaped(lost.rule) + "</span>" : "") +
      "</div></header>\n<p>" + excerpt(lost.entry.history) + "</p>\n<ol class=\"options\" type=\"A\">";
  for (std::size_t i = 0; i < lost.entry.options.size(); ++i) {
    const char letter = DiagnosticCase::letters[i];
    const bool is_key = letter == lost.entry.key;
    const bool is_said = lost.answer == letter;
    out += std::string("<li") +
           (is_key    ? " class=\"key-option\""
            : is_said ? " class=\"wrong-option\""
                      : "") +
           "><bdi>" + html_escaped(lost.entry.options[i]) + "</bdi>" +
           (is_key    ? " <em>the diagnosis</em>"
            : is_said ? " <em>answered</em>"
                      : "") +
           "</li>";
  }
  out += "</ol>\n";
  for (const std::string& step : lost.false_steps) {
    out += "<p class=\"note\">False critical step: <bdi>" + html_escaped(step) + "</bdi></p>\n";
  }
  return out + "</article>\n";
}

std::string lost_section(const DiagnosticPageInput& input) {
  if (input.is_private || input.lost.empty()) return "";
  std::string out =
      "<section>\n<h2>Cases that were lost</h2>\n<p class=\"note\">" + decimal(input.lost.size()) + " of " +
      decimal(input.lost_in_all) +
      ": first those without an answer, then wrong ones with false critical steps, then by case "
      "number. rows.parquet has them all.</p>\n";
  for (const LostCase& lost : input.lost) out += lost_card(lost);
  return out + "</section>\n";
}

std::string limits_section(const Json& summary) {
  std::vector<std::string> lines{
      "All cases come from one source of teaching cases, and models may have seen them in training.",
      "A case is not a patient population: teaching cases are rare and clear more often than daily ones.",
      std::string("This is a single run: intervals tell how much the choice of cases matters, ") +
          "not how much a second run of the same system would differ.",
      "Histories still give some diagnoses away, so an accuracy is read beside runs without pictures.",
      std::string(
          "The benchmark publishes no answer parser. Ours is defined, versioned and counted rule by ") +
          "rule; official means its published clean-up of replies before that."};
  const Json* metrics = summary.find("metrics");
  if (metrics != nullptr && metrics->find("radcliq_v1_step1") != nullptr) {
    lines.emplace_back(
        "RadCliQ was fitted on reports of chest X-rays. Lower is better, and whether it means anything for "
        "captions of other modalities is unproven.");
  }
  if (metrics != nullptr && metrics->find("step_factuality") != nullptr) {
    lines.emplace_back(
        "Steps are judged by a model or by people: steps without a valid verdict are left out and counted, "
        "never held against the system.");
  }
  std::string out = "<section>\n<h2>What these numbers do not say</h2>\n<div class=\"card\"><ul>\n";
  for (const std::string& line : lines) out += "<li>" + line + "</li>\n";
  return out + "</ul></div>\n</section>\n";
}

std::string tiles_part(const Json& summary) {
  std::string out;
  std::size_t shown = 0;
  for (const char* slot : {"accuracy", "accuracy_strict", "step_factuality", "education_value",
                           "rouge_l_step1", "rouge_l_step2"}) {
    const std::string one = shown < 4 ? tile(summary, slot) : "";
    if (!one.empty()) ++shown;
    out += one;
  }
  return "<section>\n<div class=\"tiles\">\n" + out + "</div>\n</section>\n";
}

std::string values_part(const Json& summary) {
  return "<section>\n<h2>All values</h2>\n<p class=\"note\">A missing prediction is wrong, and a text that "
         "was "
         "not written scores 0; steps and discussions count where they were judged. Intervals are 95 %, "
         "resampled over cases.</p>\n" +
         values_table(summary) + "</section>\n";
}

}  // namespace

std::string diagnostic_page(const DiagnosticPageInput& input) {
  const Json& summary = input.summary;
  std::string out = head(input) + "<div class=\"verdicts\">\n" + answers_verdict(summary) +
                    baseline_verdict(summary) + lenient_verdict(summary) + "</div>\n";
  out += tiles_part(summary) + baselines_section(summary) + rules_section(summary) + values_part(summary);
  out += groups_part(summary) + lost_section(input) + limits_section(summary);
  const ReportInput shared{
      .summary = summary, .findings = {}, .command = input.command, .is_private = input.is_private};
  out += remarks_section(shared) + reproduce_section(shared);
  return page_of(summary, out);
}

}  // namespace fiducial
