#include "finished_run.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "fiducial/base/interruption.h"
#include "fiducial/eval/folder/score_folder.h"
#include "fiducial/eval/folder/verification.h"
#include "fiducial/eval/outputs/private_run.h"
#include "fiducial/eval/run/score_run_json.h"
#include "fiducial/terminal/scorecard.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"
#include "tables.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// A private folder has no rows.
Result<FinishedRun> read_private(const Path& folder, Json plan) {
  const std::string name = (folder / "summary.json").string();
  FIDUCIAL_TRY(const std::string summary_text, read_text_file(name));
  FIDUCIAL_TRY(Json summary, parse_json(summary_text).in_file(name));
  const Json* provenance = summary.find("provenance");
  const Json* recorded = provenance == nullptr ? nullptr : provenance->find("plan_sha256");
  const Json* least = plan.find("private")->find("min_group");
  if (recorded == nullptr || recorded->as_string() == nullptr || least == nullptr ||
      least->as_integer() == nullptr || *recorded->as_string() != sha256(as_bytes(plan.pretty())).hex()) {
    return Error(ErrorCode::integrity, "plan.json is not the plan that summary.json was made with",
                 Place{.path = folder.string()});
  }
  return FinishedRun{.min_group = static_cast<int>(*least->as_integer()),
                     .summary = std::move(summary),
                     .plan = std::move(plan)};
}

FinishedRun read_run(const Path& folder) {
  return long_call(nb::none(), [folder](Progress&) -> Result<FinishedRun> {
    FIDUCIAL_TRY(Json plan, read_plan(folder));
    if (plan.find("private") != nullptr) return read_private(folder, std::move(plan));
    FIDUCIAL_TRY(ScoreFolder scores, read_score_folder(folder));
    FinishedRun out{.summary = std::move(scores.summary), .plan = std::move(scores.plan)};
    out.rows = std::make_shared<const Table>(std::move(scores.rows));
    return out;
  });
}

void append(const Table& batch, Table& all) {
  if (all.columns.empty()) {
    all = batch;
    return;
  }
  for (std::size_t i = 0; i < batch.columns.size(); ++i) {
    std::visit(
        [&more = batch.columns[i].values](auto& values) {
          const auto& added = std::get<std::decay_t<decltype(values)>>(more);
          values.insert(values.end(), added.begin(), added.end());
        },
        all.columns[i].values);
  }
}

SharedTable rows(const FinishedRun& self) {
  if (self.min_group) throw RaisedError(bad_usage("private scores have no rows"));
  if (self.rows != nullptr) return {self.rows};
  return {long_call(nb::none(), [run = self.run](Progress&) -> Result<std::shared_ptr<const Table>> {
    auto all = std::make_shared<Table>();
    FIDUCIAL_TRY_DONE(visit_rows(*run, [&all](const Table& batch) -> Outcome {
      append(batch, *all);
      return call_given_up() ? Outcome(given_up()) : done();
    }));
    return std::shared_ptr<const Table>(std::move(all));
  })};
}

// The output with a last look, before the folder appears, at whether the call was given up: then nothing is
// left behind.
ScoreOutput unless_given_up(ScoreOutput output) {
  output.more = [more = std::move(output.more)](const ScoreRun& told,
                                                const Json& summary) -> Result<std::vector<NamedText>> {
    std::vector<NamedText> files;
    if (more) {
      FIDUCIAL_TRY(files, more(told, summary));
    }
    if (call_given_up()) return given_up();
    return files;
  };
  return output;
}

void write_run(const FinishedRun& self, const Path& folder, bool overwrite, std::optional<int> min_group,
               bool report) {
  if (self.run == nullptr)
    throw RaisedError(bad_usage("these scores were read from a folder; copy that folder"));
  ScoreOutput output{.folder = folder,
                     .overwrite = overwrite,
                     .is_private = min_group.has_value(),
                     .min_group = min_group.value_or(usual_min_group),
                     .more = {}};
  if (report && self.sources) output = with_page(std::move(output), *self.sources);
  const int threads = self.sources ? self.sources->threads : 0;
  long_call(nb::none(),
            [run = self.run, output = unless_given_up(std::move(output)), threads](Progress&) -> Outcome {
              FIDUCIAL_TRY_DONE(write_scores(*run, output, Executor(threads)));
              return done();
            });
}

// report.html of a run whose data lie where the sources say.
nb::str page_of(const FinishedRun& self, const Path& dataset, const Path& predictions,
                const std::optional<Path>& volumes) {
  if (self.run == nullptr)
    throw RaisedError(bad_usage("these scores were read from a folder, which has their report.html"));
  const PageSources sources{dataset, predictions, volumes, 0};
  return text(long_call(nb::none(), [self, sources](Progress&) -> Result<std::string> {
    std::optional<ScoreRun> withheld;
    if (self.min_group) {
      FIDUCIAL_TRY(PooledRun pool, pooled(*self.run, Executor(sources.threads)));
      withheld = private_run(*self.run, *self.min_group, pool);
    }
    return run_page({withheld ? *withheld : *self.run, self.summary, sources.dataset, sources.predictions,
                     sources.volumes, sources.threads});
  }));
}

// What a run has beyond one that is not concluded.
Json conclusion_json(const ScoreRun& run) {
  Json blocks{Json::Array{}};
  for (const Block& block : run.blocks)
    blocks.push(Json::array({block.name, block.value, block.fewest_patients}));
  return Json::object({{"counts", run.counts},
                       {"orientation", run.orientation},
                       {"official_stopped", run.official_stopped},
                       {"blocks", std::move(blocks)}});
}

void restore_conclusion(const Json& json, ScoreRun& run) {
  run.counts = *json.find("counts");
  run.orientation = *json.find("orientation");
  run.official_stopped = *json.find("official_stopped")->as_string();
  for (const Json& block : *json.find("blocks")->as_array()) {
    const Json::Array& parts = *block.as_array();
    run.blocks.push_back({*parts[0].as_string(), parts[1], *parts[2].as_integer()});
  }
}

nb::tuple run_state(const FinishedRun& self) {
  if (self.run == nullptr) throw nb::type_error("scores read from a folder are pickled by their folder");
  const ScoreRunJson json = to_json(*self.run);
  nb::object sources = nb::none();
  if (self.sources) {
    sources = nb::make_tuple(self.sources->dataset, self.sources->predictions, self.sources->volumes,
                             self.sources->threads);
  }
  const std::string state = Json::array({json.common, json.own, conclusion_json(*self.run)}).compact();
  return nb::make_tuple(nb::bytes(state.data(), state.size()), self.min_group, sources);
}

Result<FinishedRun> run_from(const std::string& state, std::optional<int> min_group,
                             std::optional<PageSources> sources) {
  FIDUCIAL_TRY(const Json json, parse_json(state));
  const Json::Array& parts = *json.as_array();
  FIDUCIAL_TRY(ScoreRun run, parse_score_run({parts[0], parts[1]}));
  restore_conclusion(parts[2], run);
  return finished(std::move(run), min_group, std::move(sources), Executor(0));
}

void set_run_state(FinishedRun& self, const nb::tuple& state) {
  std::optional<PageSources> sources;
  if (!state[2].is_none()) {
    const auto fields = nb::cast<nb::tuple>(state[2]);
    sources = PageSources{nb::cast<Path>(fields[0]), nb::cast<Path>(fields[1]),
                          nb::cast<std::optional<Path>>(fields[2]), nb::cast<int>(fields[3])};
  }
  const auto bytes = nb::cast<nb::bytes>(state[0]);
  new (&self) FinishedRun(unwrapped(run_from(std::string(bytes.c_str(), bytes.size()),
                                             nb::cast<std::optional<int>>(state[1]), std::move(sources))));
}

}  // namespace

Result<FinishedRun> finished(ScoreRun run, std::optional<int> min_group, std::optional<PageSources> sources,
                             const Executor& executor) {
  FinishedRun out{.run = std::make_shared<const ScoreRun>(std::move(run)),
                  .min_group = min_group,
                  .sources = std::move(sources)};
  FIDUCIAL_TRY(PooledRun pool, pooled(*out.run, executor));
  std::optional<ScoreRun> withheld_run;
  if (min_group) withheld_run = private_run(*out.run, *min_group, pool);
  const ScoreRun& told = withheld_run ? *withheld_run : *out.run;
  out.plan = plan_json(told);
  out.summary = summary_json(told, pool, sha256(as_bytes(out.plan.pretty())));
  return out;
}

void define_finished_run(nb::module_& module) {
  nb::class_<FinishedRun>(module, "FinishedRun", "The scores of a run.")
      .def_prop_ro("summary", [](const FinishedRun& self) { return to_python(self.summary); })
      .def_prop_ro("plan", [](const FinishedRun& self) { return to_python(self.plan); })
      .def_prop_ro("text", [](const FinishedRun& self) { return text(scorecard(self.summary)); })
      .def_ro("min_group", &FinishedRun::min_group)
      .def("rows", rows)
      .def("write", write_run, nb::arg("folder"), nb::arg("overwrite"), nb::arg("min_group").none(),
           nb::arg("report"))
      .def("page", page_of, nb::arg("dataset"), nb::arg("predictions"), nb::arg("volumes").none())
      .def("__getstate__", run_state)
      .def("__setstate__", set_run_state);
  module.def("read_run", read_run, nb::arg("folder"));
}

}  // namespace fiducial::python
