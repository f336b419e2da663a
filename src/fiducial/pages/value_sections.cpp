#include "fiducial/base/number_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/shared_sections.h"
#include "fiducial/pages/strip_plot.h"

namespace fiducial {

namespace {

constexpr std::size_t most_tiles = 4;

std::string count_or_nothing(std::int64_t count) { return count > 0 ? decimal(count) : ""; }

std::string with_interval(const ReportedValue& value) {
  const std::string interval = interval_text(value);
  return value_text(value) + (interval.empty() ? "" : ", " + interval);
}

// "240 structures"; a run of an earlier version does not say what it counted.
std::string count_text(const Json& summary, const char* scorer, std::string_view slot, std::int64_t n) {
  const std::string counted = summary_text(summary, {scorer, slot, "counted"});
  return decimal(n) + (counted.empty() ? "" : " " + counted);
}

Html tile(const Json& summary, std::string_view slot) {
  const auto value = reported_value(summary.find("metrics"), slot);
  const auto other = reported_value(summary.find("official"), slot);
  if (!value) return {};
  ReportedValue plain = *value;
  plain.unit.clear();
  const std::string number =
      value->unit == "mm" && value->value ? fixed(*value->value, 2) : value_text(plain);
  const std::string interval = interval_text(*value);
  return fill("tile", {{"title", slot_title(slot, value->metric)},
                       {"none", value->value ? "" : "none"},
                       {"value", number},
                       {"unit", value->value ? value->unit : ""},
                       {"mark", value->is_share ? interval_mark(value, other) : Html()},
                       {"mode", summary_text(summary, {"mode"})},
                       {"interval", interval.empty() ? "" : "95 % interval " + interval},
                       {"reason", interval.empty() ? value->reason : ""},
                       {"official", other ? with_interval(*other) : ""},
                       {"lower", value->lower_is_better ? "lower" : ""},
                       {"n", count_text(summary, "metrics", slot, value->n)}});
}

// "floor 0.120, ceiling 0.375": what a baseline gets, and what the reference as its own prediction does.
std::string bounds_text(const Json& summary, const char* scorer, std::string_view slot) {
  std::string out;
  for (const char* bound : {"floor", "ceiling"}) {
    const std::optional<double> value = summary_number(summary, {scorer, slot, bound});
    if (value) out += (out.empty() ? "" : ", ") + std::string(bound) + " " + fixed(*value, 3);
  }
  return out;
}

Html value_cell(const std::optional<ReportedValue>& value, const std::string& bounds) {
  if (!value) return Html::of_text("–");
  return fill("value", {{"value", value_text(*value)},
                        {"interval", interval_text(*value)},
                        {"bounds", bounds},
                        {"reason", value->value ? "" : value->reason}});
}

Html count_cell(const std::optional<ReportedValue>& value, const std::string& n) {
  if (!value) return {};
  return fill("counted", {{"n", n},
                          {"undefined", count_or_nothing(value->n_undefined)},
                          {"failed", count_or_nothing(value->n_failed)}});
}

void add_value_row(HtmlTable& table, const Json& summary, const std::string& slot, bool has_official) {
  const auto value = reported_value(summary.find("metrics"), slot);
  const auto other = reported_value(summary.find("official"), slot);
  const ReportedValue& shown = value ? *value : *other;
  std::vector<Html> cells{fill("slot_name", {{"title", slot_title(slot, shown.metric)},
                                             {"lower", shown.lower_is_better ? "lower" : ""},
                                             {"slot", slot}}),
                          value_cell(value, bounds_text(summary, "metrics", slot)),
                          count_cell(value, value ? count_text(summary, "metrics", slot, value->n) : "")};
  if (has_official) {
    const std::string n = other ? count_text(summary, "official", slot, other->n) : "";
    cells.insert(cells.end(),
                 {value_cell(other, bounds_text(summary, "official", slot)), count_cell(other, n)});
  }
  cells.push_back(shown.is_share ? interval_mark(value, other) : Html());
  table.row(cells);
}

}  // namespace

Html tiles_of(const Json& summary, const std::vector<std::string_view>& slots) {
  Html tiles;
  std::size_t shown = 0;
  for (const std::string_view slot : slots) {
    const Html one = shown < most_tiles ? tile(summary, slot) : Html();
    if (!one.empty()) ++shown;
    tiles += one;
  }
  return tiles.empty() ? tiles : fill("tiles", {{"tiles", tiles}});
}

PageSection values_section(const Json& summary, const Html& note) {
  const std::string note_of_official = summary_text(summary, {"provenance", "official"});
  const bool has_note = note_of_official == "unconfirmed" || note_of_official == "published clean-up";
  const Json* official = summary.find("official");
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "");
  table.column(HtmlTable::Kind::numbers,
               fill("scorer_title", {{"scorer", "strict"}, {"text", summary_text(summary, {"mode"})}}));
  table.column(HtmlTable::Kind::numbers, "n");
  if (official != nullptr) {
    const std::string title = has_note ? "official (" + note_of_official + ")" : "official";
    table.column(HtmlTable::Kind::numbers, fill("scorer_title", {{"scorer", "official"}, {"text", title}}));
    table.column(HtmlTable::Kind::numbers, "n");
  }
  table.column(HtmlTable::Kind::words, "0 to 1");
  for (const auto& [slot, value] : *summary.find("metrics")->as_object())
    add_value_row(table, summary, slot, official != nullptr);
  if (official != nullptr) {
    for (const auto& [slot, value] : *official->as_object()) {
      if (summary_at(summary, {"metrics", slot}) == nullptr) add_value_row(table, summary, slot, true);
    }
  }
  return {"values", official == nullptr ? "All values" : "All values, both scorers", note,
          card(table.html())};
}

PageSection limits_section(const std::vector<std::string_view>& lines) {
  Html items;
  for (const std::string_view line : lines) items += fill("item", {{"text", line}});
  return {"limits",
          "What these numbers do not say",
          {},
          items.empty() ? items : card(fill("list", {{"items", items}}))};
}

}  // namespace fiducial
