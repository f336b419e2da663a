#include "fiducial/workflows/cues.h"

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/workflows/run_outputs.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_prediction = std::size_t{64} << 20;

GivenCues cues_in(const Json& line) {
  GivenCues out;
  const Json* twi = line.find("prediction_twi");
  if (twi == nullptr || twi->as_object() == nullptr) return out;
  if (find_array(*twi, "step1_per_image_findings") != nullptr)
    out.hints = strings_at(*twi, "step1_per_image_findings");
  const std::string summary = text_at(*twi, "step2_integrated_summary");
  if (!summary.empty()) out.summary = summary;
  return out;
}

// How the earlier run was asked; an empty object where the predictions are of no run.
Result<Json> plan_of_run(const Path& manifest) {
  if (!is_file(manifest)) return Json(Json::Object{});
  FIDUCIAL_TRY(const std::string text, read_text_file(manifest));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(manifest.string()));
  const Json* plan = document.find("plan");
  return plan == nullptr ? Json(Json::Object{}) : *plan;
}

}  // namespace

Result<CueChoice> CueChoice::parse(const std::string& option, const std::string& text) {
  if (text == "none") return CueChoice{};
  if (text == "expert") return CueChoice{.source = CueSource::expert, .run = {}};
  if (text == "self") return CueChoice{.source = CueSource::self, .run = {}};
  constexpr std::string_view run = "run:";
  if (text.starts_with(run) && text.size() > run.size())
    return CueChoice{.source = CueSource::run, .run = text.substr(run.size())};
  return no_such_name("source", text, {"none", "expert", "self", "run:RUN"}, option + ": ");
}

Result<EarlierTexts> EarlierTexts::read(const Path& run) {
  const Path file = is_file(run) ? run : run / predictions_file;
  FIDUCIAL_TRY(std::unique_ptr<FileStream> opened, FileStream::open(file));
  HashingStream stream(std::move(opened));
  LineReader lines(stream, longest_prediction);
  EarlierTexts out;
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(file.string());
    if (!*line) break;
    if (is_blank(**line)) continue;
    const Result<Json> parsed = parse_json(**line);
    if (!parsed.ok())
      return Error(ErrorCode::invalid_data, parsed.error().message(),
                   Place{.path = file.string(), .line = lines.number()});
    GivenCues cues = cues_in(*parsed);
    if (cues.hints || cues.summary) out.by_title_.emplace(text_at(*parsed, "title"), std::move(cues));
  }
  if (out.by_title_.empty())
    return Error(ErrorCode::invalid_data, "expected predictions with prediction_twi, found none",
                 Place{.path = file.string()});
  FIDUCIAL_TRY(const Digest digest, stream.finish());
  out.sha256_ = digest.hex();
  FIDUCIAL_TRY(const Json plan, plan_of_run(file.parent_path() / run_manifest_file));
  out.passes_on_expert_hints_ = text_at(plan, "hints").starts_with("expert");
  // A model that was shown experts' findings tells them again in its summary.
  out.passes_on_expert_summary_ = text_at(plan, "summary").starts_with("expert") ||
                                  (text_at(plan, "summary") == "self" && out.passes_on_expert_hints_);
  return out;
}

const GivenCues* EarlierTexts::find(const std::string& title) const {
  const auto found = by_title_.find(title);
  return found == by_title_.end() ? nullptr : &found->second;
}

}  // namespace fiducial
