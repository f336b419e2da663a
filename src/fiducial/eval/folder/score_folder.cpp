#include "fiducial/eval/folder/score_folder.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/eval/run/score_run.h"
#include "fiducial/table/parquet.h"

namespace fiducial {

namespace {

struct Document {
  Json json;
  Digest digest;
};

Result<Document> read_document(const Path& path, bool (*is_known)(std::string_view), const char* expected) {
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  FIDUCIAL_TRY(Json json, parse_json(text).in_file(path.string()));
  const Json* found = json.find("schema");
  if (found == nullptr || found->as_string() == nullptr || !is_known(*found->as_string())) {
    return Error(ErrorCode::invalid_data, std::string("schema is not ") + expected,
                 Place{.path = path.string()});
  }
  return Document{std::move(json), sha256(as_bytes(text))};
}

bool is_known_summary(std::string_view schema) { return schema == "fiducial.scores/1"; }

Outcome check_plan_hash(const ScoreFolder& folder) {
  const Json* provenance = folder.summary.find("provenance");
  const Json* recorded = provenance == nullptr ? nullptr : provenance->find("plan_sha256");
  if (recorded != nullptr && recorded->as_string() != nullptr &&
      *recorded->as_string() == folder.plan_digest.hex()) {
    return done();
  }
  return Error(ErrorCode::integrity, "plan.json is not the plan that summary.json was made with",
               Place{.path = folder.path.string()});
}

Outcome check_parts(const ScoreFolder& folder) {
  for (const char* key : {"benchmark", "split", "mode", "system"}) {
    FIDUCIAL_TRY(const Json* value, required_field(folder.summary, key, ""));
    FIDUCIAL_TRY_DONE(expect_string(*value, std::string("/") + key));
  }
  for (const char* key : {"metrics", "groups", "counts"}) {
    FIDUCIAL_TRY(const Json* value, required_field(folder.summary, key, ""));
    FIDUCIAL_TRY_DONE(expect_object(*value, std::string("/") + key));
  }
  return done();
}

const Json* part_of(const ScoreFolder& folder, Scorer scorer, const char* primary, const char* official) {
  const bool is_primary = *folder.summary.find("mode")->as_string() == to_string(scorer);
  const Json* found = folder.summary.find(is_primary ? primary : official);
  if (!is_primary && scorer == Scorer::strict) return nullptr;
  return found != nullptr && found->as_object() != nullptr ? found : nullptr;
}

template <typename Values>
Result<const Values*> column_of(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  if (column == nullptr) return invalid_data("rows.parquet has no column \"" + name + "\"");
  const Values* values = std::get_if<Values>(&column->values);
  if (values == nullptr) return invalid_data("column \"" + name + "\" of rows.parquet has another type");
  return values;
}

// The columns we read, and the labels of further groupings ("group_size_voxels", ...).
struct StoredColumns {
  const Column::Strings* case_name = nullptr;
  const Column::Strings* patient = nullptr;
  const Column::Integers* finding = nullptr;
  const Column::Strings* category = nullptr;
  const Column::Strings* scorer = nullptr;
  const Column::Strings* metric = nullptr;
  const Column::Strings* status = nullptr;
  const Column::Numbers* value = nullptr;
  const Column::Numbers* weight = nullptr;  // none in tables of earlier versions about masks
  bool is_sparse = false;
  bool is_first = false;  // of an earlier version
  bool official_stops = false;
  std::vector<std::pair<std::string, const Column::Strings*>> groups;

  bool complete(std::size_t row) const {
    return (*case_name)[row] && (*patient)[row] && (*finding)[row] && (*metric)[row] && (*status)[row];
  }
};

constexpr std::string_view group_prefix = "group_";

Result<StoredColumns> columns_of(const Table& table) {
  StoredColumns out;
  FIDUCIAL_TRY(out.case_name, column_of<Column::Strings>(table, "case"));
  FIDUCIAL_TRY(out.patient, column_of<Column::Strings>(table, "patient"));
  FIDUCIAL_TRY(out.finding, column_of<Column::Integers>(table, "finding"));
  FIDUCIAL_TRY(out.category, column_of<Column::Strings>(table, "category"));
  FIDUCIAL_TRY(out.scorer, column_of<Column::Strings>(table, "scorer"));
  FIDUCIAL_TRY(out.metric, column_of<Column::Strings>(table, "metric"));
  FIDUCIAL_TRY(out.status, column_of<Column::Strings>(table, "status"));
  FIDUCIAL_TRY(out.value, column_of<Column::Numbers>(table, "value"));
  if (table.find("weight") != nullptr) {
    FIDUCIAL_TRY(out.weight, column_of<Column::Numbers>(table, "weight"));
  }
  const auto says = [&table](const char* word) {
    return std::any_of(table.metadata.begin(), table.metadata.end(),
                       [word](const auto& entry) { return entry.first == word; });
  };
  out.is_first = !says("measures");
  out.is_sparse = out.is_first ? out.weight != nullptr : says("sparse");
  out.official_stops = says("official_stops");
  for (const Column& column : table.columns) {
    if (!column.name.starts_with(group_prefix)) continue;
    FIDUCIAL_TRY(const Column::Strings* labels, column_of<Column::Strings>(table, column.name));
    out.groups.emplace_back(column.name.substr(group_prefix.size()), labels);
  }
  return out;
}

// Lays the rows of one scorer out by finding.
class RowReader {
 public:
  RowReader(const StoredColumns& columns, Scorer scorer) : columns_(columns), scorer_(to_string(scorer)) {}

  Outcome read() {
    for (std::size_t row = 0; row < columns_.scorer->size(); ++row) {
      if ((*columns_.scorer)[row] != scorer_) continue;
      if (!columns_.complete(row))
        return invalid_data("row " + decimal(row) + " of rows.parquet lacks a cell");
      FIDUCIAL_TRY_DONE(add(row));
    }
    out_.official_stops = columns_.official_stops;
    if (columns_.is_first && columns_.weight == nullptr) {
      for (const FindingRow& unit : out_.findings) out_.official_stops |= unit.status == "failed";
    }
    return columns_.is_sparse ? fill_up() : check_rows();
  }

  FindingRows take() { return std::move(out_); }

 private:
  Outcome check_rows() {
    for (const auto& [metric, values] : out_.values) {
      const std::vector<bool>& filled = filled_[metric];
      const auto rows = static_cast<std::size_t>(std::count(filled.begin(), filled.end(), true));
      if (rows == out_.findings.size()) continue;
      return invalid_data("rows.parquet has " + decimal(rows) + " rows of " + metric + " for " +
                          decimal(out_.findings.size()) + " findings");
    }
    return done();
  }

  // Where rows have weights, those of weight 0 need not be there.
  Outcome fill_up() {
    for (auto& [metric, values] : out_.values) values.resize(out_.findings.size());
    for (auto& [metric, weights] : out_.weights) weights.resize(out_.findings.size());
    return done();
  }

  Outcome add(std::size_t row) {
    const std::size_t at = position(row);
    const std::string& metric = *(*columns_.metric)[row];
    FindingRows::Values& values = out_.values[metric];
    values.resize(out_.findings.size());
    std::vector<bool>& filled = filled_[metric];
    filled.resize(out_.findings.size());
    if (filled[at]) {
      return invalid_data("rows.parquet has " + metric + " twice for finding " +
                          decimal(out_.findings[at].finding) + " of " + out_.findings[at].case_name);
    }
    filled[at] = true;
    values[at] = (*columns_.value)[row];
    if (columns_.weight == nullptr) return done();
    std::vector<double>& weights = out_.weights[metric];
    weights.resize(out_.findings.size());
    weights[at] = (*columns_.weight)[row].value_or(0);
    return done();
  }

  std::size_t position(std::size_t row) {
    const std::string& name = *(*columns_.case_name)[row];
    const std::int64_t finding = *(*columns_.finding)[row];
    const auto [found, is_new] = positions_.emplace(std::pair(name, finding), out_.findings.size());
    if (is_new) {
      const std::string& status = *(*columns_.status)[row];
      out_.findings.push_back({name, finding, *(*columns_.patient)[row],
                               (*columns_.category)[row].value_or(""),
                               status == "undefined" ? "scored" : status});
      add_labels(row);
    }
    return found->second;
  }

  // Tables of earlier versions tell the category in a column of its own.
  void add_labels(std::size_t row) {
    const std::string& code = out_.findings.back().category;
    bool has_category = false;
    for (const auto& [kind, labels] : columns_.groups) {
      out_.groups[kind].push_back((*labels)[row].value_or(""));
      has_category = has_category || kind == category_kind;
    }
    if (!has_category)
      out_.groups[std::string(category_kind)].push_back(code.empty() ? std::string(uncategorized) : code);
  }

  const StoredColumns& columns_;
  std::string scorer_;
  FindingRows out_;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> positions_;
  std::map<std::string, std::vector<bool>> filled_;
};

}  // namespace

bool is_known_plan(std::string_view schema) {
  return schema == "fiducial.plan/1" || schema == "fiducial.plan/2";
}

const std::string& ScoreFolder::system() const { return *summary.find("system")->as_string(); }

const Json* ScoreFolder::slots(Scorer scorer) const { return part_of(*this, scorer, "metrics", "official"); }

const Json* ScoreFolder::groups(Scorer scorer) const {
  return part_of(*this, scorer, "groups", "official_groups");
}

Result<ScoreFolder> read_score_folder(const Path& path) {
  FIDUCIAL_TRY(Document summary, read_document(path / "summary.json", is_known_summary, "fiducial.scores/1"));
  FIDUCIAL_TRY(Document plan, read_document(path / "plan.json", is_known_plan, "fiducial.plan/2"));
  FIDUCIAL_TRY(Table rows, read_parquet(path / "rows.parquet"));
  ScoreFolder out{path,        std::move(plan.json), std::move(summary.json), std::move(rows),
                  plan.digest, summary.digest};
  FIDUCIAL_TRY_DONE(check_parts(out).in_file((path / "summary.json").string()));
  FIDUCIAL_TRY_DONE(check_plan_hash(out));
  return out;
}

const FindingRows::Values* FindingRows::find(std::string_view metric) const {
  const auto found = values.find(metric);
  return found == values.end() ? nullptr : &found->second;
}

const std::vector<double>* FindingRows::find_weights(std::string_view metric) const {
  const auto found = weights.find(metric);
  return found == weights.end() ? nullptr : &found->second;
}

std::vector<std::size_t> FindingRows::members(std::string_view kind, std::string_view label) const {
  std::vector<std::size_t> out;
  const auto labels = groups.find(kind);
  if (labels == groups.end()) return out;
  const std::string wanted = std::string(label_separator) + std::string(label) + std::string(label_separator);
  for (std::size_t i = 0; i < labels->second.size(); ++i) {
    const std::string& found = labels->second[i];
    const bool is_among =
        (std::string(label_separator) + found + std::string(label_separator)).find(wanted) !=
        std::string::npos;
    if (found == label || is_among) out.push_back(i);
  }
  return out;
}

Result<FindingRows> finding_rows(const Table& rows, Scorer scorer) {
  FIDUCIAL_TRY(const StoredColumns columns, columns_of(rows));
  RowReader reader(columns, scorer);
  FIDUCIAL_TRY_DONE(reader.read());
  return reader.take();
}

}  // namespace fiducial
