#include <algorithm>

#include "fiducial/eval/run/json_reader.h"
#include "fiducial/eval/run/score_run_json.h"

namespace fiducial {

namespace {

const MetricContract* find_contract(const std::string& id) {
  static const std::vector<MetricContract> all = all_contracts();
  const auto found =
      std::find_if(all.begin(), all.end(), [&id](const MetricContract& each) { return each.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> texts_of(const Json::Array& items, JsonReader& of, const char* key) {
  std::vector<std::string> out;
  for (const Json& item : items) {
    if (item.as_string() == nullptr) of.refuse(key);
    out.push_back(item.as_string() == nullptr ? "" : *item.as_string());
  }
  return out;
}

SharedValues values_of(JsonReader& column, const char* key, std::size_t units) {
  if (column.member(key).is_null()) return nullptr;
  const Json::Array& items = column.array(key);
  if (items.size() != units) column.refuse(key);
  UnitValues out(units);
  for (std::size_t i = 0; i < std::min(units, items.size()); ++i) {
    const auto number = items[i].as_number();
    if (!number) column.refuse(key);
    out[i] = number.value_or(0);
  }
  return shared(std::move(out));
}

Result<HashedFile> parse_file(const Json& value) {
  JsonReader fields(value);
  HashedFile out{fields.text("file"), fields.digest("sha256"), fields.integer("position")};
  FIDUCIAL_TRY_DONE(fields.outcome("hashed file"));
  return out;
}

Result<std::vector<HashedFile>> parse_files(const Json::Array& items) {
  std::vector<HashedFile> out;
  for (const Json& item : items) {
    FIDUCIAL_TRY(out.emplace_back(), parse_file(item));
  }
  return out;
}

Result<ScoreColumn> parse_column(const Json& common, const Json& own, const ScoreRun& run) {
  JsonReader fields(common);
  JsonReader values(own);
  const std::size_t units = run.units.size();
  ScoreColumn out{.id = fields.text("id"),
                  .scorer = fields.integer("scorer") == 1 ? Scorer::official : Scorer::strict,
                  .sums = values_of(values, "sums", units),
                  .weights = values_of(values, "weights", units),
                  .asked = values_of(values, "asked", units),
                  .failed = values_of(values, "failed", units),
                  .marks = values_of(values, "marks", units),
                  .best_sums = values_of(values, "best_sums", units),
                  .best_weights = values_of(values, "best_weights", units),
                  .floor_sums = values_of(values, "floor_sums", units),
                  .floor_weights = values_of(values, "floor_weights", units),
                  .excused = values_of(values, "excused", units),
                  .counts_asked = fields.flag("counts_asked"),
                  .has_rows = fields.flag("has_rows"),
                  .has_every_row = fields.flag("has_every_row")};
  const std::string id = fields.text("contract");
  out.contract = find_contract(id);
  if (out.contract == nullptr) return invalid_data("metric \"" + id + "\" is not known to this version");
  if (out.contract->version != fields.integer("version"))
    return invalid_data("metric \"" + id + "\" has another version here");
  if (!out.sums || !out.weights || !out.asked || !out.failed) values.refuse("sums");
  if (!out.best_sums != !out.best_weights) values.refuse("best_sums");
  if (!out.floor_sums != !out.floor_weights) values.refuse("floor_sums");
  for (std::size_t i = 0; out.marks && i < units; ++i) {
    if ((*out.marks)[i] < 0 || (*out.marks)[i] >= static_cast<double>(run.marks.size()))
      values.refuse("marks");
  }
  FIDUCIAL_TRY_DONE(fields.outcome("column"));
  FIDUCIAL_TRY_DONE(values.outcome("column"));
  return out;
}

constexpr std::size_t bleu_values = 3 * std::size_t{longest_ngram};

Result<BleuCounts> parse_bleu(const Json& value) {
  const Json::Array* parts = value.as_array();
  BleuCounts out;
  bool fits = parts != nullptr && parts->size() == bleu_values + 2;
  const auto at = [&](std::size_t i) {
    const std::int64_t* number = fits ? (*parts)[i].as_integer() : nullptr;
    fits = fits && number != nullptr;
    return number == nullptr ? 0 : *number;
  };
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    out.matches.at(n) = at(3 * n);
    out.possible.at(n) = at(3 * n + 1);
    out.possible_at_least_one.at(n) = at(3 * n + 2);
  }
  out.prediction_words = at(bleu_values);
  out.reference_words = at(bleu_values + 1);
  if (!fits) return invalid_data("corpus: expected counts of n-grams");
  return out;
}

Result<Measure> parse_measure(const Json& common, const Json& corpus, const ScoreRun& run) {
  JsonReader fields(common);
  Measure out{.slot = fields.text("slot"),
              .column = static_cast<std::size_t>(fields.integer("column")),
              .absence = fields.text("absence"),
              .excuse = fields.text("excuse"),
              .is_share_of_cases = fields.flag("is_share_of_cases"),
              .has_groups = fields.flag("has_groups"),
              .counted = fields.text("counted")};
  FIDUCIAL_TRY(out.statistic, parse_statistic(fields.member("statistic")));
  for (const Json& item : fields.array("counts")) {
    if (item.as_integer() == nullptr) fields.refuse("counts");
    out.counts.push_back(static_cast<std::size_t>(item.as_integer() == nullptr ? -1 : *item.as_integer()));
  }
  const auto is_column = [&run](std::size_t at) { return at < run.columns.size(); };
  if (!is_column(out.column) || !std::all_of(out.counts.begin(), out.counts.end(), is_column))
    fields.refuse("column");
  const std::size_t wanted = out.statistic.is_share()                         ? 3
                             : out.statistic.kind == Statistic::Kind::matches ? 1
                                                                              : 0;
  if (out.counts.size() != wanted) fields.refuse("counts");
  FIDUCIAL_TRY_DONE(fields.outcome("measure"));
  if (!fields.flag("has_corpus")) return out;
  auto counts = std::make_shared<std::vector<BleuCounts>>();
  const Json::Array* items = corpus.as_array();
  if (items == nullptr || items->size() != run.units.size())
    return invalid_data("corpus: expected one a unit");
  for (const Json& item : *items) {
    FIDUCIAL_TRY(counts->emplace_back(), parse_bleu(item));
  }
  out.corpus = std::move(counts);
  return out;
}

Result<LabelledUnits> parse_group(const Json& value, std::size_t units) {
  JsonReader fields(value);
  LabelledUnits out{.label = fields.text("label"), .order = fields.number("order")};
  for (const Json& item : fields.array("members")) {
    const std::int64_t* unit = item.as_integer();
    const bool fits = unit != nullptr && *unit >= 0 && static_cast<std::size_t>(*unit) < units &&
                      (out.members.empty() || static_cast<std::uint32_t>(*unit) > out.members.back());
    if (!fits) fields.refuse("members");
    if (fits) out.members.push_back(static_cast<std::uint32_t>(*unit));
  }
  FIDUCIAL_TRY_DONE(fields.outcome("group"));
  return out;
}

Result<Column> parse_table_column(const Json& value) {
  JsonReader fields(value);
  Column out{fields.text("name"), {}};
  const std::int64_t kind = fields.integer("kind");
  const Json::Array& cells = fields.array("cells");
  Column::Strings texts;
  Column::Integers integers;
  Column::Numbers numbers;
  for (const Json& cell : cells) {
    if (kind == 0)
      texts.push_back(cell.as_string() == nullptr ? std::nullopt : std::optional(*cell.as_string()));
    if (kind == 1)
      integers.push_back(cell.as_integer() == nullptr ? std::nullopt : std::optional(*cell.as_integer()));
    if (kind == 2) numbers.push_back(cell.as_number());
  }
  if (kind == 0) out.values = std::move(texts);
  if (kind == 1) out.values = std::move(integers);
  if (kind == 2) out.values = std::move(numbers);
  FIDUCIAL_TRY_DONE(fields.outcome("column of a table"));
  return out;
}

Result<CaseDetail> parse_detail(const Json& value) {
  JsonReader fields(value);
  CaseDetail out{fields.text("name"), ""};
  if (value.find("text") != nullptr) {
    out.content = fields.text("text");
    FIDUCIAL_TRY_DONE(fields.outcome("detail"));
    return out;
  }
  JsonReader table(fields.member("table"));
  Table content;
  for (const Json& column : table.array("columns")) {
    FIDUCIAL_TRY(content.columns.emplace_back(), parse_table_column(column));
    if (content.columns.back().size() != content.columns.front().size()) table.refuse("columns");
  }
  if (const Json::Object* metadata = table.member("metadata").as_object()) {
    for (const auto& [key, text] : *metadata) {
      if (text.as_string() != nullptr) content.metadata.emplace_back(key, *text.as_string());
    }
  }
  FIDUCIAL_TRY_DONE(fields.outcome("detail"));
  FIDUCIAL_TRY_DONE(table.outcome("detail"));
  out.content = std::move(content);
  return out;
}

Result<CaseFiles> parse_case_files(const Json& value) {
  JsonReader fields(value);
  CaseFiles out{.name = fields.text("case"),
                .reference = fields.text("reference"),
                .reference_digest = fields.optional_digest("reference_sha256"),
                .prediction_digest = fields.optional_digest("prediction_sha256"),
                .ignored_digest = fields.optional_digest("ignored_sha256")};
  if (value.find("spacing_mm") != nullptr) {
    const Json::Array& edges = fields.array("spacing_mm");
    Vec3 mm{};
    for (std::size_t i = 0; i < mm.size(); ++i) {
      const auto edge = i < edges.size() ? edges[i].as_number() : std::nullopt;
      if (!edge) fields.refuse("spacing_mm");
      mm[i] = edge.value_or(0);
    }
    out.spacing_mm = mm;
  }
  FIDUCIAL_TRY_DONE(fields.outcome("files of a case"));
  return out;
}

Outcome parse_head(const Json& common, ScoreRun& out) {
  JsonReader fields(common);
  out.benchmark = fields.text("benchmark");
  out.task = fields.text("task");
  out.split = fields.text("split");
  out.system = fields.text("system");
  FIDUCIAL_TRY(out.mode, parse_score_mode(fields.text("mode")));
  out.seed = static_cast<std::uint64_t>(fields.integer("seed"));
  out.resamples = static_cast<int>(fields.integer("resamples"));
  if (out.resamples < 1) fields.refuse("resamples");
  if (const Json::Object* options = fields.member("options").as_object()) {
    for (const auto& [name, values] : *options) {
      if (values.as_array() == nullptr) fields.refuse("options");
      if (values.as_array() != nullptr) out.options[name] = texts_of(*values.as_array(), fields, "options");
    }
  }
  out.given_paths = texts_of(fields.array("given_paths"), fields, "given_paths");
  out.rules = fields.member("rules");
  out.group_columns = fields.member("group_columns");
  out.is_sparse = fields.flag("is_sparse");
  out.official_note = fields.text("official_note");
  out.resamples_cases = fields.flag("resamples_cases");
  out.baselines = fields.member("baselines");
  out.attempt_words = fields.text("attempt_words");
  out.common = fields.member("common");
  FIDUCIAL_TRY(out.dataset, parse_file(fields.member("dataset")));
  if (!fields.member("predictions").is_null()) {
    FIDUCIAL_TRY(out.predictions, parse_file(fields.member("predictions")));
  }
  FIDUCIAL_TRY(out.dataset_files, parse_files(fields.array("dataset_files")));
  FIDUCIAL_TRY(out.prediction_files, parse_files(fields.array("prediction_files")));
  for (const Json& item : fields.array("inputs")) {
    JsonReader input(item);
    out.inputs.push_back(
        {input.text("role"), input.text("name"), input.text("file"), input.digest("sha256")});
    FIDUCIAL_TRY_DONE(input.outcome("input"));
  }
  return fields.outcome("run");
}

Outcome parse_cases(JsonReader& own, ScoreRun& out) {
  for (const Json& item : own.array("cases")) {
    JsonReader entry(item);
    out.cases.push_back(
        {entry.text("name"), entry.text("patient"), entry.integer("position"), entry.text("evidence")});
    FIDUCIAL_TRY_DONE(entry.outcome("case"));
  }
  for (const Json& item : own.array("units")) {
    const Json::Array* pair = item.as_array();
    const bool fits = pair != nullptr && pair->size() == 2 && (*pair)[0].as_integer() != nullptr &&
                      (*pair)[1].as_integer() != nullptr && *(*pair)[0].as_integer() >= 0 &&
                      static_cast<std::size_t>(*(*pair)[0].as_integer()) < out.cases.size();
    if (!fits) return invalid_data("run: expected units of its cases");
    out.units.push_back({static_cast<std::uint32_t>(*(*pair)[0].as_integer()),
                         static_cast<std::uint32_t>(*(*pair)[1].as_integer())});
  }
  out.categories = texts_of(own.array("categories"), own, "categories");
  if (!out.categories.empty() && out.categories.size() != out.units.size()) own.refuse("categories");
  out.marks.clear();
  for (const Json& item : own.array("marks")) {
    const Json::Array* pair = item.as_array();
    if (pair == nullptr || pair->size() != 2)
      return invalid_data("run: expected marks of a status and a reason");
    const std::vector<std::string> words = texts_of(*pair, own, "marks");
    out.marks.push_back({words[0], words[1]});
  }
  if (out.marks.empty() || out.marks.size() > 255) own.refuse("marks");
  return own.outcome("run");
}

Outcome parse_scores(JsonReader& common, JsonReader& own, ScoreRun& out) {
  const Json::Array& heads = common.array("columns");
  const Json::Array& values = own.array("columns");
  const Json::Array& measures = common.array("measures");
  const Json::Array& corpora = own.array("corpora");
  if (heads.size() != values.size() || measures.size() != corpora.size())
    return invalid_data("run: its parts have other columns or measures than its head");
  for (std::size_t i = 0; i < heads.size(); ++i) {
    FIDUCIAL_TRY(out.columns.emplace_back(), parse_column(heads[i], values[i], out));
  }
  for (std::size_t i = 0; i < measures.size(); ++i) {
    FIDUCIAL_TRY(out.measures.emplace_back(), parse_measure(measures[i], corpora[i], out));
  }
  const Json::Array& kinds = common.array("kinds");
  const Json::Array& of_answers = common.array("kinds_of_answers");
  const Json::Array& groups = own.array("groups");
  const Json::Array& names = common.array("facts");
  const Json::Array& facts = own.array("facts");
  if (kinds.size() != groups.size() || kinds.size() != of_answers.size() || names.size() != facts.size())
    return invalid_data("run: its parts have other groups or facts than its head");
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool* tells_answers = of_answers[i].as_bool();
    if (kinds[i].as_string() == nullptr || groups[i].as_array() == nullptr || tells_answers == nullptr)
      return invalid_data("run: expected groups");
    out.groups.push_back({.kind = *kinds[i].as_string(), .groups = {}, .tells_answers = *tells_answers});
    for (const Json& item : *groups[i].as_array()) {
      FIDUCIAL_TRY(out.groups.back().groups.emplace_back(), parse_group(item, out.units.size()));
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Json::Array* pair = facts[i].as_array();
    if (names[i].as_string() == nullptr || pair == nullptr || pair->size() != 2)
      return invalid_data("run: expected facts");
    out.facts.push_back({.name = *names[i].as_string()});
    for (std::size_t s = 0; s < 2; ++s) {
      const Json::Array* cells = (*pair)[s].as_array();
      if (cells == nullptr || cells->size() != out.units.size())
        return invalid_data("run: expected a fact a unit");
      for (const Json& cell : *cells) {
        out.facts.back().by_scorer.at(s).push_back(
            cell.as_string() == nullptr ? std::nullopt : std::optional(*cell.as_string()));
      }
    }
  }
  return done();
}

Outcome parse_rest(JsonReader& own, ScoreRun& out) {
  FIDUCIAL_TRY(const std::vector<HashedFile> of_dataset, parse_files(own.array("dataset_files")));
  FIDUCIAL_TRY(const std::vector<HashedFile> of_predictions, parse_files(own.array("prediction_files")));
  out.dataset_files.insert(out.dataset_files.end(), of_dataset.begin(), of_dataset.end());
  out.prediction_files.insert(out.prediction_files.end(), of_predictions.begin(), of_predictions.end());
  for (const Json& item : own.array("files")) {
    FIDUCIAL_TRY(out.files.emplace_back(), parse_case_files(item));
  }
  for (const Json& item : own.array("remarks")) {
    const Json::Array* parts = item.as_array();
    const std::int64_t* kind = parts != nullptr && parts->size() == 4 ? (*parts)[3].as_integer() : nullptr;
    if (kind == nullptr || *kind < 0 || *kind > static_cast<std::int64_t>(Remark::Kind::failure))
      return invalid_data("run: expected remarks");
    const Json::Array words(parts->begin(), parts->begin() + 3);
    const std::vector<std::string> texts = texts_of(words, own, "remarks");
    out.remarks.push_back({texts[0], texts[1], texts[2], static_cast<Remark::Kind>(*kind)});
  }
  for (const Json& item : own.array("details")) {
    FIDUCIAL_TRY(out.details.emplace_back(), parse_detail(item));
  }
  out.failures = own.integer("failures");
  out.attempts = own.integer("attempts");
  out.tallies = own.member("tallies");
  return own.outcome("run");
}

}  // namespace

Result<ScoreRun> parse_score_run(const ScoreRunJson& json) {
  ScoreRun out;
  FIDUCIAL_TRY_DONE(parse_head(json.common, out));
  JsonReader common(json.common);
  JsonReader own(json.own);
  FIDUCIAL_TRY_DONE(parse_cases(own, out));
  FIDUCIAL_TRY_DONE(parse_scores(common, own, out));
  FIDUCIAL_TRY_DONE(parse_rest(own, out));
  FIDUCIAL_TRY_DONE(common.outcome("run"));
  return out;
}

}  // namespace fiducial
