#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/sections.h"
#include "fiducial/pages/strip_plot.h"
#include "fiducial/text/html_text.h"
#include "fiducial/text/readable.h"

namespace fiducial {

namespace {

constexpr std::size_t most_tooltips = 3000;  // beyond them they would be most of the page
constexpr std::string_view table_slots[] = {"dice_per_finding", "hit_rate", "instance_f1"};

struct KindTitle {
  std::string_view kind;
  std::string_view title;
};
constexpr KindTitle kind_titles[] = {{"category", "By category"},
                                     {"size_voxels", "By size of the reference, in voxels"},
                                     {"focality", "Focal and non-focal"},
                                     {"entities", "By number of entities"},
                                     {"protocol", "By annotation protocol"}};

std::string kind_title(std::string_view kind) {
  for (const KindTitle& known : kind_titles) {
    if (known.kind == kind) return std::string(known.title);
  }
  return "By " + std::string(kind);
}

// Shown at once: what most people look for, and the columns of the metadata that somebody asked for.
bool is_shown_first(const Json& summary, std::string_view kind) {
  if (kind == "category" || kind == "size_voxels") return true;
  const Json* columns = summary.find("group_by");
  if (columns == nullptr || columns->as_array() == nullptr) return false;
  return std::any_of(columns->as_array()->begin(), columns->as_array()->end(), [kind](const Json& column) {
    return column.as_string() != nullptr && *column.as_string() == kind;
  });
}

// "10,000 – 99,999" for "10000-99999".
std::string grouped_numbers(const std::string& label) {
  std::string out;
  for (std::size_t i = 0; i < label.size();) {
    const std::size_t end = std::min(label.find_first_not_of("0123456789", i), label.size());
    const auto number = parse_integer(std::string_view(label).substr(i, end - i));
    if (number) {
      out += grouped_digits(*number);
      i = end;
    } else {
      out += label[i] == '-' ? " – " : std::string(1, label[i]);
      ++i;
    }
  }
  return out;
}

// "2d  nodule or mass" for codes of the benchmark's ontology.
std::string group_title(std::string_view kind, const std::string& label) {
  if (kind == "focality" && label == "non_focal") return "non-focal";
  if (kind == "size_voxels") return grouped_numbers(label);
  if (kind != "category") return label;
  const auto category = rexgroundingct::find_category(label);
  return category ? label + "  " + std::string(category->title) : label;
}

std::vector<StripDot> dots_of(const ReportInput& input, const std::string& kind, const std::string& label) {
  std::vector<StripDot> out;
  const bool tells = input.findings.size() <= most_tooltips;
  for (const ReportFinding& finding : input.findings) {
    const bool is_member = std::find(finding.groups.begin(), finding.groups.end(), std::pair(kind, label)) !=
                           finding.groups.end();
    if (!is_member || !finding.dice) continue;
    out.push_back({*finding.dice, tells ? finding.case_name + ", finding " + decimal(finding.index) +
                                              ": Dice " + fixed(*finding.dice, 3)
                                        : ""});
  }
  return out;
}

std::string plot_of(const ReportInput& input, const std::string& kind, const Json& groups) {
  std::vector<Strip> strips;
  for (const auto& [label, slots] : *groups.as_object()) {
    const auto mean = reported_value(&slots, "dice_per_finding");
    strips.push_back({.label = group_title(kind, label),
                      .n = mean ? mean->n : 0,
                      .dots = dots_of(input, kind, label),
                      .mean = mean,
                      .other_mean = reported_value(
                          summary_at(input.summary, {"official_groups", kind, label}), "dice_per_finding")});
  }
  return strip_plot("Dice of findings " + kind_title(kind), strips);
}

std::string cell(const std::optional<ReportedValue>& value) {
  if (!value) return "<td class=\"num soft\">&ndash;</td>";
  // One patient, or equal ones, say nothing about the spread.
  const bool varies = value->low && value->high && fixed(*value->low, 3) != fixed(*value->high, 3);
  const std::string interval = varies ? interval_text(*value) : "";
  return "<td class=\"num\">" + (value->value ? value_text(*value) : "&ndash;") +
         (interval.empty() ? "" : "<span class=\"ci\">" + interval + "</span>") + "</td>";
}

std::string table_of(const Json& summary, const std::string& kind, const Json& groups) {
  const bool has_official = summary.find("official_groups") != nullptr;
  std::string head = "<th></th><th class=\"num\">n</th>";
  for (const std::string_view slot : table_slots) {
    head += "<th class=\"num\">" + slot_title(slot) + "</th>";
    if (has_official) head += "<th class=\"num official\">official</th>";
  }
  std::string rows;
  for (const auto& [label, slots] : *groups.as_object()) {
    const auto dice = reported_value(&slots, "dice_per_finding");
    rows += "<tr><td>" + html_escaped(group_title(kind, label)) + "</td><td class=\"num\">" +
            decimal(dice ? dice->n : 0) + "</td>";
    for (const std::string_view slot : table_slots) {
      rows += cell(reported_value(&slots, slot));
      if (!has_official) continue;
      auto other = reported_value(summary_at(summary, {"official_groups", kind, label}), slot);
      if (other) other->low.reset();  // the intervals of one scorer are enough to read
      rows += cell(other);
    }
    rows += "</tr>\n";
  }
  return "<table><thead><tr>" + head + "</tr></thead><tbody>\n" + rows + "</tbody></table>\n";
}

std::string plot_key(const ReportInput& input) {
  std::string out = "<p>";
  if (!input.is_private) {
    out +=
        "<span class=\"key\"><svg class=\"strips\" viewBox=\"0 0 16 16\" style=\"margin:0\"><g "
        "class=\"dots\"><circle "
        "cx=\"8\" cy=\"8\" r=\"4\"/></g></svg>one finding</span>";
  }
  out +=
      "<span class=\"key\"><svg viewBox=\"0 0 16 16\"><path class=\"interval\" d=\"M0 8H16\"/><path "
      "class=\"mean\" "
      "d=\"M8 2l6 6l-6 6l-6 -6z\"/></svg>mean with its 95 % interval</span>";
  if (input.summary.find("official_groups") != nullptr) {
    out +=
        "<span class=\"key\"><svg viewBox=\"0 0 16 16\"><path class=\"other-mean\" d=\"M8 2l6 6l-6 6l-6 "
        "-6z\"/></svg>"
        "mean by the official scorer</span>";
  }
  return out + "</p>\n";
}

}  // namespace

std::string groups_section(const ReportInput& input) {
  const Json* kinds = input.summary.find("groups");
  if (kinds == nullptr || kinds->as_object() == nullptr) return "";
  std::string out = "<section>\n<h2>Where it works and where it does not</h2>\n";
  out +=
      "<p class=\"note\">Dice of single findings, 0 (no overlap) to 1 (the same voxels). Groups of few "
      "findings have "
      "wide intervals: read them with their n.</p>\n<div class=\"card\">" +
      plot_key(input);
  std::string more;
  for (const auto& [kind, groups] : *kinds->as_object()) {
    if (groups.as_object() == nullptr || groups.as_object()->empty()) continue;
    const std::string title = "<h3>" + html_escaped(kind_title(kind)) + "</h3>\n";
    if (is_shown_first(input.summary, kind)) {
      out += title + plot_of(input, kind, groups) + table_of(input.summary, kind, groups);
    } else {
      more += title + table_of(input.summary, kind, groups);
    }
  }
  if (!more.empty()) out += "<details><summary>Other groups</summary>\n" + more + "</details>\n";
  return out + "</div>\n</section>\n";
}

}  // namespace fiducial
