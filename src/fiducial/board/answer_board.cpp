#include "fiducial/board/answer_board.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/stats/rank_groups.h"
#include "fiducial/stats/wilson.h"

namespace fiducial {

namespace {

// What published sources say against the published rows; an empty field fits all.
struct KnownConflict {
  std::string_view model;
  std::string_view mode;
  std::string_view effort;
  std::string_view note;
};

constexpr KnownConflict known_conflicts[] = {
    {"gpt-5-mini", "Thinking", "low",
     "the published figure shows 280; the file's value is within one case of the minimal run, so it is "
     "probably "
     "mislabelled"},
    {"gpt-5-nano", "Thinking", "low",
     "the published figure shows 202; the file's value equals the minimal run, so it is probably "
     "mislabelled"},
    {"gpt-5.2", "Thinking", "high", "the published figure shows 386"},
    {"gpt-5.2", "Thinking", "xhigh", "the published figure shows 396"},
    {"gpt-5-nano", "Thinking", "minimal",
     "non-thinking is 203 in one panel of the published figure and 176 in another"},
    {"gpt-5.2", "Non-thinking", "", "quoted as 49.9 % elsewhere, 49.6 % in file and figure"},
    {"qwen-qwen3-5-4b", "Non-thinking", "", "the fine-tuning baseline is published as 34.72 %, not 34.44 %"},
    {"qwen-qwen3-5-9b", "Non-thinking", "", "the fine-tuning baseline is published as 37.36 %, not 36.94 %"}};

constexpr std::string_view absent_note = "gpt-5 is in the published figure but not in the file";

void attach_notes(AnswerEntry& entry) {
  for (const KnownConflict& known : known_conflicts) {
    const bool fits = known.model == entry.run.model && known.mode == entry.run.mode &&
                      (known.effort.empty() || known.effort == entry.run.effort);
    if (fits) entry.notes.emplace_back(known.note);
  }
}

std::string entry_text(const AnswerEntry& entry) {
  return entry.run.model + " " + entry.run.mode + " " + entry.run.effort + " (" + decimal(entry.correct) +
         ")";
}

// Runs are in order among those that saw the same share of the images.
void note_order(AnswerBoard& board) {
  std::map<std::string, const AnswerEntry*> before;
  for (const AnswerEntry& entry : board.entries) {
    const AnswerEntry*& last = before[image_share(entry.run)];
    if (last != nullptr && last->correct < entry.correct) {
      board.notes.push_back(entry_text(*last) + " stands before " + entry_text(entry) +
                            ", against the order of accuracies: edited after it was generated");
    }
    last = &entry;
  }
}

Result<std::int64_t> count_at(const CsvTable& table, std::size_t row, std::size_t column,
                              std::int64_t cases) {
  const auto found = parse_integer(table.cell(row, column));
  if (found && *found >= 0 && *found <= cases) return *found;
  return table.cell_error(row, column,
                          "expected a count from 0 to " + decimal(cases) + ", found \"" +
                              std::string(table.cell(row, column)) + "\"");
}

Result<std::vector<std::string>> words_at(const Json& object, const char* key, const std::string& pointer) {
  std::vector<std::string> out;
  const Json* value = object.find(key);
  if (value == nullptr) return out;
  FIDUCIAL_TRY(const Json::Array* items, expect_array(*value, pointer + "/" + key));
  for (std::size_t i = 0; i < items->size(); ++i) {
    FIDUCIAL_TRY(std::string text, expect_string((*items)[i], pointer + "/" + key + "/" + decimal(i)));
    out.push_back(std::move(text));
  }
  return out;
}

Result<RunLabel> run_at(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY_DONE(expect_object(value, pointer));
  RunLabel out;
  FIDUCIAL_TRY(out.model, required_string(value, "model", pointer));
  FIDUCIAL_TRY(out.mode, required_string(value, "mode", pointer));
  FIDUCIAL_TRY(out.effort, required_string(value, "effort", pointer));
  FIDUCIAL_TRY(out.ratio_bucket, required_string(value, "ratio_bucket", pointer));
  return out;
}

Result<AnswerEntry> entry_from(const Json& value, const std::string& pointer, std::int64_t cases) {
  AnswerEntry out;
  FIDUCIAL_TRY(out.run, run_at(value, pointer));
  FIDUCIAL_TRY(out.correct, required_integer(value, "correct", pointer));
  if (out.correct < 0 || out.correct > cases) {
    return at_pointer(pointer + "/correct",
                      "expected 0 to " + decimal(cases) + ", found " + decimal(out.correct));
  }
  FIDUCIAL_TRY(out.notes, words_at(value, "notes", pointer));
  return out;
}

// A line of benchmark.json: its accuracy is a count of right answers over the cases.
Result<AnswerEntry> generated_entry_from(const Json& value, const std::string& pointer, std::int64_t cases) {
  AnswerEntry out;
  FIDUCIAL_TRY(out.run, run_at(value, pointer));
  FIDUCIAL_TRY(const Json* accuracy, required_field(value, "acc", pointer));
  const auto share = accuracy->as_number();
  if (!share || !(*share >= 0 && *share <= 1)) {
    return at_pointer(pointer + "/acc", "expected an accuracy from 0 to 1, found " + accuracy->compact());
  }
  // Four decimals still tell one case of 720 from the next.
  constexpr double most_rounding = 0.05;
  const double right = *share * static_cast<double>(cases);
  out.correct = std::llround(right);
  if (std::abs(right - static_cast<double>(out.correct)) > most_rounding) {
    return at_pointer(pointer + "/acc",
                      "expected a count over " + decimal(cases) + " cases, found " + accuracy->compact());
  }
  return out;
}

void attach_conflicts(AnswerBoard& board) {
  const auto any = [&board](const auto& fits) {
    return std::any_of(board.entries.begin(), board.entries.end(), fits);
  };
  for (AnswerEntry& entry : board.entries) attach_notes(entry);
  if (any([](const AnswerEntry& each) { return !each.notes.empty(); }) &&
      !any([](const AnswerEntry& each) { return each.run.model == "gpt-5"; })) {
    board.notes.emplace_back(absent_note);
  }
  note_order(board);
}

}  // namespace

Result<AnswerBoard> answer_board_from_csv(const CsvTable& table, std::int64_t cases) {
  AnswerBoard out{.cases = cases};
  std::vector<std::size_t> columns;
  for (const char* name : {"model", "mode", "effort", "ratio_bucket", "correct"}) {
    FIDUCIAL_TRY(columns.emplace_back(), table.column(name));
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t i) { return std::string(table.cell(row, columns[i])); };
    AnswerEntry entry{.run = {cell(0), cell(1), cell(2), cell(3)}};
    if (entry.run.model.empty()) return table.cell_error(row, columns[0], "expected a model, found nothing");
    if (entry.run.mode != "Thinking" && entry.run.mode != "Non-thinking" && entry.run.mode != "Unspecified") {
      return table.cell_error(
          row, columns[1],
          "expected Thinking, Non-thinking or Unspecified, found \"" + entry.run.mode + "\"");
    }
    FIDUCIAL_TRY(entry.correct, count_at(table, row, columns[4], cases));
    out.entries.push_back(std::move(entry));
  }
  if (out.entries.empty()) return invalid_data("expected results, found none");
  attach_conflicts(out);
  return out;
}

Result<AnswerBoard> parse_benchmark_json(const Json& document, std::int64_t cases) {
  AnswerBoard out{.cases = cases};
  FIDUCIAL_TRY(const Json* entries, required_field(document, "entries", ""));
  FIDUCIAL_TRY(const Json::Array* list, expect_array(*entries, "/entries"));
  for (std::size_t i = 0; i < list->size(); ++i) {
    FIDUCIAL_TRY(AnswerEntry entry, generated_entry_from((*list)[i], "/entries/" + decimal(i), cases));
    out.entries.push_back(std::move(entry));
  }
  if (out.entries.empty()) return at_pointer("/entries", "expected results, found none");
  attach_conflicts(out);
  return out;
}

Result<AnswerBoard> parse_answer_board(const Json& document) {
  FIDUCIAL_TRY(const std::string schema, required_string(document, "schema", ""));
  if (schema != "fiducial.answer_board/1") {
    return at_pointer("/schema", "expected fiducial.answer_board/1, found " + schema);
  }
  AnswerBoard out;
  FIDUCIAL_TRY(out.cases, required_integer(document, "cases", ""));
  if (out.cases < 1) return at_pointer("/cases", "expected at least one case, found " + decimal(out.cases));
  FIDUCIAL_TRY(const Json* entries, required_field(document, "entries", ""));
  FIDUCIAL_TRY(const Json::Array* list, expect_array(*entries, "/entries"));
  for (std::size_t i = 0; i < list->size(); ++i) {
    FIDUCIAL_TRY(AnswerEntry entry, entry_from((*list)[i], "/entries/" + decimal(i), out.cases));
    out.entries.push_back(std::move(entry));
  }
  FIDUCIAL_TRY(out.notes, words_at(document, "notes", ""));
  return out;
}

std::vector<RankedAnswer> ranked(const AnswerBoard& board) {
  std::vector<RankedAnswer> out;
  for (const AnswerEntry& entry : board.entries) {
    out.push_back({.entry = &entry,
                   .accuracy = static_cast<double>(entry.correct) / static_cast<double>(board.cases),
                   .wilson95 = wilson95(entry.correct, board.cases)});
  }
  std::stable_sort(out.begin(), out.end(), [](const RankedAnswer& a, const RankedAnswer& b) {
    return a.entry->correct > b.entry->correct;
  });
  const std::vector<std::size_t> groups = tie_groups(out.size(), [&](std::size_t leader, std::size_t other) {
    return out[other].wilson95.high < out[leader].wilson95.low;
  });
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool as_before = i > 0 && out[i].entry->correct == out[i - 1].entry->correct;
    out[i].rank = as_before ? out[i - 1].rank : i + 1;
    out[i].tie_group = groups[i] + 1;
    if (as_before) out[i].tied = out[i - 1].tied = true;
  }
  return out;
}

Json answer_board_json(const AnswerBoard& board, const std::string& source, const Digest& digest) {
  std::vector<RankedAnswer> places = ranked(board);
  Json entries{Json::Array{}};
  for (const AnswerEntry& entry : board.entries) {
    const auto place = std::find_if(places.begin(), places.end(),
                                    [&](const RankedAnswer& each) { return each.entry == &entry; });
    entries.push(Json::object({{"model", entry.run.model},
                               {"mode", entry.run.mode},
                               {"effort", entry.run.effort},
                               {"ratio_bucket", entry.run.ratio_bucket},
                               {"correct", entry.correct},
                               {"accuracy", place->accuracy},
                               {"wilson95", Json::array({place->wilson95.low, place->wilson95.high})},
                               {"rank", static_cast<std::int64_t>(place->rank)},
                               {"tied", place->tied},
                               {"tie_group", static_cast<std::int64_t>(place->tie_group)},
                               {"notes", Json::strings(entry.notes)}}));
  }
  return Json::object({{"schema", "fiducial.answer_board/1"},
                       {"benchmark", "medthinkvqa"},
                       {"cases", board.cases},
                       {"source", Json::object({{"file", source}, {"sha256", digest.hex()}})},
                       {"entries", std::move(entries)},
                       {"notes", Json::strings(board.notes)}});
}

}  // namespace fiducial
