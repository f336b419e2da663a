#include "fiducial/terminal/scorecard.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/eval/outputs/summary_values.h"

namespace fiducial {

namespace {

using Cells = std::vector<std::string>;

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

// "0.8123 [0.79, 0.84]", "3.1250 mm [2.75, 3.5]", or that there is none.
std::string value_text(const Json& slot) {
  const Json* value = slot.find("value");
  if (value == nullptr || !value->as_number()) {
    return text_at(slot, "reason").starts_with("unavailable") ? "unavailable" : "undefined";
  }
  const std::string unit = text_at(slot, "unit");
  std::string out = fixed(*value->as_number(), 4) + (unit.empty() ? "" : " " + unit);
  const Json* interval = slot.find("ci95");
  if (interval != nullptr && interval->as_array() != nullptr) {
    const auto& ends = *interval->as_array();
    out += " [" + fixed(*ends[0].as_number(), 3) + ", " + fixed(*ends[1].as_number(), 3) + "]";
  }
  return out;
}

void append_table(std::string& out, const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths;
  for (const Cells& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Cells& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i]) + "  ";
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
}

// What the official column is called: until a conformance record was given, it says so.
std::string official_title(const Json& summary) {
  const Json* provenance = summary.find("provenance");
  const std::string note = provenance == nullptr ? "" : text_at(*provenance, "official");
  return note == "unconfirmed" || note == "published clean-up" ? "official (" + note + ")" : "official";
}

std::vector<Cells> value_rows(const Json& summary) {
  const Json& metrics = *summary.find("metrics");
  const Json* official = summary.find("official");
  const std::string mode = text_at(summary, "mode");
  std::vector<Cells> rows;
  rows.push_back({"", mode == "official" ? official_title(summary) : mode, "n"});
  if (official != nullptr) rows.back().insert(rows.back().end(), {official_title(summary), "n"});
  for (const auto& [slot, value] : *metrics.as_object()) {
    Cells row{slot, value_text(value), decimal(integer_at(value, "n"))};
    const Json* other = official == nullptr ? nullptr : official->find(slot);
    if (other != nullptr) row.insert(row.end(), {value_text(*other), decimal(integer_at(*other, "n"))});
    rows.push_back(std::move(row));
  }
  if (official == nullptr) return rows;
  for (const auto& [slot, value] : *official->as_object()) {
    if (metrics.find(slot) != nullptr) continue;
    rows.push_back({slot, "", "", value_text(value), decimal(integer_at(value, "n"))});
  }
  return rows;
}

// What a group is told by; those the summary has not are left out.
constexpr std::string_view group_slots[] = {"dice_per_case", "dice_per_finding", "hit_rate", "instance_f1",
                                            "accuracy"};

// "by PatientSex", with a row a group and the number of cases behind it.
std::vector<Cells> group_rows(const std::string& column, const Json& groups) {
  std::vector<Cells> rows{{"by " + printable(column)}};
  for (const auto& [label, slots] : *groups.as_object()) {
    Cells row{printable(label)};
    for (const std::string_view slot : group_slots) {
      const Json* value = slots.find(slot);
      if (value == nullptr) continue;
      if (rows.size() == 1) rows[0].insert(rows[0].end(), {std::string(slot), "n"});
      row.insert(row.end(), {value_text(*value), decimal(integer_at(*value, "n"))});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void append_groups(std::string& out, const Json& summary) {
  const Json* columns = summary.find("group_by");
  const Json* kinds = summary.find("groups");
  if (columns == nullptr || columns->as_array() == nullptr || kinds == nullptr) return;
  for (const Json& column : *columns->as_array()) {
    const Json* groups = column.as_string() == nullptr ? nullptr : kinds->find(*column.as_string());
    if (groups == nullptr || groups->as_object() == nullptr) continue;
    if (groups->as_object()->empty()) {
      out += "  by " + *column.as_string() + ": no group has enough cases to be shown\n";
    } else {
      append_table(out, group_rows(*column.as_string(), *groups));
    }
  }
}

std::string orientation_line(const Json& verdict, std::int64_t cases) {
  const auto number = [&verdict](const char* key) { return fixed(*verdict.find(key)->as_number(), 4); };
  return "  orientation: " + decimal(verdict.find("cases")->as_array()->size()) + " of " + decimal(cases) +
         " cases fit better under '" + text_at(verdict, "transform") + "': Dice would be " +
         number("dice_transformed") + " instead of " + number("dice_as_is") + "\n";
}

// Tells that findings fit better in another order.
std::string order_line(const Json& found, std::int64_t cases) {
  const auto number = [&found](const char* key) { return fixed(*found.find(key)->as_number(), 4); };
  return "  finding order: " + decimal(integer_at(found, "cases")) + " of " + decimal(cases) +
         " cases fit better in the order '" + printable(text_at(found, "order")) + "': Dice would be " +
         number("dice_reordered") + " instead of " + number("dice_as_is") + "\n";
}

// How a model was asked, and what of that the endpoint refused.
std::string asked_line(const Json& asked) {
  std::string out =
      "  asked: " + printable(text_at(asked, "model")) + ", " + printable(text_at(asked, "workflow"));
  const std::string effort = text_at(asked, "effort");
  if (!effort.empty()) out += ", effort " + printable(effort);
  out += ", images " + printable(text_at(asked, "images"));
  for (const auto& [key, title] : {std::pair("hints", ", hints "), std::pair("summary", ", summary ")}) {
    const std::string cue = text_at(asked, key);
    if (!cue.empty() && cue != "none") out += title + printable(cue);
  }
  const Json::Object* dropped = find_object(asked, "dropped_parameters");
  if (dropped == nullptr || dropped->empty()) return out + "\n";
  const auto name = [](const Json::Member& member) { return member.first; };
  return out + "\n  WITHOUT " + printable(joined(*dropped, ", ", name)) + ", which the endpoint refused\n";
}

// Whether a certificate vouches for the judge of the steps.
std::string judge_line(const Json& judge) {
  if (flag_at(judge, "is_certified").value_or(false))
    return "  steps: judged by " + printable(text_at(judge, "model")) + ", certified\n";
  return "  steps: the judge is uncertified: " + printable(joined(strings_at(judge, "reasons"), "; ")) + "\n";
}

// What the reference itself does not get either, where it is not all there is.
std::string ceiling_lines(const Json& summary) {
  std::string out;
  for (const char* scorer : {"metrics", "official"}) {
    const Json* slots = summary.find(scorer);
    if (slots == nullptr || slots->as_object() == nullptr) continue;
    std::string names;
    for (const auto& [slot, value] : *slots->as_object()) {
      const Json* ceiling = value.find("ceiling");
      if (ceiling == nullptr || !ceiling->as_number()) continue;
      names += (names.empty() ? "" : ", ") + slot + " " + fixed(*ceiling->as_number(), 4);
    }
    const std::string whose = std::string(scorer) == "official" ? "official" : text_at(summary, "mode");
    if (!names.empty())
      out += "  ceiling (the reference as its own prediction), " + whose + ": " + names + "\n";
  }
  return out;
}

// Why values are not there, a line a reason.
std::string reason_lines(const Json& summary) {
  std::vector<std::pair<std::string, std::string>> slots_by_reason;
  for (const char* scorer : {"metrics", "official"}) {
    const Json* slots = summary.find(scorer);
    if (slots == nullptr || slots->as_object() == nullptr) continue;
    for (const auto& [slot, value] : *slots->as_object()) {
      std::string reason = text_at(value, "reason");
      if (reason.empty()) continue;
      if (std::string(scorer) == "official") reason += " (official)";
      const auto known = std::find_if(slots_by_reason.begin(), slots_by_reason.end(),
                                      [&reason](const auto& each) { return each.first == reason; });
      if (known == slots_by_reason.end()) {
        slots_by_reason.emplace_back(std::move(reason), slot);
      } else {
        known->second += ", " + slot;
      }
    }
  }
  std::string out;
  for (const auto& [reason, slots] : slots_by_reason)
    out.append("  undefined, ").append(printable(reason)).append(": ").append(slots).append("\n");
  return out;
}

// What partial labels leave out, counted where a strict precision or F1 was asked for.
std::string partial_line(const Json& summary) {
  std::string out =
      "  labels are partial: findings of three or more entities may have others unmarked and count for "
      "recall "
      "only";
  const Json* metrics = summary.find("metrics");
  for (const char* slot : {"instance_precision", "instance_f1", "distance_precision", "distance_f1"}) {
    const Json* value = metrics == nullptr ? nullptr : metrics->find(slot);
    if (value == nullptr) continue;
    out += "; " + std::string(slot) + " leaves out " + decimal(integer_at(*value, "n_undefined"));
  }
  return out + "\n";
}

// "accuracy: 412 of 720 (57.22 %), 53.58 to 60.79 % by Wilson", where right answers were counted.
std::string accuracy_line(const Json& summary) {
  const Json* accuracy = summary_at(summary, {"metrics", "accuracy"});
  const Json* interval = accuracy == nullptr ? nullptr : accuracy->find("wilson95");
  if (interval == nullptr || interval->as_array() == nullptr) return "";
  const auto percent = [](const Json& share) { return fixed(share.as_number().value_or(0) * 100, 2); };
  return "  accuracy: " + decimal(integer_at(*accuracy, "correct")) + " of " +
         decimal(integer_at(*accuracy, "n")) + " (" + percent(*accuracy->find("value")) + " %), " +
         percent(interval->as_array()->front()) + " to " + percent(interval->as_array()->back()) +
         " % by Wilson\n";
}

// The plain numbers that a better system has less of; of millimetres it goes without saying.
std::string lower_is_better_line(const Json& metrics) {
  std::string names;
  for (const auto& [slot, value] : *metrics.as_object()) {
    if (text_at(value, "better") == "lower" && text_at(value, "unit").empty())
      names += (names.empty() ? "" : ", ") + slot;
  }
  return names.empty() ? names : "  lower is better: " + names + "\n";
}

// What a system that sees nothing would reach.
std::string baselines_line(const Json& baselines) {
  const auto number = [](const Json& object, std::string_view key) {
    const Json* value = object.find(key);
    return value != nullptr && value->as_number() ? fixed(*value->as_number(), 4) : std::string("unknown");
  };
  const Json& majority = *baselines.find("majority");
  std::string out = "  baselines: chance " + number(baselines, "chance") + ", always " +
                    text_at(majority, "letter") + " " + number(majority, "value") +
                    ", guessing by answer-letter frequency " + number(baselines, "letter_prior");
  const Json* runs = baselines.find("runs");
  if (runs == nullptr || runs->as_array() == nullptr) return out + "\n";
  for (const Json& run : *runs->as_array())
    out += ", " + printable(text_at(run, "name")) + " " + number(run, "value");
  return out + "\n";
}

// What a system that does not look at the image reaches in each task.
std::string blind_lines(const Json& baselines) {
  std::string out;
  for (const auto& [task, values] : *baselines.as_object()) {
    std::string line;
    for (const auto& [name, value] : *values.as_object()) {
      if (name == "questions" || !value.as_number()) continue;
      line += (line.empty() ? "" : ", ") + name + " " + fixed(*value.as_number(), 4);
    }
    if (line.empty()) continue;
    out.append("  without the image, ").append(task).append(": ").append(line).append("\n");
  }
  return out;
}

std::string not_submitted_line(const Json& tasks) {
  std::string names;
  for (const auto& [task, entry] : *tasks.as_object()) {
    if (text_at(entry, "status") == "not submitted") names += (names.empty() ? "" : ", ") + task;
  }
  return names.empty() ? names : "  not submitted: " + names + "\n";
}

}  // namespace

std::string scorecard(const Json& summary) {
  const Json& counts = *summary.find("counts");
  std::string out = printable(text_at(summary, "system")) + " on " + text_at(summary, "benchmark") + " " +
                    printable(text_at(summary, "split")) + ": " + decimal(integer_at(counts, "cases")) +
                    " cases";
  for (const char* what : {"findings", "questions", "missing", "failed", "ambiguous", "refused", "invalid"}) {
    if (counts.find(what) != nullptr) out += ", " + decimal(integer_at(counts, what)) + " " + what;
  }
  out += "\n";
  append_table(out, value_rows(summary));
  out += lower_is_better_line(*summary.find("metrics"));
  out += ceiling_lines(summary);
  out += reason_lines(summary);
  append_groups(out, summary);
  if (text_at(summary, "labels") == "partial") out += partial_line(summary);
  const Json* verdict = summary.find("orientation");
  if (verdict != nullptr && !verdict->is_null())
    out += orientation_line(*verdict, integer_at(counts, "cases"));
  if (const Json* order = summary.find("finding_order"))
    out += order_line(*order, integer_at(counts, "cases"));
  if (const Json* asked = summary.find("asked")) out += asked_line(*asked);
  if (const Json* judge = summary.find("judge")) out += judge_line(*judge);
  if (const Json* tasks = summary.find("tasks")) out += not_submitted_line(*tasks);
  const Json* baselines = summary.find("baselines");
  if (baselines == nullptr) return out;
  out += accuracy_line(summary);
  out += baselines->find("chance") != nullptr ? baselines_line(*baselines) : blind_lines(*baselines);
  return out;
}

}  // namespace fiducial
