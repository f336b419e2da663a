#include "fiducial/datasets/grounded_reports_file.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_report_bytes = std::size_t{16} << 20;

Result<GroundedSentence> sentence_of(const Json& value, const std::string& pointer) {
  FIDUCIAL_TRY_DONE(expect_object(value, pointer));
  GroundedSentence out;
  FIDUCIAL_TRY(const Json* text, required_field(value, "text", pointer));
  FIDUCIAL_TRY(out.text, expect_string(*text, pointer + "/text"));
  if (const Json* channel = value.find("channel"); channel != nullptr && !channel->is_null()) {
    FIDUCIAL_TRY(const std::int64_t number, expect_integer(*channel, pointer + "/channel"));
    if (number < 0) return at_pointer(pointer + "/channel", "expected 0 or more, found " + decimal(number));
    out.channel = number;
  }
  const Json* regions = value.find("regions");
  if (regions == nullptr || regions->is_null()) return out;
  FIDUCIAL_TRY(const Json::Array* list, expect_array(*regions, pointer + "/regions"));
  for (std::size_t i = 0; i < list->size(); ++i) {
    FIDUCIAL_TRY(out.regions.emplace_back(), expect_string((*list)[i], pointer + "/regions/" + decimal(i)));
  }
  return out;
}

Outcome add_report(std::string_view line, GroundedReports& out) {
  FIDUCIAL_TRY(const Json value, parse_json(line));
  FIDUCIAL_TRY_DONE(expect_object(value, ""));
  FIDUCIAL_TRY(const Json* name, required_field(value, "case", ""));
  FIDUCIAL_TRY(std::string case_name, expect_string(*name, "/case"));
  if (case_name.empty()) return at_pointer("/case", "expected the name of a case, found an empty text");
  if (!case_name.ends_with(".nii.gz")) case_name += ".nii.gz";
  FIDUCIAL_TRY(const Json* list, required_field(value, "sentences", ""));
  FIDUCIAL_TRY(const Json::Array* sentences, expect_array(*list, "/sentences"));
  std::vector<GroundedSentence> report;
  for (std::size_t i = 0; i < sentences->size(); ++i) {
    FIDUCIAL_TRY(report.emplace_back(), sentence_of((*sentences)[i], "/sentences/" + decimal(i)));
  }
  if (out.by_case.emplace(case_name, std::move(report)).second) return done();
  return at_pointer("/case", "expected a case once, found " + case_name + " again");
}

}  // namespace

Result<GroundedReports> read_grounded_reports(StoredFile file) {
  HashingStream stored(std::move(file.bytes));
  LineReader lines(stored, longest_report_bytes);
  GroundedReports out;
  while (true) {
    FIDUCIAL_TRY(const std::optional<std::string_view> line, lines.next().in_file(grounded_reports_file));
    if (!line) break;
    if (line->find_first_not_of(" \t") == std::string_view::npos) continue;
    Outcome added = add_report(*line, out);
    if (added.ok()) continue;
    Place place = added.error().place();
    place.path = grounded_reports_file;
    place.line = lines.number();
    return Error(ErrorCode::invalid_data, added.error().message(), std::move(place));
  }
  FIDUCIAL_TRY(out.digest, stored.finish());
  return out;
}

}  // namespace fiducial
