#include "fiducial/terminal/scorecard.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/terminal/folded_text.h"
#include "fiducial/terminal/text_table.h"

namespace fiducial {

namespace {

using Cells = std::vector<std::string>;

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

// "9 findings", "1 category"; a run of an earlier version does not say what it counted.
std::string count_text(const Json& slot) {
  const std::int64_t n = integer_at(slot, "n");
  std::string counted = text_at(slot, "counted");
  if (n == 1) {
    if (counted.ends_with("ies")) {
      counted.replace(counted.size() - 3, 3, "y");
    } else {
      counted.resize(counted.size() - (counted.ends_with("ches") ? 2 : counted.ends_with('s') ? 1 : 0));
    }
  }
  return decimal(n) + (counted.empty() ? "" : " " + counted);
}

std::string table_text(const std::vector<Cells>& rows, std::size_t width) {
  TextTable table(std::vector<TextTable::Align>(16, TextTable::Align::left));
  table.add_header(rows.front());
  for (std::size_t i = 1; i < rows.size(); ++i) table.add(rows[i]);
  return table.text("  ", width);
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
    Cells row{slot, value_text(value), count_text(value)};
    const Json* other = official == nullptr ? nullptr : official->find(slot);
    if (other != nullptr) row.insert(row.end(), {value_text(*other), count_text(*other)});
    rows.push_back(std::move(row));
  }
  if (official == nullptr) return rows;
  for (const auto& [slot, value] : *official->as_object()) {
    if (metrics.find(slot) != nullptr) continue;
    rows.push_back({slot, "", "", value_text(value), count_text(value)});
  }
  return rows;
}

// Why values are not there: slots by reason, in the order in which reasons are met.
class Reasons {
 public:
  void add(const Json* slots, const std::string& of) {
    if (slots == nullptr || slots->as_object() == nullptr) return;
    for (const auto& [slot, value] : *slots->as_object()) {
      add_of(value, of, slot);
    }
  }

  // Why there is no value, or no interval.
  void add_of(const Json& value, const std::string& of, const std::string& slot) {
    const std::string reason = text_at(value, "reason");
    const char* hint = reason.ends_with("no spacing") ? " (the CTs have it: --volumes)" : "";
    if (!reason.empty()) add("undefined, " + reason + hint + of, slot);
    const std::string no_interval = text_at(value, "no_interval");
    if (!no_interval.empty())
      without_interval_[no_interval] += (without_interval_[no_interval].empty() ? "" : ", ") + slot + of;
    const Json* interval = value.find("ci95");
    has_interval_ = has_interval_ || (interval != nullptr && !interval->is_null());
  }

  std::string lines() const {
    std::string out;
    for (const auto& [reason, slots] : slots_by_reason_)
      out.append("  ").append(printable(reason)).append(": ").append(slots).append("\n");
    for (const auto& [reason, slots] : without_interval_)
      out.append("  no interval, ")
          .append(printable(reason))
          .append(has_interval_ ? ": " + slots : "")
          .append("\n");
    return out;
  }

  void add(std::string reason, const std::string& slot) {
    const auto known = std::find_if(slots_by_reason_.begin(), slots_by_reason_.end(),
                                    [&reason](const auto& each) { return each.first == reason; });
    if (known == slots_by_reason_.end()) {
      slots_by_reason_.emplace_back(std::move(reason), slot);
    } else {
      known->second += ", " + slot;
    }
  }

 private:
  std::vector<std::pair<std::string, std::string>> slots_by_reason_;
  std::map<std::string, std::string> without_interval_;  // slots by the reason
  bool has_interval_ = false;                            // any value
};

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
      row.insert(row.end(), {value_text(*value), count_text(*value)});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Why groups have no value.
std::string group_reasons(const Json& groups) {
  Reasons reasons;
  for (const auto& [label, slots] : *groups.as_object()) {
    for (const std::string_view slot : group_slots) {
      const Json* value = slots.find(slot);
      if (value != nullptr) reasons.add_of(*value, "", printable(label) + " " + std::string(slot));
    }
  }
  return reasons.lines();
}

void append_groups(std::string& out, const Json& summary, std::size_t width) {
  const Json* columns = summary.find("group_by");
  const Json* kinds = summary.find("groups");
  if (columns == nullptr || columns->as_array() == nullptr || kinds == nullptr) return;
  for (const Json& column : *columns->as_array()) {
    const Json* groups = column.as_string() == nullptr ? nullptr : kinds->find(*column.as_string());
    if (groups == nullptr || groups->as_object() == nullptr) continue;
    if (groups->as_object()->empty()) {
      out += "  by " + *column.as_string() + ": no group has enough cases to be shown\n";
    } else {
      out += table_text(group_rows(*column.as_string(), *groups), width) + group_reasons(*groups);
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

// How far the samples of a run agree; the value of each beside the vote.
std::string samples_line(const Json& asked) {
  const std::int64_t samples = integer_at(asked, "samples");
  const Json* agreement = asked.find("agreement");
  if (samples < 2 || agreement == nullptr) return {};
  std::string out = "  " + decimal(samples) + " samples: " + decimal(integer_at(*agreement, "divided")) +
                    " of " + decimal(integer_at(*agreement, "cases")) + " cases divided";
  const auto mean = summary_number(asked, {"sample_accuracy", "mean"});
  const auto sd = summary_number(asked, {"sample_accuracy", "sd"});
  if (mean && sd) out += "; accuracy of a sample " + fixed(*mean, 4) + ", sd " + fixed(*sd, 4);
  return out + "\n";
}

// How a model was asked, and what of that the endpoint refused.
std::string asked_line(const Json& asked) {
  std::string out =
      "  asked: " + printable(text_at(asked, "model")) + ", " + printable(text_at(asked, "workflow"));
  const std::string effort = text_at(asked, "effort");
  if (!effort.empty()) out += ", effort " + printable(effort);
  const bool shows_none = number_at(asked, "images_shown_a_case").value_or(1) == 0;
  out += shows_none ? ", no images" : ", images " + printable(text_at(asked, "images"));
  for (const auto& [key, title] : {std::pair("hints", ", hints "), std::pair("summary", ", summary ")}) {
    const std::string cue = text_at(asked, key);
    if (!cue.empty() && cue != "none") out += title + printable(cue);
  }
  out += "\n" + samples_line(asked);
  const Json::Object* dropped = find_object(asked, "dropped_parameters");
  if (dropped == nullptr || dropped->empty()) return out;
  const auto name = [](const Json::Member& member) { return member.first; };
  return out + "  WITHOUT " + printable(joined(*dropped, ", ", name)) + ", which the endpoint refused\n";
}

// How far the judges of a panel agree with each other.
std::string panel_line(const Json& panel) {
  const auto steps = summary_number(panel, {"agreement", "steps"}).value_or(0);
  const auto alpha = summary_number(panel, {"agreement", "krippendorff_alpha", "value"});
  return "  steps: " + decimal(static_cast<std::int64_t>(find_array(panel, "judges")->size())) +
         " judges voted on " + fixed(steps, 0) + ", " + decimal(integer_at(panel, "without_majority")) +
         " without a majority; alpha between votes " + (alpha ? fixed(*alpha, 3) : "undefined") + "\n";
}

// Whether a certificate vouches for the judge of the steps.
std::string judge_line(const Json& judge) {
  const Json* panel = judge.find("panel");
  const std::string voted = panel == nullptr ? "" : panel_line(*panel);
  if (flag_at(judge, "is_certified").value_or(false))
    return "  steps: judged by " + printable(text_at(judge, "model")) + ", certified\n" + voted;
  return "  steps: the judge is uncertified: " + printable(joined(strings_at(judge, "reasons"), "; ")) +
         "\n" + voted;
}

// What stands beside values: as what, and how it is explained.
std::string bound_lines(const Json& summary, const char* bound, const std::string& words) {
  std::string out;
  for (const char* scorer : {"metrics", "official"}) {
    const Json* slots = summary.find(scorer);
    if (slots == nullptr || slots->as_object() == nullptr) continue;
    std::string names;
    for (const auto& [slot, value] : *slots->as_object()) {
      const Json* number = value.find(bound);
      if (number == nullptr || !number->as_number()) continue;
      names += (names.empty() ? "" : ", ") + slot + " " + fixed(*number->as_number(), 4);
    }
    const std::string whose = std::string(scorer) == "official" ? "official" : text_at(summary, "mode");
    if (!names.empty()) out += std::string("  ") + bound + " (" + words + "), " + whose + ": " + names + "\n";
  }
  return out;
}

std::string reason_lines(const Json& summary) {
  Reasons reasons;
  reasons.add(summary.find("metrics"), "");
  reasons.add(summary.find("official"), " (official)");
  return reasons.lines();
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

// The slots whose metric says that something is better.
std::string slots_better(const Json& summary, std::string_view better) {
  std::string names;
  std::set<std::string> named;
  for (const char* scorer : {"metrics", "official"}) {
    const Json* slots = summary.find(scorer);
    if (slots == nullptr || slots->as_object() == nullptr) continue;
    for (const auto& [slot, value] : *slots->as_object()) {
      if (text_at(value, "better") == better && named.insert(slot).second)
        names += (names.empty() ? "" : ", ") + slot;
    }
  }
  return names;
}

// Which way is better.
std::string direction_line(const Json& summary) {
  const std::string lower = slots_better(summary, "lower");
  const std::string neither = slots_better(summary, "none");
  return "  higher is better" + (lower.empty() ? lower : "; lower is better for " + lower) +
         (neither.empty() ? neither : "; neither for " + neither) + "\n";
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

// Questions of tables that were not handed in are no missing answers, and must not look like answered ones.
std::string left_out_text(const Json& summary) {
  const Json* tasks = summary.find("tasks");
  std::int64_t questions = 0;
  if (tasks != nullptr) {
    for (const auto& [task, entry] : *tasks->as_object()) {
      if (text_at(entry, "status") == "not submitted") questions += integer_at(entry, "questions");
    }
  }
  return questions == 0 ? "" : ", " + decimal(questions) + " of them in tables not submitted";
}

}  // namespace

std::string scorecard(const Json& summary, std::size_t width) {
  const Json& counts = *summary.find("counts");
  std::string out = printable(text_at(summary, "system")) + " on " + text_at(summary, "benchmark") + " " +
                    printable(text_at(summary, "split")) + ": " + decimal(integer_at(counts, "cases")) +
                    " cases";
  for (const char* what :
       {"findings", "questions", "structures", "missing", "failed", "ambiguous", "refused", "invalid"}) {
    if (counts.find(what) != nullptr) out += ", " + decimal(integer_at(counts, what)) + " " + what;
    if (what == std::string_view("questions")) out += left_out_text(summary);
  }
  out += "\n";
  out += table_text(value_rows(summary), width);
  out += direction_line(summary);
  out += bound_lines(summary, "floor", "the baseline that was given");
  out += bound_lines(summary, "ceiling", "the reference as its own prediction");
  out += reason_lines(summary);
  append_groups(out, summary, width);
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
  if (baselines != nullptr) {
    out += accuracy_line(summary);
    out += baselines->find("chance") != nullptr ? baselines_line(*baselines) : blind_lines(*baselines);
  }
  return folded_text(out, width);
}

}  // namespace fiducial
