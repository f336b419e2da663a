#include "fiducial/reproduce/model_runs.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// "20% spread/1" is 20; a number of images is no share.
std::optional<double> percent_of(const std::string& budget) {
  const std::size_t end = budget.find('%');
  return end == std::string::npos ? std::nullopt : parse_double(std::string_view(budget).substr(0, end));
}

// Cues that an earlier run paid for are the model's own, or an expert's that it passed on.
std::string cue_kind(const std::string& cue) {
  if (cue.empty()) return "none";
  if (cue.starts_with("expert-run:")) return "expert";
  return cue.starts_with("run:") ? "self" : cue;
}

std::optional<double> tokens_a_case(const Json& asked) {
  const Json* tokens = asked.find("tokens");
  const std::int64_t cases = integer_at(asked, "cases");
  const auto output = tokens == nullptr ? std::nullopt : number_at(*tokens, "completion");
  return output && cases > 0 ? std::optional(*output / static_cast<double>(cases)) : std::nullopt;
}

}  // namespace

std::vector<ModelRun> model_runs(const std::vector<ScoredSystem>& systems) {
  std::vector<ModelRun> out;
  for (const ScoredSystem& system : systems) {
    const Json* asked = system.summary.find("asked");
    if (asked == nullptr) continue;
    out.push_back({.model = text_at(*asked, "model"),
                   .workflow = text_at(*asked, "workflow"),
                   .effort = text_at(*asked, "effort"),
                   .images = percent_of(text_at(*asked, "images")),
                   .hints = cue_kind(text_at(*asked, "hints")),
                   .summary_cue = cue_kind(text_at(*asked, "summary")),
                   .output_tokens = tokens_a_case(*asked),
                   .summary = system.summary});
  }
  return out;
}

}  // namespace fiducial
