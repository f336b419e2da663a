#include "fiducial/tasks/diagnosis/radcliq_components.h"

#include <array>

#include "fiducial/base/child_process.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// What a component can be: embeddings may point apart, and rescaled scores fall below 0.
struct Range {
  double low;
  double high;
};
constexpr std::array<Range, 4> ranges{{{0, 1}, {-10, 1}, {-1, 1}, {0, 1}}};
constexpr double rounding = 1e-6;  // of what a model computed in single precision

Result<double> component(const Record& record, std::size_t which) {
  const std::string key(RadcliqComponents::names[which]);
  FIDUCIAL_TRY(const std::optional<double> value, record.number(key));
  if (!value) return at_pointer("/" + key, "expected a number, found none");
  const Range range = ranges[which];
  if (*value < range.low - rounding || *value > range.high + rounding) {
    return at_pointer("/" + key, "expected a number from " + shortest(range.low) + " to " +
                                     shortest(range.high) + ", found " + shortest(*value));
  }
  return *value;
}

Result<TextComponents> components_of(const Record& record) {
  FIDUCIAL_TRY(const std::optional<std::string> error, record.text("error"));
  if (error) return TextComponents{std::nullopt, *error};
  std::array<double, 4> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    FIDUCIAL_TRY(values[i], component(record, i));
  }
  return TextComponents{RadcliqComponents{values[0], values[1], values[2], values[3]}, ""};
}

Result<StepText> text_of(const Record& record) {
  StepText out;
  FIDUCIAL_TRY(out.number, record.case_number());
  FIDUCIAL_TRY(const std::optional<std::int64_t> step, record.integer("step"));
  FIDUCIAL_TRY(const std::optional<std::int64_t> image, record.integer("image"));
  if (!step || *step < 1 || *step > 2) {
    return at_pointer("/step", "expected 1 or 2, found " + (step ? decimal(*step) : "nothing"));
  }
  out.step = static_cast<int>(*step);
  const bool fits = out.step == 2 ? !image || *image == 0 : image && *image >= 1 && *image <= 10'000;
  if (!fits) {
    return at_pointer(
        "/image", out.step == 2 ? "expected no image in step 2" : "expected the number of an image, from 1");
  }
  out.image = static_cast<int>(image.value_or(0));
  return out;
}

std::string question_of(const std::vector<ComparedText>& texts) {
  std::string out;
  for (const ComparedText& each : texts) {
    Json line =
        Json::object({{"title", "Case number " + decimal(each.text.number)}, {"step", each.text.step}});
    if (each.text.step == 1) line.set("image", each.text.image);
    line.set("reference", each.reference).set("prediction", each.prediction);
    out += line.compact() + "\n";
  }
  return out;
}

// The last line of what a command said, for a message.
std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Result<ComponentTable> component_table(const std::vector<Record>& records, const std::string& path) {
  ComponentTable out;
  for (const Record& record : records) {
    const Result<StepText> text = text_of(record);
    if (!text.ok()) return at_record(text.error(), record, path);
    Result<TextComponents> components = components_of(record);
    if (!components.ok()) return at_record(components.error(), record, path);
    if (out.emplace(*text, *std::move(components)).second) continue;
    return at_record(invalid_data("expected a text once, found it in an earlier line too"), record, path);
  }
  return out;
}

Result<std::vector<Record>> run_provider(const ComponentProvider& provider,
                                         const std::vector<ComparedText>& texts) {
  if (texts.empty()) return std::vector<Record>();
  const std::string place = "provider \"" + provider.command + "\"";
  const std::string question = question_of(texts);
  // Four numbers a text, however they are laid out, and the text again.
  const std::uint64_t most_bytes = (std::uint64_t{1} << 20U) + 4096 * texts.size() + question.size();
  FIDUCIAL_TRY(const ChildEnd end, run_child({.words = {"/bin/sh", "-c", provider.command},
                                              .folder = ".",
                                              .timeout_s = provider.timeout_s,
                                              .input = question,
                                              .keeps_output = true,
                                              .max_output_bytes = most_bytes}));
  const std::string said = end.tail.empty() ? "" : ": " + last_line(end.tail);
  if (end.timed_out) {
    return Error(ErrorCode::unavailable,
                 place + " did not end within " + decimal(provider.timeout_s) + " s" + said);
  }
  if (end.too_much_output) return invalid_data(place + " wrote more than is allowed" + said);
  if (end.status == exit_status(ErrorCode::unavailable)) {
    return Error(ErrorCode::unavailable, place + " is not available here" + said);
  }
  if (end.status != 0) {
    return Error(ErrorCode::remote, place + " failed with status " + decimal(end.status) + said);
  }
  Result<std::vector<Record>> out = parse_jsonl_records(end.output);
  if (!out.ok()) return std::move(out).error().in_file(place);
  return out;
}

}  // namespace fiducial
