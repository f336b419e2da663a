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

#include "fiducial/base/interruption.h"
#include "fiducial/eval/folder/shard_folder.h"
#include "fiducial/eval/folder/verification.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/tasks/finding_masks/piecewise_run.h"

#include "datasets.h"
#include "errors.h"
#include "finished_run.h"
#include "json_value.h"
#include "long_call.h"
#include "masks.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// By TaskOption::Kind.
constexpr const char* kind_words[] = {"text",    "texts", "integer", "number",
                                      "numbers", "flag",  "path",    "named_paths"};

// The declarations of all tasks.
nb::any task_declarations() {
  Json out{Json::Array{}};
  for (const Task& task : all_tasks()) {
    Json options{Json::Array{}};
    for (const TaskOption& option : options_of(task)) {
      options.push(Json::object({{"name", option.name},
                                 {"kind", kind_words[static_cast<std::size_t>(option.kind)]},
                                 {"help", option.help},
                                 {"default", option.fallback.empty() ? Json() : Json(option.fallback)},
                                 {"choices", Json::strings(option.choices)},
                                 {"heading", option.heading}}));
    }
    out.push(Json::object({{"id", task.id},
                           {"title", task.title},
                           {"predictions", task.predictions},
                           {"metrics", Json::strings(task.metrics)},
                           {"options", std::move(options)}}));
  }
  return to_python(out);
}

nb::str chosen_task(const Path& dataset, const Path& predictions, const std::string& asked) {
  return text(unwrapped(choose_task(dataset, predictions, asked))->id);
}

// The bytes behind a text; those of file names that are no UTF-8 come as surrogates.
std::string bytes_of(nb::handle value) {
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(value.ptr(), "utf-8", "surrogateescape"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

using Options = nb::typed<nb::dict, nb::str, nb::list>;  // texts by the name of the option

OptionValues values_of(const Options& options) {
  OptionValues out;
  for (const auto& [name, values] : options) {
    for (const nb::handle value : nb::cast<nb::list>(values)) out[bytes_of(name)].push_back(bytes_of(value));
  }
  return out;
}

struct Asked {
  std::string task;
  TaskRequest request;
  int threads = 0;
};

// nanobind hands in the place where it is made. NOLINTNEXTLINE(readability-function-size)
void init_asked(Asked* self, const std::string& task, const Path& dataset, const Path& predictions,
                const Options& options, int threads) {
  const TaskRequest request{.dataset = dataset, .predictions = predictions, .values = values_of(options)};
  new (self) Asked{task, request, threads};
}

Result<ScoreRun> scored(const Asked& asked, Progress& progress) {
  FIDUCIAL_TRY(const Task* task, find_task(asked.task));
  FIDUCIAL_TRY(ScoreRun run, score_task(*task, asked.request, Executor(asked.threads), progress));
  if (call_given_up()) return given_up();
  return run;
}

PageSources sources_of(const Asked& asked) {
  const auto volumes = asked.request.values.find("volumes");
  PageSources out{asked.request.dataset, asked.request.predictions, std::nullopt, asked.threads};
  if (volumes != asked.request.values.end()) out.volumes = volumes->second.front();
  return out;
}

FinishedRun score(const Asked& asked, std::optional<int> min_group, const nb::object& progress) {
  return long_call(progress, [asked, min_group](Progress& told) -> Result<FinishedRun> {
    FIDUCIAL_TRY(ScoreRun run, scored(asked, told));
    return finished(std::move(run), min_group, sources_of(asked), Executor(asked.threads));
  });
}

void score_shard(Asked asked, const std::string& shard, const Path& output, bool overwrite,
                 const nb::object& progress) {
  asked.request.shard = unwrapped(Shard::parse(shard));
  long_call(progress, [asked, output, overwrite](Progress& told) -> Outcome {
    FIDUCIAL_TRY(const ScoreRun part, scored(asked, told));
    return write_shard(part, *asked.request.shard, {.folder = output, .overwrite = overwrite, .more = {}});
  });
}

FinishedRun merge(const std::vector<Path>& shards, const Asked& asked, std::optional<int> min_group) {
  return long_call(nb::none(), [shards, asked, min_group](Progress&) -> Result<FinishedRun> {
    FIDUCIAL_TRY(ScoreRun run, merge_shards(shards, find_task));
    std::optional<PageSources> sources;
    if (!asked.request.dataset.empty()) sources = sources_of(asked);
    return finished(std::move(run), min_group, std::move(sources), Executor(asked.threads));
  });
}

nb::str task_of_scores(const Path& scores) {
  return text(unwrapped(task_of_plan(unwrapped(read_plan(scores))))->id);
}

nb::any verify(const Path& scores, const Asked& asked, const nb::object& progress) {
  return to_python(long_call(progress, [scores, asked](Progress& told) -> Result<Json> {
    FIDUCIAL_TRY(const Json plan, read_plan(scores));
    FIDUCIAL_TRY(const Task* task, task_of_plan(plan));
    FIDUCIAL_TRY(const Verification found,
                 verify_scores(scores, *task, asked.request, Executor(asked.threads), told));
    if (call_given_up()) return given_up();
    return found.json();
  }));
}

struct ArrayScorer {
  std::shared_ptr<PiecewiseRun> run;
};

ArrayScorer open_scorer(const OpenDataset& open, const Options& options) {
  return {unwrapped(PiecewiseRun::open(open.dataset, open.benchmark, values_of(options)))};
}

void add_mask(const ArrayScorer& scorer, const std::string& name, std::int64_t finding,
              const LabelMask& mask) {
  long_call(nb::none(), [run = scorer.run, name, finding, labels = mask.labels](Progress&) {
    return run->add(name, finding, labels);
  });
}

FinishedRun scorer_result(const ArrayScorer& scorer, std::optional<int> min_group, int threads,
                          const nb::object& progress) {
  return long_call(progress, [run = scorer.run, min_group, threads](Progress& told) -> Result<FinishedRun> {
    const Executor executor(threads);
    FIDUCIAL_TRY(ScoreRun scored, run->scored(executor, told));
    return finished(std::move(scored), min_group, std::nullopt, executor);
  });
}

void define_array_scorer(nb::module_& module) {
  nb::class_<ArrayScorer>(module, "ArrayScorer",
                          "Scores predictions that come from memory, finding by finding.")
      .def_prop_ro("cases", [](const ArrayScorer& scorer) { return scorer.run->cases(); })
      .def_prop_ro("complete", [](const ArrayScorer& scorer) { return scorer.run->complete(); })
      .def_prop_ro("split", [](const ArrayScorer& scorer) { return text(scorer.run->split()); })
      .def("add", add_mask, nb::arg("name"), nb::arg("finding"), nb::arg("mask"))
      .def("result", scorer_result, nb::arg("min_group").none(), nb::arg("threads"),
           nb::arg("progress").none());
  module.def("open_scorer", open_scorer, nb::arg("dataset"), nb::arg("options"));
}

}  // namespace

void define_scoring(nb::module_& module) {
  define_finished_run(module);
  module.def("task_declarations", task_declarations);
  module.def("choose_task", chosen_task, nb::arg("dataset"), nb::arg("predictions"), nb::arg("asked"));
  nb::class_<Asked>(module, "ScoreRequest", "What to score, by which task and how.")
      .def("__init__", init_asked, nb::arg("task"), nb::arg("dataset"), nb::arg("predictions"),
           nb::arg("options"), nb::arg("threads"));
  module.def(
      "check_output", [](const Path& folder, bool overwrite) { unwrap(check_output(folder, overwrite)); },
      nb::arg("folder"), nb::arg("overwrite"));
  module.def("score", score, nb::arg("request"), nb::arg("min_group").none(), nb::arg("progress").none());
  module.def("score_shard", score_shard, nb::arg("request"), nb::arg("shard"), nb::arg("output"),
             nb::arg("overwrite"), nb::arg("progress").none());
  module.def("merge", merge, nb::arg("shards"), nb::arg("sources"), nb::arg("min_group").none());
  module.def("task_of_scores", task_of_scores, nb::arg("scores"));
  module.def("verify", verify, nb::arg("scores"), nb::arg("inputs"), nb::arg("progress").none());
  define_array_scorer(module);
}

}  // namespace fiducial::python
