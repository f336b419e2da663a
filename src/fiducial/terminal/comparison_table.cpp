#include "fiducial/terminal/comparison_table.h"

#include <vector>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/terminal/folded_text.h"
#include "fiducial/terminal/text_table.h"

namespace fiducial {

namespace {

using Cells = std::vector<std::string>;

const Json& at(const Json& object, std::string_view key) {
  const Json* found = object.find(key);
  static const Json nothing;
  return found == nullptr ? nothing : *found;
}

std::string word(const Json& value) {
  if (value.as_string() != nullptr) return printable(*value.as_string());
  return value.as_integer() != nullptr ? decimal(*value.as_integer()) : "";
}

std::string number(const Json& value, int digits) {
  const auto found = value.as_number();
  return found ? fixed(*found, digits) : "undefined";
}

std::string interval_text(const Json& interval, int digits) {
  if (interval.as_array() == nullptr) return "";
  const Json::Array& ends = *interval.as_array();
  return " [" + number(ends[0], digits) + ", " + number(ends[1], digits) + "]";
}

std::string with_interval(const Json& entry) {
  return number(at(entry, "value"), 4) + interval_text(at(entry, "ci95"), 3);
}

// A, B, ... Z, then S27, S28, ...
std::string letter(std::size_t system) {
  if (system < 26) return std::string(1, static_cast<char>('A' + static_cast<int>(system)));
  return "S" + decimal(system + 1);
}

std::string letter(const Json& system) { return letter(static_cast<std::size_t>(*system.as_integer())); }

std::string p_text(const Json& p) {
  const auto found = p.as_number();
  if (!found) return "";
  return *found < 0.0001 ? "<0.0001" : fixed(*found, 4);
}

std::string difference_text(const Json& difference) {
  const std::string refusal = word(at(difference, "refusal"));
  return refusal.empty() ? with_interval(difference) : refusal;
}

Cells difference_cells(const Json& difference) {
  return {difference_text(difference), p_text(at(difference, "p")), word(at(difference, "wins")),
          word(at(difference, "ties")), word(at(difference, "losses"))};
}

void append(Cells& row, const Cells& more) { row.insert(row.end(), more.begin(), more.end()); }

// What wins and losses are counted in.
std::string unit_of(const Json& comparison) {
  const std::string unit = word(at(comparison, "unit"));
  return unit.empty() ? "finding" : unit;
}

// Whom intervals and p-values take for independent.
std::string resampled_in(const Json& comparison) {
  const std::string whom = word(at(comparison, "resampled"));
  return whom.empty() ? "patients" : whom;
}

// "hd95_per_finding (mm, lower is better)".
std::string titled(const std::string& slot, const Json& entry) {
  std::string more = word(at(entry, "unit"));
  if (word(at(entry, "better")) == "lower")
    more += (more.empty() ? "" : ", ") + std::string("lower is better");
  return more.empty() ? slot : slot + " (" + more + ")";
}

// Why values are not there, a line each.
std::string lines_of_reasons(const Json& comparison) {
  std::string out;
  for (const auto& [slot, entry] : *at(comparison, "slots").as_object()) {
    const Json::Array& values = *at(entry, "values").as_array();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string reason = word(at(values[i], "reason"));
      if (!at(values[i], "value").as_number() && !reason.empty())
        out += "  undefined, " + letter(i) + " " + slot + ": " + reason + "\n";
    }
  }
  return out;
}

std::string heading(const Json& comparison) {
  std::string out;
  const Json::Array& systems = *at(comparison, "systems").as_array();
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const std::string failed = word(at(systems[i], "failed"));  // answers are there or missing
    out += letter(i) + ": " + word(at(systems[i], "system")) + ", " + word(at(systems[i], "missing")) +
           " missing" + (failed.empty() ? "" : ", " + failed + " failed");
    const Json::Object* dropped = find_object(systems[i], "dropped_parameters");
    const auto name = [](const Json::Member& member) { return member.first; };
    if (dropped != nullptr) out += ", WITHOUT " + printable(joined(*dropped, ", ", name));
    out += "\n";
  }
  return out + word(at(comparison, "benchmark")) + " " + word(at(comparison, "split")) + ", " +
         word(at(comparison, "mode")) + " rules: " +
         (resampled_in(comparison) == "cases" ? "" : word(at(comparison, "patients")) + " patients, ") +
         word(at(comparison, "findings")) + " " + unit_of(comparison) + "s\n";
}

std::string two_system_tables(const Json& comparison, std::size_t width) {
  const std::vector<TextTable::Align> left(4, TextTable::Align::left);
  const Cells titles{"A", "B", "A - B", "p", "wins", "ties", "losses"};
  TextTable table(left);
  Cells first{""};
  append(first, titles);
  table.add_header(first);
  const auto add = [](TextTable& to, const std::string& name, const Json& entry) {
    const Json::Array& values = *at(entry, "values").as_array();
    Cells row{name, number(at(values[0], "value"), 4), number(at(values[1], "value"), 4)};
    append(row, difference_cells(at(entry, "difference")));
    to.add(std::move(row));
  };
  for (const auto& [slot, entry] : *at(comparison, "slots").as_object())
    add(table, titled(slot, entry), entry);
  std::string out = table.text("  ", width) + lines_of_reasons(comparison);
  if (at(comparison, "groups").as_object()->empty()) return out;
  out += "\n" + word(at(comparison, "metric")) + " by group\n";
  TextTable groups(left);
  groups.add_header(first);
  for (const auto& [kind, labels] : *at(comparison, "groups").as_object()) {
    for (const auto& [label, entry] : *labels.as_object()) {
      add(groups, kind + " " + label + " (" + word(at(entry, "findings")) + ")", entry);
    }
  }
  return out + groups.text("  ", width);
}

std::string ranking_tables(const Json& comparison, std::size_t width) {
  TextTable table(std::vector<TextTable::Align>(64, TextTable::Align::left));
  Cells first{""};
  const Json::Array& systems = *at(comparison, "systems").as_array();
  for (std::size_t i = 0; i < systems.size(); ++i) first.push_back(letter(i));
  table.add_header(first);
  for (const auto& [slot, entry] : *at(comparison, "slots").as_object()) {
    Cells row{titled(slot, entry)};
    for (const Json& value : *at(entry, "values").as_array()) row.push_back(with_interval(value));
    table.add(std::move(row));
  }
  TextTable ranking(std::vector<TextTable::Align>(6, TextTable::Align::left));
  ranking.add_header({"rank", "95%", "ties", "system", word(at(comparison, "metric"))});
  for (const Json& entry : *at(comparison, "ranking").as_array()) {
    const std::string group = word(at(entry, "tie_group"));
    const std::string range = interval_text(at(entry, "rank_ci95"), 0);
    const Json& system = systems[static_cast<std::size_t>(*at(entry, "system").as_integer())];
    ranking.add({word(at(entry, "rank")), range.empty() ? "" : range.substr(1),
                 group.empty() ? "" : "group " + group,
                 letter(at(entry, "system")) + ": " + word(at(system, "system")), with_interval(entry)});
  }
  TextTable pairs(std::vector<TextTable::Align>(4, TextTable::Align::left));
  pairs.add_header({"", "difference", "p", "p (Holm)", "wins", "ties", "losses"});
  for (const Json& pair : *at(comparison, "pairs").as_array()) {
    Cells cells = difference_cells(at(pair, "difference"));
    cells.insert(cells.begin() + 2, p_text(at(pair, "p_holm")));
    cells.insert(cells.begin(), letter(at(pair, "first")) + " - " + letter(at(pair, "second")));
    pairs.add(std::move(cells));
  }
  return table.text("  ", width) + lines_of_reasons(comparison) + "\n" + ranking.text("  ", width) + "\n" +
         pairs.text("  ", width);
}

// What few patients put out of reach, where that is what significance is asked for.
std::string least_p_line(const Json& comparison) {
  const auto least = at(comparison, "least_p").as_number();
  const auto corrected = at(comparison, "least_p_holm").as_number();
  if (!least || corrected.value_or(*least) <= 0.05) return "";
  return word(at(comparison, "patients")) + " " + resampled_in(comparison) + ": no p below " +
         shortest(*least) + " is possible" +
         (corrected ? ", no corrected p below " + shortest(*corrected) : "") + "\n";
}

// Why there is no interval.
std::string few_patients_line(const Json& comparison) {
  const std::string why = text_at(comparison, "no_interval");
  return why.empty() ? "" : "no intervals: " + why + "\n";
}

// How systems come into one group.
std::string tie_line(const Json& comparison) {
  return comparison.find("ranking") == nullptr
             ? ""
             : "Systems share a group unless their corrected p (Holm) with its leader is at most 0.05.\n";
}

}  // namespace

std::string comparison_table(const Json& comparison, std::size_t width) {
  const bool two = comparison.find("groups") != nullptr;
  const Json& provenance = at(comparison, "provenance");
  const std::string tables = two ? two_system_tables(comparison, width) : ranking_tables(comparison, width);
  const std::string unit = unit_of(comparison);
  const std::string whom = resampled_in(comparison);
  const std::string words = tie_line(comparison) + least_p_line(comparison) + few_patients_line(comparison) +
                            word(at(provenance, "resamples")) + " resamples of " + whom + ", seed " +
                            word(at(provenance, "seed")) +
                            "; wins, ties and losses of the first system are counted in " + unit + "s" +
                            (whom == "cases" ? "; p of accuracies is McNemar's exact test" : "") + "\n";
  return folded_text(heading(comparison) + tables + "\n" + words, width);
}

}  // namespace fiducial
