#include "fiducial/pages/sections.h"

#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/strip_plot.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr std::string_view headline_slots[] = {"dice_per_case", "dice_per_finding", "hit_rate",
                                               "instance_f1"};

std::string whole_percent(double share) { return fixed(share * 100, 0) + " %"; }

std::string with_interval(const ReportedValue& value) {
  const std::string interval = interval_text(value);
  return value_text(value) + (interval.empty() ? "" : ", 95 % interval " + interval);
}

// How well it went, in words that need no table.
std::string plain_sentence(const ReportInput& input) {
  const Json* metrics = input.summary.find("metrics");
  const auto dice = reported_value(metrics, "dice_per_case");
  const auto hits = reported_value(metrics, "hit_rate");
  std::string out;
  if (dice && dice->value) {
    out += "On average over cases, predicted and reference regions overlap with a Dice of <b>" +
           with_interval(*dice) + "</b>.";
  }
  if (hits && hits->value) {
    const auto found = static_cast<std::int64_t>(std::llround(*hits->value * static_cast<double>(hits->n)));
    out += " <b>" + decimal(found) + " of " + counted(hits->n, "finding", "findings") + "</b> (" +
           whole_percent(*hits->value) + ") were hit, that is, overlapped with a Dice of at least 0.1.";
  }
  return out.empty() ? "" : "<p class=\"lead\">" + out + "</p>\n";
}

}  // namespace

std::string verdict(bool good, const std::string& title, const std::string& text) {
  return std::string("<div class=\"verdict ") + (good ? "good" : "warn") + "\"><b>" + title + "</b>" + text +
         "</div>\n";
}

namespace {

std::string predictions_verdict(const Json& summary) {
  const std::int64_t cases = summary_count(summary, {"counts", "cases"});
  const std::int64_t missing = summary_count(summary, {"counts", "missing"});
  const std::int64_t failed = summary_count(summary, {"counts", "failed"});
  if (missing + failed == 0) {
    return verdict(true, "Every prediction was read",
                   counted(cases, "case", "cases") + ", none missing, none refused.");
  }
  return verdict(
      false, decimal(missing + failed) + " of " + counted(cases, "prediction", "predictions") + " not scored",
      decimal(missing) + " missing, " + decimal(failed) + " refused or unreadable. " +
          (summary_text(summary, {"mode"}) == "strict" ? "They count as 0 in strict." : ""));
}

std::string orientation_verdict(const Json& summary) {
  const Json* found = summary.find("orientation");
  if (found == nullptr || found->is_null()) {
    return verdict(true, "Orientation as expected", "No flip or swap of axes fits the reference better.");
  }
  const auto dice = [&](const char* key) {
    const Json* value = found->find(key);
    return value != nullptr && value->as_number() ? fixed(*value->as_number(), 3) : std::string("unknown");
  };
  const Json* named = found->find("cases");
  const auto count =
      static_cast<std::int64_t>(named != nullptr && named->as_array() ? named->as_array()->size() : 0);
  return verdict(
      false, "Axes look turned around",
      decimal(count) + " of " + counted(summary_count(summary, {"counts", "cases"}), "case", "cases") +
          " fit better under &ldquo;" + html_escaped(summary_text(*found, {"transform"})) +
          "&rdquo;: their Dice would be <b style=\"display:inline\">" + dice("dice_transformed") +
          "</b> instead of " + dice("dice_as_is") + ". Scores below are of the files as they are.");
}

std::string scorers_verdict(const Json& summary) {
  const auto strict = reported_value(summary.find("metrics"), "dice_per_case");
  const auto official = reported_value(summary.find("official"), "dice_per_case");
  if (!strict || !official) {
    return verdict(true, "One scorer",
                   "Scored by " + html_escaped(summary_text(summary, {"mode"})) + " rules only.");
  }
  if (!official->value || !strict->value) {
    return verdict(false, "The official scorer gives no value", html_escaped(official->reason));
  }
  const bool agree = std::abs(*strict->value - *official->value) < 0.005;
  return verdict(agree, agree ? "Both scorers agree" : "The scorers differ",
                 "Mean Dice over cases: strict " + value_text(*strict) + " (n " + decimal(strict->n) +
                     "), official " + value_text(*official) + " (n " + decimal(official->n) + ").");
}

// The number of a tile, with a smaller unit.
std::string value_with_unit(const ReportedValue& value) {
  std::string text = value_text(value);
  if (!value.value || value.unit.empty()) return text;
  return text.substr(0, text.size() - value.unit.size()) + "<small>" + html_escaped(value.unit) + "</small>";
}

}  // namespace

std::string tile(const Json& summary, std::string_view slot) {
  const auto value = reported_value(summary.find("metrics"), slot);
  const auto other = reported_value(summary.find("official"), slot);
  if (!value) return "";
  const std::string mode = html_escaped(summary_text(summary, {"mode"}));
  std::string out = "<div class=\"card tile\"><p class=\"name\">" + slot_title(slot) + "</p>";
  out += std::string("<p class=\"big strict") + (value->value ? "" : " none") + "\">" +
         value_with_unit(*value) + "</p>";
  if (value->is_share) out += interval_mark(value, other);
  const std::string interval = interval_text(*value);
  out += "<p><span class=\"strict\">" + mode + "</span> " +
         (interval.empty() ? html_escaped(value->reason) : "95 % interval " + interval) + "</p>";
  if (other) {
    const std::string beside = interval_text(*other);
    out += "<p class=\"soft\"><span class=\"official\">official</span> " + value_text(*other) +
           (beside.empty() ? "" : ", " + beside) + "</p>";
  }
  return out + "<p class=\"soft\">n = " + decimal(value->n) + "</p></div>\n";
}

namespace {

std::string value_cells(const std::optional<ReportedValue>& value) {
  if (!value) return "<td class=\"num soft\">&ndash;</td><td class=\"num\"></td>";
  const std::string interval = interval_text(*value);
  std::string out = "<td class=\"num\">" + value_text(*value);
  if (!interval.empty()) out += "<span class=\"ci\">" + interval + "</span>";
  if (!value->value && !value->reason.empty()) {
    out += "<br><span class=\"note\">" + html_escaped(value->reason) + "</span>";
  }
  out += "</td><td class=\"num\">" + decimal(value->n);
  if (value->n_undefined > 0)
    out += "<br><span class=\"note\">" + decimal(value->n_undefined) + " undefined</span>";
  if (value->n_failed > 0) out += "<br><span class=\"note\">" + decimal(value->n_failed) + " not read</span>";
  return out + "</td>";
}

std::string scorer_row(const Json& summary, const std::string& slot, bool has_official) {
  const auto value = reported_value(summary.find("metrics"), slot);
  const auto other = reported_value(summary.find("official"), slot);
  const bool is_share = (value ? value : other)->is_share;
  std::string out =
      "<tr><td>" + html_escaped(slot_title(slot)) + "<br><code>" + html_escaped(slot) + "</code></td>";
  out += value_cells(value);
  if (has_official) out += value_cells(other);
  return out + "<td>" + (is_share ? interval_mark(value, other) : "") + "</td></tr>\n";
}

}  // namespace

std::string head_section(const ReportInput& input) {
  const Json& summary = input.summary;
  return "<p class=\"over\">Grounding scores &middot; " + html_escaped(summary_text(summary, {"benchmark"})) +
         " &middot; " + html_escaped(summary_text(summary, {"split"})) + "</p>\n<h1><bdi>" +
         html_escaped(summary_text(summary, {"system"})) + "</bdi></h1>\n<p class=\"soft\">" +
         counted(summary_count(summary, {"counts", "cases"}), "case", "cases") + ", " +
         counted(summary_count(summary, {"counts", "findings"}), "finding", "findings") +
         (input.is_private ? ". A private report: no pictures and nothing about single cases." : "") +
         "</p>\n" + plain_sentence(input);
}

std::string verdict_section(const ReportInput& input) {
  return "<div class=\"verdicts\">\n" + predictions_verdict(input.summary) +
         orientation_verdict(input.summary) + scorers_verdict(input.summary) + "</div>\n";
}

std::string headline_section(const ReportInput& input) {
  std::string tiles;
  for (const std::string_view slot : headline_slots) tiles += tile(input.summary, slot);
  return tiles.empty() ? "" : "<section>\n<div class=\"tiles\">\n" + tiles + "</div>\n</section>\n";
}

std::string values_table(const Json& summary) {
  const std::string official_note = summary_text(summary, {"provenance", "official"});
  const bool has_note = official_note == "unconfirmed" || official_note == "published clean-up";
  const std::string official_title = has_note ? "official (" + official_note + ")" : "official";
  const Json* official = summary.find("official");
  std::string rows;
  for (const auto& [slot, value] : *summary.find("metrics")->as_object()) {
    rows += scorer_row(summary, slot, official != nullptr);
  }
  if (official != nullptr) {
    for (const auto& [slot, value] : *official->as_object()) {
      if (summary_at(summary, {"metrics", slot}) == nullptr) rows += scorer_row(summary, slot, true);
    }
  }
  std::string out =
      "<div class=\"card\"><table><thead><tr><th></th><th class=\"num\"><span class=\"strict\">" +
      html_escaped(summary_text(summary, {"mode"})) + "</span></th><th class=\"num\">n</th>";
  if (official != nullptr)
    out += "<th class=\"num\"><span class=\"official\">" + official_title +
           "</span></th><th class=\"num\">n</th>";
  return out + "<th>0 to 1</th></tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string scorers_section(const ReportInput& input) {
  std::string out = "<section>\n<h2>All values, both scorers</h2>\n<p class=\"note\">";
  out +=
      "<b class=\"strict\">Strict</b> counts a missing or unreadable prediction as 0 and keeps undefined "
      "values out "
      "of means. <b class=\"official\">Official</b> follows the rules of the published scorer, which leaves "
      "missing "
      "predictions out. Intervals are 95 %, resampled over patients.</p>\n";
  return out + values_table(input.summary) + "</section>\n";
}

}  // namespace fiducial
