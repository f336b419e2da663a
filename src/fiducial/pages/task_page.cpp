#include "fiducial/pages/task_page.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/sections.h"
#include "fiducial/pages/strip_plot.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr std::size_t most_tiles = 4;
constexpr const char* quoted_slots[] = {"grounded_f1",     "fact_f1",        "region_alignment",
                                        "clinical_f1",     "rouge_l",        "presence_accuracy",
                                        "location_any_of", "abnormality_f1", "mask_dice"};

// A guess that sees no image, and the value it is held against.
struct BlindGuess {
  const char* task;
  const char* slot;
  const char* measure;  // before "_by_" in the summary's baselines
};
constexpr BlindGuess blind_guesses[] = {{"presence", "presence_accuracy", "accuracy"},
                                        {"abnormality", "abnormality_exact", "exact"},
                                        {"location", "location_exact", "exact"},
                                        {"location", "location_head", "head"},
                                        {"disorders", "disorders_exact", "exact"}};

std::string words_of(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return html_escaped(out);
}

std::string number_cell(const std::string& text) { return "<td class=\"num\">" + text + "</td>"; }

bool is_grounded(const Json& summary) { return summary_text(summary, {"task"}) == "grounded_reports"; }

// What the numbers come to, in a sentence.
std::string lead(const Json& summary) {
  const Json* slots = summary.find("metrics");
  const auto said = [&](const char* slot) {
    const auto value = reported_value(slots, slot);
    return value && value->value ? "<b>" + fixed(*value->value, 3) + "</b>" : std::string();
  };
  if (is_grounded(summary)) {
    if (said("fact_f1").empty() || said("grounded_f1").empty()) return "";
    return "<p class=\"lead\">By its words alone the F1 of facts is " + said("fact_f1") +
           "; where a fact also has to be shown in the right place, it is " + said("grounded_f1") + ".</p>\n";
  }
  const auto presence = reported_value(slots, "presence_accuracy");
  const Json* blind = summary_at(summary, {"baselines", "presence", "accuracy_by_finding"});
  if (!presence || !presence->value || blind == nullptr || !blind->as_number()) return "";
  return "<p class=\"lead\">Of " +
         counted(presence->n, "question whether a finding is there, ",
                 "questions whether a finding is there, ") +
         said("presence_accuracy") +
         " are answered right. Who knows only the finding that is asked for and no " + "image gets <b>" +
         fixed(*blind->as_number(), 3) + "</b>.</p>\n";
}

std::string task_head(const TaskPageInput& input) {
  const Json& summary = input.summary;
  const std::int64_t questions = summary_count(summary, {"counts", "questions"});
  return std::string("<p class=\"over\">") +
         (is_grounded(summary) ? "Grounded reports" : "Questions, texts and masks") + " &middot; " +
         html_escaped(summary_text(summary, {"benchmark"})) + " &middot; " +
         html_escaped(summary_text(summary, {"split"})) + "</p>\n<h1><bdi>" +
         html_escaped(summary_text(summary, {"system"})) + "</bdi></h1>\n<p class=\"soft\">" +
         counted(summary_count(summary, {"counts", "cases"}), "case", "cases") +
         (questions > 0 ? ", " + counted(questions, "question", "questions") : "") +
         (input.is_private ? ". A private report: nothing about single cases." : "") + "</p>\n" +
         lead(summary);
}

std::string answered_verdict(const Json& summary) {
  const std::int64_t missing = summary_count(summary, {"counts", "missing"});
  if (missing == 0) return verdict(true, "Everything that was asked is answered", "No answer is missing.");
  return verdict(false, counted(missing, "answer is", "answers are") + " missing",
                 "They score 0 and stay in the denominator.");
}

std::string submitted_verdict(const Json& summary) {
  const Json* tasks = summary.find("tasks");
  if (tasks == nullptr || tasks->as_object() == nullptr) return "";
  std::string left_out;
  for (const auto& [name, task] : *tasks->as_object()) {
    if (summary_text(task, {"status"}) == "scored") continue;
    left_out += (left_out.empty() ? "" : ", ") + words_of(name);
  }
  if (left_out.empty())
    return verdict(true, "Every task was submitted", "All that the dataset asks is scored.");
  return verdict(false, "Not every task was submitted", "Nothing is said of: " + left_out + ".");
}

// Whether what is said right is also shown right.
std::string place_verdict(const Json& summary) {
  const auto said = reported_value(summary.find("metrics"), "fact_f1");
  const auto shown = reported_value(summary.find("metrics"), "grounded_f1");
  if (!said || !shown || !said->low || !shown->high) return "";
  const bool apart = *shown->high < *said->low;
  return verdict(!apart, apart ? "Right in words, not in place" : "No clear gap between words and places",
                 "A fact counts as shown where its mask or region meets that of the reference.");
}

// The best that is reached without an image.
std::optional<double> best_blind(const Json& summary, const BlindGuess& guess) {
  const Json* known = summary_at(summary, {"baselines", guess.task});
  if (known == nullptr || known->as_object() == nullptr) return std::nullopt;
  std::optional<double> best;
  for (const auto& [name, value] : *known->as_object()) {
    if (!name.starts_with(std::string(guess.measure) + "_by_") || !value.as_number()) continue;
    best = std::max(best.value_or(0), *value.as_number());
  }
  return best;
}

std::string blind_verdict(const Json& summary) {
  const BlindGuess& presence = blind_guesses[0];
  const auto value = reported_value(summary.find("metrics"), presence.slot);
  const std::optional<double> blind = best_blind(summary, presence);
  if (!value || !value->value || !blind) return "";
  const bool above = value->low && *value->low > *blind;
  return verdict(
      above, above ? "Above every guess without the image" : "Not clearly above a guess without the image",
      "The best guess at presence is right in " + fixed(*blind, 3) + ".");
}

std::string tiles_of(const Json& summary) {
  std::string tiles;
  std::size_t shown = 0;
  for (const char* slot : quoted_slots) {
    const std::string one = shown < most_tiles ? tile(summary, slot) : "";
    if (!one.empty()) ++shown;
    tiles += one;
  }
  return tiles.empty() ? "" : "<section>\n<div class=\"tiles\">\n" + tiles + "</div>\n</section>\n";
}

std::string blind_section(const Json& summary) {
  std::vector<Strip> strips;
  for (const BlindGuess& guess : blind_guesses) {
    const auto value = reported_value(summary.find("metrics"), guess.slot);
    const Json* known = summary_at(summary, {"baselines", guess.task});
    if (!value || known == nullptr || known->as_object() == nullptr) continue;
    strips.push_back({.label = slot_title(guess.slot), .n = value->n, .mean = value});
    const std::string prefix = std::string(guess.measure) + "_by_";
    for (const auto& [name, each] : *known->as_object()) {
      if (!name.starts_with(prefix) || !each.as_number()) continue;
      const std::string by = name.substr(prefix.size());
      strips.push_back({.label = by == "nothing" ? "guess: commonest answer" : "guess: from " + words_of(by),
                        .n = value->n,
                        .mean = ReportedValue{.value = each.as_number(), .is_share = true}});
    }
  }
  if (strips.empty()) return "";
  return "<section>\n<h2>Beside guesses without the image</h2>\n<p class=\"note\">What the commonest answer "
         "reaches, "
         "learnt on one half of the patients and asked in the other: of all questions, or of those with the "
         "same "
         "finding or region. A value is worth what it has above them.</p>\n<div class=\"card\">" +
         strip_plot("Values beside blind guesses", strips) + "</div>\n</section>\n";
}

std::string tasks_section(const Json& summary) {
  const Json* tasks = summary.find("tasks");
  if (tasks == nullptr || tasks->as_object() == nullptr) return "";
  std::string rows;
  for (const auto& [name, task] : *tasks->as_object()) {
    rows += "<tr><td>" + words_of(name) + "</td><td>" + words_of(summary_text(task, {"status"})) + "</td>" +
            number_cell(decimal(summary_count(task, {"questions"}))) +
            number_cell(decimal(summary_count(task, {"missing"}))) +
            number_cell(decimal(summary_count(task, {"unknown_rows"}))) + "</tr>\n";
  }
  return "<section>\n<h2>What was asked and what was answered</h2>\n<div "
         "class=\"card\"><table><thead><tr><th>task</th>"
         "<th></th><th class=\"num\">questions</th><th class=\"num\">missing</th><th class=\"num\">rows of "
         "no "
         "question</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n</section>\n";
}

std::string parts_section(const Json& summary) {
  const Json* regions = summary_at(summary, {"groups", "region"});
  if (regions == nullptr || regions->as_object() == nullptr || regions->as_object()->empty()) return "";
  std::string plots;
  for (const char* slot :
       {"rouge_l", "presence_accuracy", "abnormality_f1", "location_any_of", "mask_dice"}) {
    std::vector<Strip> strips;
    for (const auto& [region, slots] : *regions->as_object()) {
      const auto value = reported_value(&slots, slot);
      if (value && value->value && value->is_share)
        strips.push_back({.label = region.empty() ? "whole scan" : region, .n = value->n, .mean = value});
    }
    if (strips.size() < 2) continue;
    plots += "<h3>" + html_escaped(slot_title(slot)) + "</h3>\n" +
             strip_plot(slot_title(slot) + " by region", strips);
  }
  if (plots.empty()) return "";
  return "<section>\n<h2>By region</h2>\n<p class=\"note\">With 95 % intervals, resampled over patients; n "
         "are "
         "questions or texts. summary.json has every value of every region.</p>\n<div class=\"card\">\n" +
         plots + "</div>\n</section>\n";
}

std::string clinical_section(const Json& summary) {
  const Json* labels = summary_at(summary, {"clinical", "labels"});
  if (labels == nullptr || labels->as_object() == nullptr) return "";
  std::string rows;
  for (const auto& [label, counts] : *labels->as_object()) {
    if (summary_count(counts, {"reference"}) + summary_count(counts, {"predicted"}) == 0) continue;
    rows += "<tr><td>" + html_escaped(label) + "</td>";
    for (const char* count : {"reference", "predicted", "both"})
      rows += number_cell(decimal(summary_count(counts, {count})));
    for (const char* share : {"precision", "recall", "f1"}) {
      const Json* value = counts.find(share);
      rows += number_cell(value != nullptr && value->as_number() ? fixed(*value->as_number(), 3) : "");
    }
    rows += "</tr>\n";
  }
  if (rows.empty()) return "";
  return "<section>\n<h2>Abnormalities that the texts state</h2>\n<p class=\"note\">The 18 labels of "
         "CT-RATE, read from "
         "both texts of a volume by the same rules; labels that neither has are left out.</p>\n<div "
         "class=\"card\"><table><thead><tr><th>label</th><th class=\"num\">in reference</th><th "
         "class=\"num\">in "
         "prediction</th><th class=\"num\">in both</th><th class=\"num\">precision</th><th "
         "class=\"num\">recall</th><th class=\"num\">F1</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n</section>\n";
}

std::string all_values_section(const Json& summary) {
  return "<section>\n<h2>All values</h2>\n<p class=\"note\">A missing answer scores 0. Intervals are 95 %, "
         "resampled "
         "over patients.</p>\n" +
         values_table(summary) + "</section>\n";
}

std::string task_limits(const Json& summary) {
  std::vector<std::string> lines{
      "References were made from reports by language models or rules, and inherit their errors; "
      "<code>fiducial check</code> counts those that can be counted.",
      "What a report does not mention is not known to be absent."};
  if (is_grounded(summary)) {
    lines.emplace_back(
        "Facts are read by rules from both texts: a fact that the rules do not know is scored for nobody.");
  } else {
    lines.emplace_back(
        "Values of texts compare words. A text that says the opposite with the same words scores well: read "
        "them beside "
        "the abnormalities.");
  }
  std::string out = "<section>\n<h2>What these numbers do not say</h2>\n<div class=\"card\"><ul>\n";
  for (const std::string& line : lines) out += "<li>" + line + "</li>\n";
  return out + "</ul></div>\n</section>\n";
}

}  // namespace

std::string task_page(const TaskPageInput& input) {
  const Json& summary = input.summary;
  std::string out = task_head(input) + "<div class=\"verdicts\">\n" + answered_verdict(summary) +
                    submitted_verdict(summary) + blind_verdict(summary) + place_verdict(summary) + "</div>\n";
  out += tiles_of(summary) + blind_section(summary) + tasks_section(summary) + parts_section(summary);
  out += clinical_section(summary) + all_values_section(summary) + task_limits(summary);
  const ReportInput shared{
      .summary = summary, .findings = {}, .command = input.command, .is_private = input.is_private};
  out += remarks_section(shared) + reproduce_section(shared);
  return page_of(summary, out);
}

}  // namespace fiducial
