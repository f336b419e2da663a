#include "curation.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/all_stages.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

Json option_json(const StageOption& option) {
  constexpr const char* kinds[] = {"text", "texts", "integer", "flag"};
  Json choices = Json::strings(option.choices);
  return Json::object({{"name", option.name},
                       {"help", option.help},
                       {"kind", kinds[static_cast<std::size_t>(option.kind)]},
                       {"required", option.required},
                       {"fallback", option.fallback},
                       {"choices", std::move(choices)}});
}

Json stages_json() {
  Json out = Json::Array{};
  for (const Stage& stage : all_stages()) {
    Json inputs = Json::Array{};
    for (const StageOption& input : stage.inputs) inputs.push(option_json(input));
    Json options = Json::Array{};
    for (const StageOption& option : stage.options) options.push(option_json(option));
    out.push(Json::object({{"name", stage.name},
                           {"summary", stage.summary},
                           {"inputs", std::move(inputs)},
                           {"options", std::move(options)},
                           {"draws", stage.draws},
                           {"asks", stage.asks},
                           {"by_rows", stage.by_rows}}));
  }
  return out;
}

// What Python asks for; the fields of StageRequest with the mode as a word.
struct CurateRequest {
  std::string stage;
  std::string mode = "strict";
  std::optional<std::uint64_t> seed;
  std::map<std::string, std::vector<std::string>> values;
  Path output;
  bool overwrite = false;
  std::optional<Path> replay;
  std::string model;
};

Result<Json> curate(const CurateRequest& wanted, Progress& progress) {
  if (wanted.mode != "strict" && wanted.mode != "official") {
    return bad_usage("mode \"" + wanted.mode + "\"; expected strict or official");
  }
  FIDUCIAL_TRY(const Stage* stage, find_stage(wanted.stage));
  const StageRequest request{.mode = wanted.mode == "strict" ? CurationMode::strict : CurationMode::official,
                             .seed = wanted.seed,
                             .values = wanted.values,
                             .output = wanted.output,
                             .overwrite = wanted.overwrite,
                             .replay = wanted.replay,
                             .model = wanted.model};
  FIDUCIAL_TRY(StageOutcome outcome, run_stage(*stage, request, progress));
  if (outcome.unanswered > 0) {
    return Error(ErrorCode::unfinished, decimal(outcome.unanswered) + " requests have no reply yet",
                 Place{.path = outcome.requests.string()});
  }
  return std::move(outcome.manifest);
}

}  // namespace

void define_curation(nb::module_& module) {
  module.def("curation_stages", [] { return to_python(stages_json()); });
  nb::class_<CurateRequest>(module, "CurateRequest", "What a stage of curation is asked to do.")
      .def(nb::init<>())
      .def_rw("stage", &CurateRequest::stage)
      .def_rw("mode", &CurateRequest::mode)
      .def_rw("seed", &CurateRequest::seed, nb::arg().none())
      .def_rw("values", &CurateRequest::values)
      .def_rw("output", &CurateRequest::output)
      .def_rw("overwrite", &CurateRequest::overwrite)
      .def_rw("replay", &CurateRequest::replay, nb::arg().none())
      .def_rw("model", &CurateRequest::model);
  module.def(
      "curate",
      [](const CurateRequest& request, const nb::object& progress) {
        return to_python(long_call(progress, [request](Progress& told) { return curate(request, told); }));
      },
      nb::arg("request"), nb::arg("progress").none());
}

}  // namespace fiducial::python
