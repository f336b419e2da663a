#include "scoring.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/eval/case_score_json.h"
#include "fiducial/eval/piecewise_run.h"
#include "fiducial/eval/plan_file.h"
#include "fiducial/eval/score.h"
#include "fiducial/eval/score_folder.h"
#include "fiducial/pages/score_report.h"
#include "fiducial/report/scorecard.h"

#include "datasets.h"
#include "errors.h"
#include "json_value.h"
#include "long_call.h"
#include "masks.h"
#include "score_output.h"
#include "tables.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// A run with what is made of it, or what a folder of scores holds.
struct FinishedRun {
  std::shared_ptr<const ScoredRun> run;  // nothing where it was read from a folder
  Json summary;
  Json plan;
  std::shared_ptr<const Table> rows;
  std::optional<ReportInputs> inputs;  // where the files of the run are; nothing where it came from arrays
};

FinishedRun finished(ScoredRun run) {
  const Json plan = plan_json(run);
  Json summary = summary_json(run, sha256(as_bytes(plan.pretty())));
  auto rows = std::make_shared<const Table>(rows_table(run));
  return {std::make_shared<const ScoredRun>(std::move(run)), std::move(summary), plan, std::move(rows), {}};
}

FinishedRun score(const ScoreRequest& request, int threads, const nb::object& progress) {
  return long_call(progress, [request, threads](Progress& told) -> Result<FinishedRun> {
    FIDUCIAL_TRY(ScoredRun run, score_run(request, Executor(threads), told));
    FinishedRun out = finished(std::move(run));
    out.inputs = ReportInputs{request.dataset, request.predictions, request.volumes};
    return out;
  });
}

FinishedRun read_run(const Path& folder) {
  return long_call(nb::none(), [folder](Progress&) -> Result<FinishedRun> {
    FIDUCIAL_TRY(ScoreFolder scores, read_score_folder(folder));
    return FinishedRun{nullptr,
                       std::move(scores.summary),
                       std::move(scores.plan),
                       std::make_shared<const Table>(std::move(scores.rows)),
                       {}};
  });
}

void write_run(const FinishedRun& self, const Path& folder, bool overwrite, bool report) {
  if (self.run == nullptr)
    throw RaisedError(bad_usage("these scores were read from a folder; copy that folder"));
  const auto inputs = report ? self.inputs : std::nullopt;
  long_call(nb::none(), [run = self.run, inputs, folder, overwrite](Progress&) -> Outcome {
    ScoreOutput output{.folder = folder, .overwrite = overwrite};
    if (inputs) output = with_report(std::move(output), {*run, *inputs}, 0);
    FIDUCIAL_TRY_DONE(write_scores(*run, unless_given_up(std::move(output))));
    return done();
  });
}

nb::tuple run_state(const FinishedRun& self) {
  if (self.run == nullptr) throw nb::type_error("scores read from a folder are pickled by their folder");
  Json cases = Json::Array{};
  for (const CaseScore& scored : self.run->cases) cases.push(to_json(scored));
  return nb::make_tuple(text(self.plan.compact()), text(cases.compact()), text(self.run->dataset_file),
                        text(self.run->dataset_digest.hex()), self.run->unknown_files);
}

Result<FinishedRun> run_from(const std::string& plan_text, const std::string& cases_text, ScoredRun run) {
  FIDUCIAL_TRY(const Json plan, parse_json(plan_text));
  FIDUCIAL_TRY(run.plan, parse_score_plan(plan));
  FIDUCIAL_TRY(const Json cases, parse_json(cases_text));
  if (cases.as_array() == nullptr) return invalid_data("expected a list of cases");
  for (const Json& value : *cases.as_array()) {
    FIDUCIAL_TRY(CaseScore scored, parse_case_score(value));
    run.cases.push_back(std::move(scored));
  }
  return finished(std::move(run));
}

void set_run_state(FinishedRun& self, const nb::tuple& state) {
  ScoredRun run;
  run.dataset_file = nb::cast<std::string>(state[2]);
  run.dataset_digest = parse_digest(nb::cast<std::string>(state[3])).value_or(Digest{});
  run.unknown_files = nb::cast<std::vector<std::string>>(state[4]);
  new (&self) FinishedRun(
      unwrapped(run_from(nb::cast<std::string>(state[0]), nb::cast<std::string>(state[1]), std::move(run))));
}

// Cases that were not scored: (name, status, reason), by the rules the summary stands for.
nb::list failures(const FinishedRun& self) {
  nb::list out;
  if (self.run == nullptr) return out;
  const bool official = self.run->plan.mode == ScoreMode::official;
  for (const CaseScore& scored : self.run->cases) {
    const CaseStatus status = official ? scored.official_status : scored.status;
    if (status == CaseStatus::scored) continue;
    out.append(nb::make_tuple(text(scored.name), text(to_string(status)),
                              text(official ? scored.official_reason : scored.reason)));
  }
  return out;
}

struct Scorer {
  std::shared_ptr<PiecewiseRun> run;
};

Scorer open_scorer(const OpenDataset& open, const ScoreRequest& request) {
  return {unwrapped(PiecewiseRun::open(open.dataset, open.benchmark, request))};
}

void add_mask(const Scorer& scorer, const std::string& name, std::int64_t finding, const LabelMask& mask) {
  long_call(nb::none(), [run = scorer.run, name, finding, labels = mask.labels](Progress&) {
    return run->add(name, finding, labels);
  });
}

FinishedRun scorer_result(const Scorer& scorer, int threads, const nb::object& progress) {
  return long_call(progress, [run = scorer.run, threads](Progress& told) -> Result<FinishedRun> {
    FIDUCIAL_TRY(ScoredRun scored, run->scored(Executor(threads), told));
    return finished(std::move(scored));
  });
}

void define_request(nb::module_& module) {
  nb::class_<ScoreRequest>(module, "ScoreRequest", "What to score and how.")
      .def(nb::init<>())
      .def_rw("dataset", &ScoreRequest::dataset)
      .def_rw("predictions", &ScoreRequest::predictions)
      .def_rw("volumes", &ScoreRequest::volumes, nb::arg().none())
      .def_rw("ignored", &ScoreRequest::ignored, nb::arg().none())
      .def_rw("tolerance_mm", &ScoreRequest::tolerance_mm)
      .def_rw("split", &ScoreRequest::split, nb::arg().none())
      .def_rw("system", &ScoreRequest::system, nb::arg().none())
      .def_rw("metrics", &ScoreRequest::metrics)
      .def_rw("conformance", &ScoreRequest::conformance, nb::arg().none())
      .def_rw("seed", &ScoreRequest::seed)
      .def_prop_rw(
          "mode", [](const ScoreRequest& request) { return text(to_string(request.mode)); },
          [](ScoreRequest& request, const std::string& mode) {
            request.mode = unwrapped(parse_score_mode(mode));
          });
}

}  // namespace

void define_scoring(nb::module_& module) {
  define_request(module);
  nb::class_<FinishedRun>(module, "FinishedRun", "The scores of a run.")
      .def_prop_ro("summary", [](const FinishedRun& self) { return to_python(self.summary); })
      .def_prop_ro("plan", [](const FinishedRun& self) { return to_python(self.plan); })
      .def_prop_ro("rows", [](const FinishedRun& self) { return SharedTable{self.rows}; })
      .def_prop_ro("text", [](const FinishedRun& self) { return text(scorecard(self.summary)); })
      .def_prop_ro("failures", failures)
      .def_prop_ro("in_memory", [](const FinishedRun& self) { return self.run != nullptr; })
      .def("write", write_run, nb::arg("folder"), nb::arg("overwrite"), nb::arg("report"))
      .def("__getstate__", run_state)
      .def("__setstate__", set_run_state);
  module.def("score", score, nb::arg("request"), nb::arg("threads"), nb::arg("progress").none());
  module.def("read_run", read_run, nb::arg("folder"));
  nb::class_<Scorer>(module, "ArrayScorer", "Scores predictions that come from memory, finding by finding.")
      .def_prop_ro("cases", [](const Scorer& scorer) { return scorer.run->cases(); })
      .def_prop_ro("complete", [](const Scorer& scorer) { return scorer.run->complete(); })
      .def_prop_ro("split", [](const Scorer& scorer) { return text(scorer.run->plan().split); })
      .def("add", add_mask, nb::arg("name"), nb::arg("finding"), nb::arg("mask"))
      .def("result", scorer_result, nb::arg("threads"), nb::arg("progress").none());
  module.def("open_scorer", open_scorer, nb::arg("dataset"), nb::arg("request"));
}

}  // namespace fiducial::python
