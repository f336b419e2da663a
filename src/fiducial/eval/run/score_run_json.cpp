#include "fiducial/eval/run/score_run_json.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/run/json_reader.h"

namespace fiducial {

namespace {

template <typename Item, typename ToJson>
Json list_of(const std::vector<Item>& items, const ToJson& json_of) {
  Json out{Json::Array{}};
  for (const Item& item : items) out.push(json_of(item));
  return out;
}

Json text_list(const std::vector<std::string>& texts) {
  return list_of(texts, [](const std::string& text) { return Json(text); });
}

Json stored_values(const SharedValues& values) {
  if (!values) return {};
  Json out{Json::Array{}};
  for (std::size_t i = 0; i < values->size(); ++i) {
    const double value = (*values)[i];
    const auto whole = static_cast<std::int64_t>(value);
    out.push(static_cast<double>(whole) == value && std::abs(value) < 1e15 ? Json(whole) : Json(value));
  }
  return out;
}

Json stored_cells(const Column::Strings& cells) {
  return list_of(cells, [](const std::optional<std::string>& cell) { return cell ? Json(*cell) : Json(); });
}

Json stored_digest(const std::optional<Digest>& digest) { return digest ? Json(digest->hex()) : Json(); }

Json stored_file(const HashedFile& file) {
  return Json::object({{"file", file.name}, {"sha256", file.digest.hex()}, {"position", file.position}});
}

Json stored_bleu(const BleuCounts& counts) {
  Json out{Json::Array{}};
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    out.push(counts.matches.at(n));
    out.push(counts.possible.at(n));
    out.push(counts.possible_at_least_one.at(n));
  }
  out.push(counts.prediction_words);
  out.push(counts.reference_words);
  return out;
}

Json common_column(const ScoreColumn& column) {
  return Json::object({{"contract", column.contract->id},
                       {"version", column.contract->version},
                       {"id", column.id},
                       {"scorer", static_cast<std::int64_t>(column.scorer)},
                       {"counts_asked", column.counts_asked},
                       {"has_rows", column.has_rows},
                       {"has_every_row", column.has_every_row}});
}

Json own_column(const ScoreColumn& column) {
  return Json::object({{"sums", stored_values(column.sums)},
                       {"weights", stored_values(column.weights)},
                       {"asked", stored_values(column.asked)},
                       {"failed", stored_values(column.failed)},
                       {"marks", stored_values(column.marks)},
                       {"best_sums", stored_values(column.best_sums)},
                       {"best_weights", stored_values(column.best_weights)},
                       {"floor_sums", stored_values(column.floor_sums)},
                       {"floor_weights", stored_values(column.floor_weights)},
                       {"excused", stored_values(column.excused)}});
}

Json stored_measure(const Measure& measure) {
  return Json::object(
      {{"slot", measure.slot},
       {"column", static_cast<std::int64_t>(measure.column)},
       {"statistic", to_json(measure.statistic)},
       {"counts",
        list_of(measure.counts, [](std::size_t at) { return Json(static_cast<std::int64_t>(at)); })},
       {"absence", measure.absence},
       {"excuse", measure.excuse},
       {"is_share_of_cases", measure.is_share_of_cases},
       {"has_groups", measure.has_groups},
       {"counted", measure.counted},
       {"has_corpus", measure.corpus != nullptr}});
}

Json stored_group(const LabelledUnits& group) {
  return Json::object({{"label", group.label},
                       {"order", group.order},
                       {"members", list_of(group.members, [](std::uint32_t unit) {
                          return Json(static_cast<std::int64_t>(unit));
                        })}});
}

Json stored_case(const RunCase& entry) {
  return Json::object({{"name", entry.name},
                       {"patient", entry.patient},
                       {"position", entry.position},
                       {"evidence", entry.evidence}});
}

Json stored_case_files(const CaseFiles& files) {
  Json out = Json::object({{"case", files.name},
                           {"reference", files.reference},
                           {"reference_sha256", stored_digest(files.reference_digest)},
                           {"prediction_sha256", stored_digest(files.prediction_digest)},
                           {"ignored_sha256", stored_digest(files.ignored_digest)}});
  if (!files.spacing_mm) return out;
  const Vec3& mm = *files.spacing_mm;
  return out.set("spacing_mm", Json::array({mm[0], mm[1], mm[2]}));
}

Json stored_table(const Table& table) {
  Json columns{Json::Array{}};
  for (const Column& column : table.columns) {
    Json cells{Json::Array{}};
    std::visit(
        [&cells](const auto& values) {
          for (const auto& cell : values) cells.push(cell ? Json(*cell) : Json());
        },
        column.values);
    columns.push(Json::object({{"name", column.name},
                               {"kind", static_cast<std::int64_t>(column.values.index())},
                               {"cells", std::move(cells)}}));
  }
  Json metadata = Json::object({});
  for (const auto& [key, value] : table.metadata) metadata.set(key, value);
  return Json::object({{"columns", std::move(columns)}, {"metadata", std::move(metadata)}});
}

Json stored_detail(const CaseDetail& detail) {
  Json out = Json::object({{"name", detail.name}});
  if (const Table* table = std::get_if<Table>(&detail.content)) return out.set("table", stored_table(*table));
  return out.set("text", std::get<std::string>(detail.content));
}

Json stored_options(const OptionValues& options) {
  Json out = Json::object({});
  for (const auto& [name, values] : options) out.set(name, text_list(values));
  return out;
}

Json stored_input(const InputFile& input) {
  return Json::object(
      {{"role", input.role}, {"name", input.name}, {"file", input.file}, {"sha256", input.digest.hex()}});
}

// Files that tell of no single case are common.
Json stored_files(const std::vector<HashedFile>& files, bool of_cases) {
  std::vector<HashedFile> chosen;
  for (const HashedFile& file : files) {
    if ((file.position >= 0) == of_cases) chosen.push_back(file);
  }
  return list_of(chosen, stored_file);
}

Json common_json(const ScoreRun& run) {
  return Json::object({{"benchmark", run.benchmark},
                       {"task", run.task},
                       {"split", run.split},
                       {"system", run.system},
                       {"mode", to_string(run.mode)},
                       {"seed", run.seed},
                       {"resamples", run.resamples},
                       {"options", stored_options(run.options)},
                       {"given_paths", text_list(run.given_paths)},
                       {"rules", run.rules},
                       {"dataset", stored_file(run.dataset)},
                       {"predictions", run.predictions ? stored_file(*run.predictions) : Json()},
                       {"dataset_files", stored_files(run.dataset_files, false)},
                       {"prediction_files", stored_files(run.prediction_files, false)},
                       {"inputs", list_of(run.inputs, stored_input)},
                       {"columns", list_of(run.columns, common_column)},
                       {"measures", list_of(run.measures, stored_measure)},
                       {"kinds", list_of(run.groups, [](const GroupKind& kind) { return Json(kind.kind); })},
                       {"kinds_of_answers",
                        list_of(run.groups, [](const GroupKind& kind) { return Json(kind.tells_answers); })},
                       {"group_columns", run.group_columns},
                       {"facts", list_of(run.facts, [](const RowFact& fact) { return Json(fact.name); })},
                       {"is_sparse", run.is_sparse},
                       {"official_note", run.official_note},
                       {"resamples_cases", run.resamples_cases},
                       {"baselines", run.baselines},
                       {"attempt_words", run.attempt_words},
                       {"common", run.common}});
}

Json own_json(const ScoreRun& run) {
  Json corpora{Json::Array{}};
  for (const Measure& measure : run.measures)
    corpora.push(measure.corpus ? list_of(*measure.corpus, stored_bleu) : Json());
  return Json::object(
      {{"cases", list_of(run.cases, stored_case)},
       {"units", list_of(run.units,
                         [](const RunUnit& unit) {
                           return Json::array(
                               {static_cast<std::int64_t>(unit.at), static_cast<std::int64_t>(unit.number)});
                         })},
       {"categories", text_list(run.categories)},
       {"marks", list_of(run.marks,
                         [](const RowMark& mark) {
                           return Json::array({mark.status, mark.reason});
                         })},
       {"columns", list_of(run.columns, own_column)},
       {"corpora", std::move(corpora)},
       {"groups",
        list_of(run.groups, [](const GroupKind& kind) { return list_of(kind.groups, stored_group); })},
       {"facts",
        list_of(run.facts,
                [](const RowFact& fact) {
                  return Json::array({stored_cells(fact.by_scorer[0]), stored_cells(fact.by_scorer[1])});
                })},
       {"dataset_files", stored_files(run.dataset_files, true)},
       {"prediction_files", stored_files(run.prediction_files, true)},
       {"files", list_of(run.files, stored_case_files)},
       {"remarks",
        list_of(
            run.remarks,
            [](const Remark& each) {
              return Json::array({each.about, each.code, each.text, static_cast<std::int64_t>(each.kind)});
            })},
       {"details", list_of(run.details, stored_detail)},
       {"failures", run.failures},
       {"attempts", run.attempts},
       {"tallies", run.tallies}});
}

}  // namespace

ScoreRunJson to_json(const ScoreRun& run) { return {common_json(run), own_json(run)}; }

}  // namespace fiducial
