#include "fiducial/pages/comparison_page.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/shared_sections.h"
#include "fiducial/pages/strip_plot.h"

namespace fiducial {

namespace {

constexpr std::size_t most_units = 20;
constexpr double least_p = 0.05;  // below it systems are said to differ

std::string signed_fixed(double value) { return (value > 0 ? "+" : "") + fixed(value, 3); }

// "0.003", "< 0.001".
std::string p_text(const Json& difference) {
  const auto p = number_at(difference, "p");
  if (!p) return "–";
  return *p < 0.001 ? "< 0.001" : fixed(*p, 3);
}

std::string range_text(const Json& entry, bool with_signs) {
  const Json::Array* ends = find_array(entry, "ci95");
  if (ends == nullptr || ends->size() != 2) return "";
  const auto text = [&](const Json& end) {
    const double value = end.as_number().value_or(0);
    return with_signs ? signed_fixed(value) : fixed(value, 3);
  };
  return text(ends->front()) + " – " + text(ends->back());
}

std::string system_name(const Json& comparison, std::size_t at) {
  const Json::Array* systems = find_array(comparison, "systems");
  return systems == nullptr || at >= systems->size() ? "" : text_at((*systems)[at], "system");
}

std::size_t system_count(const Json& comparison) {
  const Json::Array* systems = find_array(comparison, "systems");
  return systems == nullptr ? 0 : systems->size();
}

Html value_cell_of(const Json& value) {
  const auto number = number_at(value, "value");
  return fill("value", {{"value", number ? fixed(*number, 3) : "undefined"},
                        {"interval", number ? range_text(value, false) : ""},
                        {"bounds", ""},
                        {"reason", number ? "" : text_at(value, "reason")}});
}

Html difference_cell(const Json& difference) {
  const auto number = number_at(difference, "value");
  return fill("value", {{"value", number ? signed_fixed(*number) : "–"},
                        {"interval", number ? range_text(difference, true) : ""},
                        {"bounds", ""},
                        {"reason", text_at(difference, "refusal")}});
}

std::vector<Html> difference_cells(const Json& difference) {
  return {difference_cell(difference), Html::of_text(p_text(difference)),
          Html::of_text(decimal(integer_at(difference, "wins")) + " / " +
                        decimal(integer_at(difference, "ties")) + " / " +
                        decimal(integer_at(difference, "losses")))};
}

void add_difference_columns(HtmlTable& table) {
  for (const char* title : {"difference", "p", "won / tied / lost"})
    table.column(HtmlTable::Kind::numbers, title);
}

PageSection slots_section(const Json& comparison) {
  const std::size_t systems = system_count(comparison);
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "");
  for (std::size_t i = 0; i < systems; ++i)
    table.column(HtmlTable::Kind::numbers, system_name(comparison, i));
  if (systems == 2) add_difference_columns(table);
  const Json::Object* slots = find_object(comparison, "slots");
  for (std::size_t i = 0; slots != nullptr && i < slots->size(); ++i) {
    const auto& [slot, entry] = (*slots)[i];
    std::vector<Html> cells{fill("slot_name", {{"title", slot_title(slot, text_at(entry, "metric"))},
                                               {"lower", text_at(entry, "better") == "lower" ? "lower" : ""},
                                               {"slot", slot}})};
    const Json::Array* values = find_array(entry, "values");
    for (std::size_t at = 0; at < systems; ++at)
      cells.push_back(values != nullptr && at < values->size() ? value_cell_of((*values)[at]) : Html());
    if (const Json* difference = entry.find("difference"); systems == 2 && difference != nullptr) {
      for (const Html& cell : difference_cells(*difference)) cells.push_back(cell);
    } else if (systems == 2) {
      cells.resize(cells.size() + 3);
    }
    table.row(cells);
  }
  return {"values", "All values",
          Html::of_text(
              systems == 2
                  ? "With 95 % intervals. Differences are the first system minus the second, paired "
                    "by patient; p is of the paired test. Won are units where the first is better. Values of "
                    "fewer than five patients, or all equal, have no interval."
                  : "With 95 % intervals; ranks and pairs follow."),
          card(table.html())};
}

PageSection ranking_section(const Json& comparison) {
  PageSection out{"ranking", "Ranks", {}, {}};
  const Json::Array* ranking = find_array(comparison, "ranking");
  if (ranking == nullptr) return out;
  HtmlTable table;
  for (const char* title : {"rank", "rank, 95 % interval", "tie group"})
    table.column(HtmlTable::Kind::numbers, title);
  table.column(HtmlTable::Kind::words, "system");
  table.column(HtmlTable::Kind::numbers, slot_title(text_at(comparison, "metric")));
  for (const Json& each : *ranking) {
    const Json::Array* range = find_array(each, "rank_ci95");
    const std::string ends = range != nullptr && range->size() == 2
                                 ? fixed(range->front().as_number().value_or(0), 0) + " – " +
                                       fixed(range->back().as_number().value_or(0), 0)
                                 : "";
    table.row({Html::of_text(decimal(integer_at(each, "rank"))), Html::of_text(ends),
               Html::of_text(decimal(integer_at(each, "tie_group"))),
               Html::of_text(system_name(comparison, static_cast<std::size_t>(integer_at(each, "system")))),
               value_cell_of(each)});
  }
  HtmlTable pairs;
  pairs.column(HtmlTable::Kind::words, "pair");
  add_difference_columns(pairs);
  pairs.column(HtmlTable::Kind::numbers, "p, Holm");
  const Json::Array* list = find_array(comparison, "pairs");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const Json& pair = (*list)[i];
    const auto name = [&](const char* key) {
      return system_name(comparison, static_cast<std::size_t>(integer_at(pair, key)));
    };
    std::vector<Html> cells{Html::of_text(name("first") + " – " + name("second"))};
    for (const Html& cell : difference_cells(*pair.find("difference"))) cells.push_back(cell);
    const auto holm = number_at(pair, "p_holm");
    cells.push_back(Html::of_text(holm ? fixed(*holm, 3) : "–"));
    pairs.row(cells);
  }
  out.body = card(table.html() + pairs.html());
  return out;
}

ReportedValue group_value(const Json& value) {
  ReportedValue out;
  out.value = number_at(value, "value");
  return out;
}

Html group_part(const Json& comparison, const std::string& kind, const Json::Object& labels) {
  std::vector<Strip> strips;
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "");
  table.column(HtmlTable::Kind::numbers, "n");
  for (std::size_t i = 0; i < 2; ++i) table.column(HtmlTable::Kind::numbers, system_name(comparison, i));
  add_difference_columns(table);
  for (const auto& [label, entry] : labels) {
    const Json::Array* values = find_array(entry, "values");
    const Json* difference = entry.find("difference");
    if (values == nullptr || values->size() != 2 || difference == nullptr) continue;
    strips.push_back({.label = excerpt(group_title(kind, label), 60),
                      .n = integer_at(entry, "findings"),
                      .dots = {},
                      .mean = group_value(values->front()),
                      .other_mean = group_value(values->back())});
    std::vector<Html> cells{Html::of_text(group_title(kind, label)),
                            Html::of_text(decimal(integer_at(entry, "findings"))),
                            value_cell_of(values->front()), value_cell_of(values->back())};
    for (const Html& cell : difference_cells(*difference)) cells.push_back(cell);
    table.row(cells);
  }
  if (strips.empty()) return {};
  const bool is_drawn = std::all_of(strips.begin(), strips.end(), [](const Strip& strip) {
    return strip.mean->value.value_or(0) <= 1 && strip.other_mean->value.value_or(0) <= 1;
  });
  return fill("subtitle", {{"title", kind_title(kind)}}) +
         (is_drawn ? strip_plot(kind_title(kind), strips) : Html()) + table.html();
}

PageSection compared_groups_section(const Json& comparison) {
  PageSection out{
      "groups",
      "Where they differ",
      Html::of_text(slot_title(text_at(comparison, "metric")) +
                    ": filled marks and the numbers beside them are of " + system_name(comparison, 0) +
                    ", hollow marks of " + system_name(comparison, 1) + "."),
      {}};
  const Json::Object* kinds = find_object(comparison, "groups");
  for (std::size_t i = 0; kinds != nullptr && i < kinds->size(); ++i) {
    const auto& [kind, labels] = (*kinds)[i];
    if (labels.as_object() != nullptr) out.body += group_part(comparison, kind, *labels.as_object());
  }
  out.body = card(out.body);
  return out;
}

// The two systems whose units are shown: of three and more the best two.
std::pair<std::size_t, std::size_t> shown_pair(const Json& comparison) {
  const Json::Array* ranking = find_array(comparison, "ranking");
  if (ranking == nullptr || ranking->size() < 2) return {0, 1};
  return {static_cast<std::size_t>(integer_at((*ranking)[0], "system")),
          static_cast<std::size_t>(integer_at((*ranking)[1], "system"))};
}

// A unit with a value of both systems.
struct PairedUnit {
  std::size_t at = 0;
  double first = 0;
  double second = 0;
  double difference() const { return first - second; }
};

// Units that both systems have a value of and differ in, the largest difference first.
std::vector<PairedUnit> paired_units(const FindingRows& rows, const FindingRows& others,
                                     const std::string& metric) {
  std::vector<PairedUnit> out;
  const FindingRows::Values* first = rows.find(metric);
  const FindingRows::Values* second = others.find(metric);
  if (first == nullptr || second == nullptr || first->size() != second->size()) return out;
  for (std::size_t i = 0; i < first->size(); ++i) {
    if ((*first)[i] && (*second)[i] && *(*first)[i] != *(*second)[i])
      out.push_back({i, *(*first)[i], *(*second)[i]});
  }
  std::stable_sort(out.begin(), out.end(), [](const PairedUnit& left, const PairedUnit& right) {
    return std::abs(left.difference()) > std::abs(right.difference());
  });
  return out;
}

Result<PageSection> units_section(const CompareRequest& request, const Json& comparison) {
  const auto [a, b] = shown_pair(comparison);
  const bool are_cases = text_at(comparison, "unit") != "finding";
  PageSection out{"units", are_cases ? "Cases that differ most" : "Findings that differ most", {}, {}};
  const std::string metric = summary_text(comparison, {"slots", text_at(comparison, "metric"), "metric"});
  FIDUCIAL_TRY(const ScoreFolder first, read_score_folder(request.folders[a]));
  FIDUCIAL_TRY(const ScoreFolder second, read_score_folder(request.folders[b]));
  FIDUCIAL_TRY(const FindingRows rows, finding_rows(first.rows, request.scorer));
  FIDUCIAL_TRY(const FindingRows others, finding_rows(second.rows, request.scorer));
  const std::vector<PairedUnit> units = paired_units(rows, others, metric);
  if (units.empty()) return out;
  HtmlTable table;
  table.column(HtmlTable::Kind::words, "case");
  if (!are_cases) table.column(HtmlTable::Kind::numbers, "finding");
  for (const std::string& title :
       {system_name(comparison, a), system_name(comparison, b), std::string("difference")})
    table.column(HtmlTable::Kind::numbers, title);
  table.column(HtmlTable::Kind::words, "category");
  for (std::size_t i = 0; i < std::min(units.size(), most_units); ++i) {
    const FindingRow& row = rows.findings[units[i].at];
    std::vector<Html> cells{Html::of_text(row.case_name)};
    if (!are_cases) cells.push_back(Html::of_text(decimal(row.finding)));
    for (const std::string& text :
         {fixed(units[i].first, 3), fixed(units[i].second, 3), signed_fixed(units[i].difference())})
      cells.push_back(Html::of_text(text));
    cells.push_back(Html::of_text(group_title("category", row.category)));
    table.row(cells);
  }
  const std::string of_one = slot_title({}, metric);  // the slot's is of their mean
  const std::string which = units.size() <= most_units
                                ? "All " + decimal(units.size())
                                : decimal(most_units) + " of the " + decimal(units.size());
  out.note = Html::of_text(
      which + " that differ in " + (of_one.empty() ? slot_title(text_at(comparison, "metric")) : of_one) +
      ", the largest difference first. Each value is of one " + text_at(comparison, "unit") + ".");
  out.body = card(table.html());
  return out;
}

// What the paired test says of the difference, and where it could not say more.
Html difference_verdict(const Json& comparison, const Json& difference) {
  const auto p = number_at(difference, "p");
  const std::string refusal = text_at(difference, "refusal");
  if (!refusal.empty())
    return verdict(false, "The difference says nothing", "It is refused: " + refusal + ".");
  if (!p) return verdict(false, "No test", "The systems have no value in common that could be tested.");
  if (*p < least_p)
    return verdict(true, "The systems differ", "The paired test gives p " + p_text(difference) + ".");
  const std::int64_t patients = integer_at(comparison, "patients");
  // All that patients can do is be exchanged or not: of 2^n ways the observed one and its mirror are as far.
  const double reachable = std::exp2(1 - static_cast<double>(patients));
  if (reachable >= least_p)
    return verdict(false, "Too few patients to tell",
                   "With " + counted(patients, "patient", "patients") + " no p below " + fixed(reachable, 3) +
                       " can be reached, however large the difference.");
  return verdict(false, "No clear difference",
                 "The paired test gives p " + p_text(difference) + ": more patients may tell them apart.");
}

Html comparison_verdicts(const Json& comparison) {
  Html out;
  const Json* difference = summary_at(comparison, {"slots", text_at(comparison, "metric"), "difference"});
  if (difference != nullptr) out += difference_verdict(comparison, *difference);
  const Json::Array* systems = find_array(comparison, "systems");
  for (std::size_t i = 0; systems != nullptr && i < systems->size(); ++i) {
    const std::int64_t lacking = integer_at((*systems)[i], "missing") + integer_at((*systems)[i], "failed");
    if (lacking > 0)
      out +=
          verdict(false, text_at((*systems)[i], "system") + ": " + decimal(lacking) + " without a prediction",
                  "Missing and unreadable predictions count as the rules say.");
    if (const Json::Object* dropped = find_object((*systems)[i], "dropped_parameters")) {
      const auto name = [](const Json::Member& member) { return member.first; };
      out += verdict(false,
                     text_at((*systems)[i], "system") + " was asked without " + joined(*dropped, ", ", name),
                     "The endpoint refused it.");
    }
  }
  return out;
}

Html comparison_lead(const Json& comparison) {
  const std::string slot = text_at(comparison, "metric");
  const Json* difference = summary_at(comparison, {"slots", slot, "difference"});
  const auto value = difference == nullptr ? std::nullopt : number_at(*difference, "value");
  if (!value) return {};
  const bool lower = summary_text(comparison, {"slots", slot, "better"}) == "lower";
  const std::string title = slot_title(slot, summary_text(comparison, {"slots", slot, "metric"}));
  const std::string range = range_text(*difference, true);
  return Html::of_text(title + (lower ? " (lower is better), " : ", ") + system_name(comparison, 0) +
                       " minus " + system_name(comparison, 1) + ": ") +
         bold(signed_fixed(*value) + (range.empty() ? "" : ", 95 % interval " + range)) +
         Html::of_text("; p of the paired test ") + bold(p_text(*difference)) + Html::of_text(".");
}

PageSection test_section(const Json& comparison) {
  const auto of = [&comparison](const char* key) { return summary_text(comparison, {"provenance", key}); };
  Html items;
  for (const std::string& line :
       {"Test: " + of("test") + ".",
        "Intervals: " + of("interval") + ", " + of("resamples") + " resamples, seed " + of("seed") + ".",
        std::string(
            "Many values are compared here. A p-value says nothing about the others, and groups were not "
            "chosen beforehand.")})
    items += fill("item", {{"text", line}});
  return {"tests", "How they were compared", {}, card(fill("list", {{"items", items}}))};
}

std::string folder_name(const Path& folder) {
  return (folder.filename().empty() ? folder.parent_path() : folder).filename().string();
}

// Systems of one name, told apart by their score folders.
Json named_apart(const CompareRequest& request, Json comparison) {
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < system_count(comparison); ++i) ++counts[system_name(comparison, i)];
  Json systems{Json::Array{}};
  for (std::size_t i = 0; i < system_count(comparison); ++i) {
    Json told = (*find_array(comparison, "systems"))[i];
    const std::string name = system_name(comparison, i);
    if (counts[name] > 1) told.set("system", name + " (" + folder_name(request.folders[i]) + ")");
    systems.push(std::move(told));
  }
  comparison.set("systems", std::move(systems));
  return comparison;
}

}  // namespace

Result<std::string> comparison_page(const CompareRequest& request, const Json& found) {
  const Json comparison = named_apart(request, found);
  const std::size_t systems = system_count(comparison);
  std::vector<PageSection> sections{slots_section(comparison), ranking_section(comparison)};
  FIDUCIAL_TRY(sections.emplace_back(), units_section(request, comparison));
  sections.push_back(compared_groups_section(comparison));
  sections.push_back(test_section(comparison));
  const std::string second =
      systems > 2 ? decimal(systems - 1) + " other systems" : system_name(comparison, 1);
  const Html head =
      fill("comparison_head",
           {{"benchmark", text_at(comparison, "benchmark")},
            {"split", text_at(comparison, "split")},
            {"mode", text_at(comparison, "mode")},
            {"first", system_name(comparison, 0)},
            {"second", second},
            {"counts", counted(integer_at(comparison, "patients"), "patient", "patients") + ", " +
                           counted(integer_at(comparison, "findings"), text_at(comparison, "unit"),
                                   text_at(comparison, "unit") + "s")},
            {"lead", comparison_lead(comparison)},
            {"verdicts", comparison_verdicts(comparison)}});
  return whole_page(system_name(comparison, 0) + " and " + second, head, {}, sections);
}

}  // namespace fiducial
