#include "fiducial/datasets/medthinkvqa/answer_predictions.h"

#include <array>
#include <span>
#include <variant>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/medthinkvqa/opaque_id.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"
#include "fiducial/datasets/model_run.h"
#include "fiducial/table/csv.h"
#include "fiducial/table/parquet.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr std::size_t max_line_bytes = std::size_t{64} << 20;

struct NumberedPrediction {
  std::int64_t number = 0;
  AnswerPrediction prediction;
};

Result<std::optional<std::string>> optional_text(const Json& object, const std::string& key,
                                                 const std::string& pointer) {
  const Json* value = object.find(key);
  if (value == nullptr || value->is_null()) return std::optional<std::string>();
  FIDUCIAL_TRY(std::string text, expect_string(*value, pointer + "/" + key));
  return std::optional(std::move(text));
}

Result<std::optional<std::string>> reply_of(const Json& line) {
  for (const char* key : {"prediction", "parsed_answer_letter"}) {
    FIDUCIAL_TRY(std::optional<std::string> reply, optional_text(line, key, ""));
    if (reply && !(reply->empty() && line.find("raw_output") != nullptr)) return reply;
  }
  const Json* raw = line.find("raw_output");
  if (raw == nullptr || raw->is_null()) return optional_text(line, "model_answer", "");
  if (raw->as_object() != nullptr) return optional_text(*raw, "answer", "/raw_output");
  return optional_text(line, "raw_output", "");
}

Result<std::optional<ThinkingSteps>> steps_of(const Json& line) {
  const Json* value = line.find("prediction_twi");
  if (value == nullptr || value->is_null()) return std::optional<ThinkingSteps>();
  FIDUCIAL_TRY_DONE(expect_object(*value, "/prediction_twi"));
  ThinkingSteps out;
  const Json* findings = value->find("step1_per_image_findings");
  if (findings != nullptr && !findings->is_null()) {
    const std::string pointer = "/prediction_twi/step1_per_image_findings";
    FIDUCIAL_TRY(const Json::Array* texts, expect_array(*findings, pointer));
    for (std::size_t i = 0; i < texts->size(); ++i) {
      FIDUCIAL_TRY(std::string text, expect_string((*texts)[i], pointer + "/" + decimal(i)));
      out.findings.push_back(std::move(text));
    }
  }
  FIDUCIAL_TRY(std::optional<std::string> summary,
               optional_text(*value, "step2_integrated_summary", "/prediction_twi"));
  out.summary = std::move(summary).value_or("");
  return std::optional(std::move(out));
}

// The first text there is of what explains the answer.
Result<std::string> reasoning_of(const Json& line) {
  const Json* steps = line.find("prediction_twi");
  if (steps != nullptr && steps->as_object() != nullptr) {
    FIDUCIAL_TRY(const std::optional<std::string> text,
                 optional_text(*steps, "step3_differential_reasoning", "/prediction_twi"));
    if (text && !text->empty()) return *text;
  }
  for (const char* key : {"prediction_rationale", "parsed_explanation"}) {
    FIDUCIAL_TRY(const std::optional<std::string> text, optional_text(line, key, ""));
    if (text && !text->empty()) return *text;
  }
  const Json* raw = line.find("raw_output");
  if (raw == nullptr || raw->as_object() == nullptr) return std::string();
  FIDUCIAL_TRY(const std::optional<std::string> text, optional_text(*raw, "explanation", "/raw_output"));
  return text.value_or("");
}

// How near a continuation of the history came to the rest of it.
Result<std::optional<double>> similarity_of(const Json& line) {
  if (line.find("continuation") == nullptr) return std::optional<double>();
  const auto value = number_at(line, "similarity");
  if (value && *value >= 0 && *value <= 1) return value;
  return at_pointer("/similarity", "expected the similarity of the continuation, from 0 to 1");
}

// By the title of its case, else by the id that a blind copy gives it: "case68".
Result<std::int64_t> number_of(const Json& line) {
  const Json* id = line.find("title") == nullptr ? line.find("id") : nullptr;
  if (id != nullptr && id->as_string() != nullptr && id->as_string()->starts_with("case")) {
    const auto number = medthinkvqa::case_number("Case number " + id->as_string()->substr(4));
    if (number) return *number;
  }
  FIDUCIAL_TRY(const Json* title, required_field(line, "title", ""));
  FIDUCIAL_TRY(const std::string name, expect_string(*title, "/title"));
  const auto number = medthinkvqa::case_number(name);
  if (number) return *number;
  return at_pointer("/title", "expected a title such as \"Case number 68\", found \"" + name + "\"");
}

Result<NumberedPrediction> prediction_of(const Json& line) {
  FIDUCIAL_TRY_DONE(expect_object(line, ""));
  FIDUCIAL_TRY(const std::int64_t number, number_of(line));
  NumberedPrediction out{.number = number};
  FIDUCIAL_TRY(out.prediction.reply, reply_of(line));
  out.prediction.has_answer_field = line.find("answer") != nullptr;
  FIDUCIAL_TRY(out.prediction.steps, steps_of(line));
  FIDUCIAL_TRY(out.prediction.rationale, optional_text(line, "prediction_rationale", ""));
  FIDUCIAL_TRY(out.prediction.reasoning, reasoning_of(line));
  out.prediction.cut_steps = strings_at(line, "explanation_steps");
  FIDUCIAL_TRY(out.prediction.discussion, optional_text(line, "prediction_discussion", ""));
  FIDUCIAL_TRY(out.prediction.similarity, similarity_of(line));
  return out;
}

Error at_line(const Error& error, const Path& path, std::uint64_t line) {
  Place place = error.place();
  place.path = path.string();
  place.line = line;
  return error.at(std::move(place));
}

// Takes predictions one by one, and what is wrong with them.
class PredictionList {
 public:
  PredictionList(const Path& path, bool skip_bad) : path_(path), skip_bad_(skip_bad) {
    out_.file = path.filename().string();
  }

  // The text of one JSON object, or one that was parsed.
  Outcome add_text(std::string_view text, std::uint64_t line) {
    Result<Json> parsed = parse_json(text);
    if (!parsed.ok()) return refuse(at_line(parsed.error(), path_, line));
    return add(*parsed, line);
  }

  Outcome add(const Json& object, std::uint64_t line) {
    Result<NumberedPrediction> parsed = prediction_of(object);
    if (!parsed.ok()) return refuse(at_line(parsed.error(), path_, line));
    parsed->prediction.line = line;
    const auto [earlier, is_new] = out_.by_number.emplace(parsed->number, std::move(parsed->prediction));
    if (is_new) return done();
    return refuse(Error(ErrorCode::invalid_data,
                        "expected a case once, found \"Case number " + decimal(parsed->number) +
                            "\" in line " + decimal(earlier->second.line) + " too",
                        Place{.path = path_.string(), .line = line}));
  }

  // A run whose questions all failed has no predictions, and is scored like any other.
  Result<AnswerPredictions> finish(const Digest& digest, bool is_of_run) {
    if (out_.by_number.empty() && !(is_of_run && out_.skipped.empty())) {
      if (!out_.skipped.empty()) return out_.skipped.front();
      return Error(ErrorCode::invalid_data, "expected predictions, found none",
                   Place{.path = path_.string()});
    }
    out_.digest = digest;
    return std::move(out_);
  }

 private:
  Outcome refuse(Error error) {
    if (!skip_bad_) return error;
    out_.skipped.push_back(std::move(error));
    return done();
  }

  const Path& path_;
  bool skip_bad_;
  AnswerPredictions out_;
};

Outcome add_lines(ByteStream& stream, const Path& path, PredictionList& list) {
  LineReader lines(stream, max_line_bytes);
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(path.string());
    if (!*line) return done();
    if (is_blank(**line)) continue;
    FIDUCIAL_TRY_DONE(list.add_text(**line, lines.number()));
  }
}

Outcome add_list(std::string_view text, const Path& path, PredictionList& list) {
  Result<Json> document = parse_json(text);
  if (!document.ok()) return std::move(document).error().in_file(path.string());
  Result<const Json::Array*> items = expect_array(*document, "");
  if (!items.ok()) return std::move(items).error().in_file(path.string());
  for (std::size_t i = 0; i < (*items)->size(); ++i) FIDUCIAL_TRY_DONE(list.add((**items)[i], i + 1));
  return done();
}

// A cell of a table; what reads like a JSON object is one.
void add_cell(Json& row, const std::string& name, std::string_view cell) {
  if (is_blank(cell)) return;
  const bool may_be_object = name == "prediction_twi" || name == "raw_output";
  Result<Json> object =
      may_be_object && cell.starts_with('{') ? parse_json(cell) : Error(ErrorCode::invalid_data, "");
  row.set(name, object.ok() ? *std::move(object) : Json(cell));
}

Outcome add_csv(std::string_view text, const Path& path, PredictionList& list) {
  Result<CsvTable> table = parse_csv(text);
  if (!table.ok()) return std::move(table).error().in_file(path.string());
  for (std::size_t row = 0; row < table->rows(); ++row) {
    Json fields = Json::object({});
    for (std::size_t i = 0; i < table->columns().size(); ++i)
      add_cell(fields, table->columns()[i], table->cell(row, i));
    FIDUCIAL_TRY_DONE(list.add(fields, table->line(row)));
  }
  return done();
}

Outcome add_parquet(const Path& path, PredictionList& list) {
  Result<Table> table = read_parquet(path);
  if (!table.ok()) return std::move(table).error().in_file(path.string());
  for (std::size_t row = 0; row < table->rows(); ++row) {
    Json fields = Json::object({});
    for (const Column& column : table->columns) {
      const auto* texts = std::get_if<Column::Strings>(&column.values);
      if (texts != nullptr && (*texts)[row]) add_cell(fields, column.name, *(*texts)[row]);
    }
    FIDUCIAL_TRY_DONE(list.add(fields, row + 1));
  }
  return done();
}

// Whether the first character that is none of white space opens a list.
Result<bool> opens_a_list(const Path& path) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  std::array<char, 64> head{};
  FIDUCIAL_TRY(const std::size_t got, file->read(std::as_writable_bytes(std::span(head))));
  std::string_view text(head.data(), got);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return trimmed(text).starts_with('[');
}

// The predictions of a model's run, where a folder is that of one.
Result<Path> predictions_in(const Path& folder) {
  FIDUCIAL_TRY(const Json manifest, manifest_of_run(folder));
  // Where there is no run, whoever opens the folder says what is wrong.
  return manifest.is_null() ? folder : folder / "predictions.jsonl";
}

}  // namespace

Result<AnswerPredictions> read_answer_predictions(const Path& given, bool skip_bad) {
  constexpr std::uint64_t largest_list = std::uint64_t{4} << 30;
  const bool is_folder = fiducial::is_folder(given);
  FIDUCIAL_TRY(const Path path, is_folder ? predictions_in(given) : Result<Path>(given));
  PredictionList list(path, skip_bad);
  const std::string ending = lower_cased(path.extension().string());
  const bool is_table = ending == ".csv" || ending == ".parquet";
  FIDUCIAL_TRY(const bool is_list, is_table ? Result<bool>(false) : opens_a_list(path));
  if (ending == ".csv" || is_list) {
    FIDUCIAL_TRY(const std::string text, read_text_file(path, largest_list));
    std::string_view body = text;
    if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
    FIDUCIAL_TRY_DONE(is_list ? add_list(body, path, list) : add_csv(body, path, list));
    return list.finish(sha256(as_bytes(text)), path != given);
  }
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  HashingStream stream(std::move(file));
  FIDUCIAL_TRY_DONE(ending == ".parquet" ? add_parquet(path, list) : add_lines(stream, path, list));
  FIDUCIAL_TRY(const Digest digest, stream.finish());
  return list.finish(digest, path != given);
}

void resolve_opaque_ids(AnswerPredictions& predictions, std::span<const DiagnosisCase> cases) {
  for (const DiagnosisCase& entry : cases) {
    if (predictions.by_number.contains(entry.number)) continue;
    auto found = predictions.by_number.extract(medthinkvqa::opaque_case_number(entry.number));
    if (found.empty()) continue;
    found.key() = entry.number;
    predictions.by_number.insert(std::move(found));
  }
}

}  // namespace fiducial
