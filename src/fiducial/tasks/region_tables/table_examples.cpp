#include "fiducial/tasks/region_tables/table_examples.h"

#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr std::size_t examples_a_table = 3;
constexpr std::size_t most_rows = 20000;  // looked at: a table may have a million
constexpr const char* examples_key = "examples";

std::string question_of(const AnsweredTable& of, std::size_t row) {
  std::string out;
  for (const std::uint32_t part : {of.table.rows[row].finding, of.table.rows[row].place}) {
    if (!is_blank(of.split.texts.text(part))) append_joined(out, of.split.texts.text(part), " · ");
  }
  return out.empty() ? whole_scan_part : out;
}

}  // namespace

Outcome TableExamples::add(const AnsweredTable& of, const std::string& table, const RegionUnits& units) {
  TextStore::Reader answers(of.answers.texts);
  TextStore::Reader references(of.table.stored);
  std::set<std::uint32_t> cases;
  for (std::size_t row = 0; row < std::min(of.table.rows.size(), most_rows); ++row) {
    if (cases.size() == examples_a_table) break;
    if (!of.is_scored(row) || !of.is_answered(row)) continue;
    const std::uint32_t at = units.units()[of.unit_of_row[row]].at;
    if (cases.contains(at)) continue;
    FIDUCIAL_TRY(const std::string_view said, answers.text(of.answers.of_row[row]));
    std::string reference;
    if (of.table.stored_answers.empty()) {
      reference = of.reference(row);
    } else {
      FIDUCIAL_TRY(reference, references.text(of.table.stored_answers[row]));
    }
    if (plain_answer(said) == plain_answer(reference)) continue;
    cases.insert(at);
    Json& list = by_case_[at];
    if (list.is_null()) list = Json(Json::Array{});
    list.push(Json::object({{"table", table},
                            {"question", question_of(of, row)},
                            {"reference", reference},
                            {"answer", std::string(said)}}));
  }
  return done();
}

void TableExamples::write_to(ScoreRun& run) const {
  for (const auto& [at, list] : by_case_) add_evidence(run.cases[at], examples_key, list);
}

Result<std::vector<TableExample>> table_examples(const ScoreRun& run) {
  std::map<std::string, std::vector<TableExample>> by_table;
  for (const RunCase& entry : run.cases) {
    if (entry.evidence.find(examples_key) == std::string::npos) continue;
    FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
    const Json::Array* list = find_array(evidence, examples_key);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const Json& each = (*list)[i];
      std::vector<TableExample>& kept = by_table[text_at(each, "table")];
      if (kept.size() == examples_a_table) continue;
      kept.push_back({text_at(each, "table"), entry.name, text_at(each, "question"),
                      text_at(each, "reference"), text_at(each, "answer")});
    }
  }
  std::vector<TableExample> out;
  for (auto& [table, kept] : by_table) {
    for (TableExample& example : kept) out.push_back(std::move(example));
  }
  return out;
}

}  // namespace fiducial
