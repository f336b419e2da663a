#include <array>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/cases/option_cropping.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/curate/engine/output_files.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

constexpr const char* new_columns[] = {"OptionA", "OptionB", "OptionC",
                                       "OptionD", "OptionE", "correct Answer"};

// Records of a model's run by the row they are about; the last one counts.
Result<std::map<std::int64_t, Json>> records_by_row(StageCall& call) {
  std::map<std::int64_t, Json> out;
  if (!call.has("EVALUATION")) return out;
  FIDUCIAL_TRY(const std::vector<Item> items, call.read_items("EVALUATION", call.text("EVALUATION")));
  for (const Item& item : items) {
    const auto text = scalar_text(item.value.find("source_row_index"));
    const auto row = text ? parse_integer(*text) : std::nullopt;
    if (row) out[*row] = item.value;
  }
  return out;
}

struct CropRow {
  CropCase item;
  CroppedCase result;
};

Result<std::vector<CropRow>> crop_rows(StageCall& call, const CsvTable& table,
                                       const std::map<std::int64_t, Json>& records) {
  FIDUCIAL_TRY(const std::size_t differential, table.column("differential_diagnosis"));
  FIDUCIAL_TRY(const std::size_t diagnosis, table.column("final_diagnosis"));
  std::vector<CropRow> out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto record = records.find(static_cast<std::int64_t>(row));
    CropRow each{.item = {.final_diagnosis = std::string(table.cell(row, diagnosis)),
                          .candidates = split_candidates(table.cell(row, differential)),
                          .record = record == records.end() ? nullptr : &record->second}};
    each.result = cropped(each.item, !call.strict(), call.random());
    out.push_back(std::move(each));
  }
  return out;
}

bool has_equal_options(const CroppedCase& item) {
  std::set<std::string> norms;
  for (const std::string& option : item.options) norms.insert(folded_norm(option));
  return norms.size() != item.options.size();
}

// Why strict mode does not take a row as it is.
std::optional<ItemStatus> objection(const CropRow& row) {
  if (row.item.candidates.size() < 5) return std::nullopt;
  if (row.result.is_padded || has_equal_options(row.result)) {
    return rejected("duplicate_options",
                    "fewer than four candidates differ from the key and from each other");
  }
  if (!row.result.key || folded_norm(row.result.options[*row.result.key]).empty()) {
    return rejected("no_key", "no candidate is the final diagnosis \"" + row.item.final_diagnosis + "\"");
  }
  if (row.result.is_contained) {
    return rejected("key_by_containment", "the candidate \"" + row.result.options[*row.result.key] +
                                              "\" is not the final diagnosis \"" + row.item.final_diagnosis +
                                              "\", one only contains the other: look at it");
  }
  return std::nullopt;
}

ItemStatus status_of(const CropRow& row) {
  ItemStatus out{.status = row.item.candidates.size() < 5 ? "skipped" : "changed"};
  if (out.status == "skipped") out.code = "fewer_than_five";
  if (row.result.is_ambiguous) {
    out.code = "ambiguous_match";
    out.detail = "several candidates contain the final diagnosis or are contained in it; the first was taken";
  }
  if (out.status == "changed" && !row.result.key) out.code = "no_key";
  if (row.result.is_padded) out.code = "duplicate_options";
  out.facts = Json::object({{"candidates", static_cast<std::int64_t>(row.item.candidates.size())},
                            {"used_record", row.result.used_record},
                            {"model_was_wrong", row.result.model_was_wrong}});
  return out;
}

// Gives the keys of the rows in turn every letter equally often.
void balance(StageCall& call, std::vector<CropRow>& rows, const std::vector<bool>& taken) {
  const bool every = call.flag("rebalance-all");
  std::vector<CropRow*> moved;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (taken[i] && (rows[i].item.candidates.size() > 5 || every) && rows[i].result.key)
      moved.push_back(&rows[i]);
  }
  const std::vector<std::size_t> targets = balanced_targets(moved.size(), call.random());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i]->result = placed_at(moved[i]->result, targets[i], call.random());
  }
}

// The table with the new columns: in their place where they are there, else after the others.
Outcome write_table(OutputFile& file, const CsvTable& table, const std::vector<CropRow>& rows,
                    const std::vector<bool>& taken) {
  std::vector<std::string> columns = table.columns();
  std::vector<std::size_t> places;
  for (const char* name : new_columns) {
    const auto found = table.find_column(name);
    places.push_back(found.value_or(columns.size()));
    if (!found) columns.emplace_back(name);
  }
  FIDUCIAL_TRY_DONE(file.write("\xEF\xBB\xBF" + with_crlf(csv_row(columns))));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::vector<std::string> cells(columns.size());
    for (std::size_t i = 0; i < table.columns().size(); ++i) cells[i] = table.cell(row, i);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const CroppedCase& result = rows[row].result;
      std::string& cell = cells[places[i]];
      cell.clear();
      if (!taken[row]) continue;
      if (i < result.options.size()) cell = result.options[i];
      if (i == 5 && result.key) cell = option_letter(*result.key);
    }
    FIDUCIAL_TRY_DONE(file.write(with_crlf(csv_row(cells))));
  }
  return done();
}

void summarise(StageCall& call, const std::vector<CropRow>& rows, const std::vector<bool>& taken) {
  std::int64_t exact = 0;
  std::int64_t more = 0;
  std::int64_t used = 0;
  std::int64_t wrong = 0;
  std::array<std::int64_t, 5> letters{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    exact += rows[i].item.candidates.size() == 5 ? 1 : 0;
    more += rows[i].item.candidates.size() > 5 ? 1 : 0;
    used += rows[i].result.used_record ? 1 : 0;
    wrong += rows[i].result.model_was_wrong ? 1 : 0;
    if (taken[i] && rows[i].result.key) ++letters.at(*rows[i].result.key);
  }
  Json histogram = Json::Object{};
  for (std::size_t i = 0; i < letters.size(); ++i) histogram.set(option_letter(i), letters[i]);
  call.summary() = Json::object({{"rows", static_cast<std::int64_t>(rows.size())},
                                 {"exactly_five", exact},
                                 {"more_than_five", more},
                                 {"used_record", used},
                                 {"model_was_wrong", wrong},
                                 {"keys", std::move(histogram)}});
}

Outcome run_crop(StageCall& call) {
  const Path path = call.text("CASES");
  FIDUCIAL_TRY(const std::string text, call.read_input("CASES", path));
  FIDUCIAL_TRY(const CsvTable table, parse_csv(text).in_file(path.string()));
  FIDUCIAL_TRY(const auto records, records_by_row(call));
  FIDUCIAL_TRY(std::vector<CropRow> rows, crop_rows(call, table, records).in_file(path.string()));
  std::vector<bool> taken(rows.size(), true);
  std::vector<ItemStatus> statuses;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto refused = call.strict() ? objection(rows[i]) : std::nullopt;
    taken[i] = !refused;
    statuses.push_back(refused ? *refused : status_of(rows[i]));
  }
  balance(call, rows, taken);
  const auto titles = table.find_column("case_title");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string id = titles ? std::string(table.cell(i, *titles)) : decimal(i);
    FIDUCIAL_TRY_DONE(call.record(static_cast<std::int64_t>(i), id, statuses[i]));
  }
  summarise(call, rows, taken);
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".csv"));
  return write_table(*file, table, rows, taken);
}

}  // namespace

Stage crop_stage() {
  return {
      .name = "crop",
      .summary = "Crop the differential diagnoses of a case table to five options",
      .example = "fiducial curate crop cases.csv evaluation.json -o cropped.csv --seed 42",
      .inputs =
          {{.name = "CASES", .help = "CSV with final_diagnosis and differential_diagnosis", .required = true},
           {.name = "EVALUATION", .help = "Records of a model's run, by source_row_index (JSON, JSONL)"}},
      .options = {{.name = "rebalance-all",
                   .help = "Give rows of exactly five candidates a new letter too",
                   .kind = StageOption::Kind::flag}},
      .draws = true,
      .official_seed = 42,
      .run = run_crop};
}

}  // namespace fiducial
