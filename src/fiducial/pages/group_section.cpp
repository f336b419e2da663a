#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/shared_sections.h"
#include "fiducial/pages/strip_plot.h"
#include "fiducial/pages/unit_scores.h"
#include "fiducial/text/readable.h"

namespace fiducial {

namespace {

constexpr std::size_t most_tooltips = 3000;  // beyond them they would be most of the page
constexpr std::size_t most_groups = 24;      // of a kind, in a plot or a table

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

std::string category_title(const std::string& code) {
  const auto category = rexgroundingct::find_category(code);
  return category ? std::string(category->title) + " (" + code + ")" : code;
}

std::string focality_title(const std::string& label) { return label == "non_focal" ? "non-focal" : label; }

// How a kind of groups is called, and its labels.
struct KindTitle {
  std::string_view kind;
  std::string_view title;
  std::string (*label)(const std::string& label) = nullptr;  // none: as it is
  const char* no_label = "none";
};
constexpr KindTitle kind_titles[] = {{"category", "By category", category_title},
                                     {"size_voxels", "By size of the reference, in voxels", grouped_numbers},
                                     {"focality", "Focal and non-focal", focality_title},
                                     {"entities", "By number of entities"},
                                     {"protocol", "By annotation protocol"},
                                     {"icd_chapter", "By ICD-10 chapter"},
                                     {"images", "By number of images"},
                                     {"longitudinal", "Longitudinal cases"},
                                     {"key_is_longest", "Is the right option the longest?"},
                                     {"key_letter", "By letter of the key"},
                                     {"modalities", "By number of modalities"},
                                     {"modality_set", "By modalities"},
                                     {"sub_modality", "By sub-modality (a case may have several)"},
                                     {"timepoints", "By number of timepoints"},
                                     {"equal_options", "Cases with equal options"},
                                     {"icd_block", "By ICD-10 block"},
                                     {"icd_category", "By ICD-10 category"},
                                     {"region", "By region", nullptr, "whole scan"}};

const KindTitle* find_kind(std::string_view kind) {
  for (const KindTitle& known : kind_titles) {
    if (known.kind == kind) return &known;
  }
  return nullptr;
}

// A group of the summary.
struct ToldGroup {
  std::string label;
  const Json* slots;
  std::int64_t n;  // the most that any slot counts
};

std::int64_t most_counted(const Json& slots) {
  std::int64_t out = 0;
  if (slots.as_object() == nullptr) return out;
  for (const auto& [slot, value] : *slots.as_object()) out = std::max(out, integer_at(value, "n"));
  return out;
}

// The number that a label begins with: "17-49" is after "5-8".
std::optional<std::int64_t> leading_number(const std::string& label) {
  return parse_integer(label.substr(0, label.find_first_not_of("0123456789")));
}

// The largest groups of a kind, by their numbers or in the order of the summary.
std::vector<ToldGroup> largest_groups(const Json::Object& labels) {
  std::vector<ToldGroup> out;
  out.reserve(labels.size());
  for (const auto& [label, slots] : labels) out.push_back({label, &slots, most_counted(slots)});
  const bool has_numbers =
      std::all_of(out.begin(), out.end(), [](const ToldGroup& group) { return leading_number(group.label); });
  if (has_numbers) {
    std::stable_sort(out.begin(), out.end(), [](const ToldGroup& a, const ToldGroup& b) {
      return leading_number(a.label) < leading_number(b.label);
    });
  }
  if (out.size() <= most_groups) return out;
  std::vector<std::int64_t> sizes;
  sizes.reserve(out.size());
  for (const ToldGroup& group : out) sizes.push_back(group.n);
  std::sort(sizes.rbegin(), sizes.rend());
  const std::int64_t least = sizes[most_groups - 1];
  std::erase_if(out, [least](const ToldGroup& group) { return group.n < least; });
  out.resize(std::min(out.size(), most_groups));
  return out;
}

// Plots and tables of the groups of one run.
class GroupWriter {
 public:
  GroupWriter(const RunPage& page, const GroupChoice& choice) : page_(page), choice_(choice) {}

  // Empty where the kind has no group with a value that is asked for.
  Html kind(const std::string& kind, const Json::Object& labels, bool is_drawn) const {
    const std::vector<ToldGroup> groups = largest_groups(labels);
    Html body;
    for (const std::string_view slot : choice_.plots) {
      if (is_drawn) body += plot(kind, groups, slot);
    }
    const bool repeats = is_drawn && choice_.columns == choice_.plots;  // a plot says it all
    if (!repeats || body.empty()) body += table(kind, groups);
    if (body.empty()) return body;
    if (labels.size() > groups.size())
      body +=
          fill("note",
               {{"text", decimal(labels.size() - groups.size()) + " smaller groups are in summary.json."}});
    return fill("subtitle", {{"title", kind_title(kind)}}) + body;
  }

 private:
  Html plot(const std::string& kind, const std::vector<ToldGroup>& groups, std::string_view slot) const {
    std::vector<Strip> strips;
    std::string metric;
    for (const ToldGroup& group : groups) {
      const auto value = reported_value(group.slots, slot);
      if (!value || (value->value && !value->is_share)) continue;
      metric = value->metric;
      const Json* official = summary_at(page_.summary, {"official_groups", kind, group.label});
      strips.push_back({.label = excerpt(group_title(kind, group.label), 60),
                        .n = value->n,
                        .dots = dots(kind, group.label, slot),
                        .mean = value,
                        .other_mean = reported_value(official, slot)});
    }
    if (strips.empty()) return {};
    const std::string title = slot_title(slot, metric);
    return fill("note", {{"text", title}}) + strip_plot(title + ", " + kind_title(kind), strips);
  }

  std::vector<StripDot> dots(const std::string& kind, const std::string& label, std::string_view slot) const {
    std::vector<StripDot> out;
    const ScoreColumn* column = page_.is_private() ? nullptr : dotted_column(page_.run, slot);
    const LabelledUnits* group = find_group(page_.run, kind, label);
    if (column == nullptr || group == nullptr) return out;
    const bool tells = page_.run.units.size() <= most_tooltips;
    for (const std::uint32_t unit : group->members) {
      const auto value = unit_value(*column, unit);
      if (!value) continue;
      const std::string name = tells ? unit_name(page_.run, unit, choice_.unit) : "";
      out.push_back({*value, tells ? short_unit_name(page_.run, unit, choice_.unit) : "",
                     name.empty() ? name : name + ": " + column->contract->title + " " + fixed(*value, 3)});
    }
    return out;
  }

  static Html cell(const std::optional<ReportedValue>& value) {
    if (!value || !value->value) return Html::of_text("–");
    // One patient, or equal ones, say nothing about the spread.
    const bool varies = value->low && value->high && fixed(*value->low, 3) != fixed(*value->high, 3);
    return fill("value", {{"value", value_text(*value)},
                          {"interval", varies ? interval_text(*value) : ""},
                          {"bounds", ""},
                          {"reason", ""}});
  }

  // The slots of the table that any group has.
  std::vector<std::string_view> columns_of(const std::vector<ToldGroup>& groups) const {
    std::vector<std::string_view> out;
    for (const std::string_view slot : choice_.columns) {
      if (std::any_of(groups.begin(), groups.end(),
                      [slot](const ToldGroup& group) { return group.slots->find(slot) != nullptr; }))
        out.push_back(slot);
    }
    return out;
  }

  Html table(const std::string& kind, const std::vector<ToldGroup>& groups) const {
    const std::vector<std::string_view> slots = columns_of(groups);
    if (slots.empty()) return {};
    const bool has_official = page_.summary.find("official_groups") != nullptr;
    HtmlTable out;
    out.column(HtmlTable::Kind::words, "");
    out.column(HtmlTable::Kind::numbers, "n");
    for (const std::string_view slot : slots) {
      out.column(HtmlTable::Kind::numbers, slot_title(slot));
      if (has_official) out.column(HtmlTable::Kind::numbers, "official");
    }
    for (const ToldGroup& group : groups) {
      std::vector<Html> cells{Html::of_text(group_title(kind, group.label)),
                              Html::of_text(decimal(counted_by(group, slots.front())))};
      for (const std::string_view slot : slots) {
        cells.push_back(cell(reported_value(group.slots, slot)));
        if (!has_official) continue;
        auto other = reported_value(summary_at(page_.summary, {"official_groups", kind, group.label}), slot);
        if (other) other->low.reset();  // the intervals of one scorer are enough to read
        cells.push_back(cell(other));
      }
      out.row(cells);
    }
    return out.html();
  }

  static std::int64_t counted_by(const ToldGroup& group, std::string_view slot) {
    const auto value = reported_value(group.slots, slot);
    return value ? value->n : group.n;
  }

  const RunPage& page_;
  const GroupChoice& choice_;
};

// Shown at once: what most people look for, and the columns of the metadata that somebody asked for.
bool is_shown_first(const Json& summary, const GroupChoice& choice, std::string_view kind) {
  if (choice.kinds.empty() || std::find(choice.kinds.begin(), choice.kinds.end(), kind) != choice.kinds.end())
    return true;
  const std::vector<std::string> asked = strings_at(summary, "group_by");
  return std::find(asked.begin(), asked.end(), kind) != asked.end();
}

Html key_of(const RunPage& page, const GroupChoice& choice) {
  const bool has_dots = !page.is_private() &&
                        std::any_of(choice.plots.begin(), choice.plots.end(), [&page](std::string_view slot) {
                          return dotted_column(page.run, slot) != nullptr;
                        });
  return fill("plot_key", {{"dots", has_dots ? choice.unit : std::string_view()},
                           {"official", page.summary.find("official_groups") != nullptr ? "official" : ""}});
}

}  // namespace

std::string kind_title(std::string_view kind) {
  const KindTitle* known = find_kind(kind);
  return known == nullptr ? "By " + std::string(kind) : std::string(known->title);
}

std::string group_title(std::string_view kind, const std::string& label) {
  const KindTitle* known = find_kind(kind);
  if (label.empty()) return known == nullptr ? "none" : known->no_label;
  return known == nullptr || known->label == nullptr ? label : known->label(label);
}

PageSection groups_section(const RunPage& page, const GroupChoice& choice) {
  PageSection out{"groups",
                  "Where it works and where it does not",
                  Html::of_text("Small groups have wide intervals: read a value with its n. "
                                "Fewer than five patients have none, unless it is Wilson's of an accuracy."),
                  {}};
  const Json* kinds = page.summary.find("groups");
  if (kinds == nullptr || kinds->as_object() == nullptr) return out;
  const GroupWriter writer(page, choice);
  Html first;
  Html more;
  for (const auto& [kind, labels] : *kinds->as_object()) {
    if (labels.as_object() == nullptr || labels.as_object()->empty()) continue;
    const bool is_first = is_shown_first(page.summary, choice, kind);
    (is_first ? first : more) += writer.kind(kind, *labels.as_object(), is_first);
  }
  if (first.empty() && more.empty()) return out;
  out.body = card(key_of(page, choice) + first + folded("Other groups", more));
  return out;
}

}  // namespace fiducial
