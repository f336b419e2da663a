#include "fiducial/tasks/diagnosis/answer_predictions.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

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

Result<NumberedPrediction> parse_line(std::string_view text) {
  FIDUCIAL_TRY(const Json line, parse_json(text));
  FIDUCIAL_TRY_DONE(expect_object(line, ""));
  FIDUCIAL_TRY(const Json* title, required_field(line, "title", ""));
  FIDUCIAL_TRY(const std::string name, expect_string(*title, "/title"));
  const auto number = medthinkvqa::case_number(name);
  if (!number)
    return at_pointer("/title", "expected a title such as \"Case number 68\", found \"" + name + "\"");
  NumberedPrediction out{.number = *number};
  FIDUCIAL_TRY(out.prediction.reply, reply_of(line));
  out.prediction.has_answer_field = line.find("answer") != nullptr;
  FIDUCIAL_TRY(out.prediction.steps, steps_of(line));
  FIDUCIAL_TRY(out.prediction.reasoning, reasoning_of(line));
  FIDUCIAL_TRY(out.prediction.discussion, optional_text(line, "prediction_discussion", ""));
  return out;
}

Error at_line(const Error& error, const Path& path, std::uint64_t line) {
  Place place = error.place();
  place.path = path.string();
  place.line = line;
  return {error.code(), error.message(), std::move(place)};
}

}  // namespace

Result<AnswerPredictions> read_answer_predictions(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  HashingStream stream(std::move(file));
  LineReader lines(stream, max_line_bytes);
  AnswerPredictions out{.file = path.filename().string(), .digest = {}, .by_number = {}};
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(path.string());
    if (!*line) break;
    if ((*line)->find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Result<NumberedPrediction> parsed = parse_line(**line);
    if (!parsed.ok()) return at_line(parsed.error(), path, lines.number());
    parsed->prediction.line = lines.number();
    const auto [earlier, is_new] = out.by_number.emplace(parsed->number, std::move(parsed->prediction));
    if (!is_new) {
      return Error(ErrorCode::invalid_data,
                   "expected a case once, found \"Case number " + decimal(parsed->number) + "\" in line " +
                       decimal(earlier->second.line) + " too",
                   Place{.path = path.string(), .line = lines.number()});
    }
  }
  if (out.by_number.empty()) {
    return Error(ErrorCode::invalid_data, "expected predictions, found none", Place{.path = path.string()});
  }
  FIDUCIAL_TRY(out.digest, stream.finish());
  return out;
}

}  // namespace fiducial
