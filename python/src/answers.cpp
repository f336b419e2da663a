#include "answers.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/eval/diagnostic_score.h"
#include "fiducial/eval/rating_table.h"
#include "fiducial/eval/table_score.h"
#include "fiducial/metrics/text_metric.h"
#include "fiducial/pages/answer_report.h"
#include "fiducial/pages/task_report.h"
#include "fiducial/report/scorecard.h"
#include "fiducial/text/wordnet.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"
#include "score_output.h"
#include "tables.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

// A run with what is made of it.
struct AnsweredRun {
  std::shared_ptr<const DiagnosticRun> run;
  DiagnosticScoreRequest request;
  Json summary;
  Json plan;
  std::shared_ptr<const Table> rows;
};

AnsweredRun score_answers(const DiagnosticScoreRequest& request, int threads, const nb::object& progress) {
  return long_call(progress, [request, threads](Progress&) -> Result<AnsweredRun> {
    FIDUCIAL_TRY(DiagnosticRun run, score_diagnostic_run(request));
    AnsweredRun out{.run = std::make_shared<const DiagnosticRun>(std::move(run)), .request = request};
    out.plan = plan_json(*out.run);
    FIDUCIAL_TRY(out.summary, summary_json(*out.run, sha256(as_bytes(out.plan.pretty())), Executor(threads)));
    out.rows = std::make_shared<const Table>(rows_table(*out.run));
    return out;
  });
}

void write_answers(const AnsweredRun& self, const Path& folder, bool overwrite, bool report) {
  long_call(nb::none(),
            [run = self.run, request = self.request, folder, overwrite, report](Progress&) -> Outcome {
              ScoreOutput output{.folder = folder, .overwrite = overwrite};
              if (report) output = with_answer_report(std::move(output), *run, request);
              FIDUCIAL_TRY_DONE(write_scores(*run, unless_given_up(std::move(output)), Executor(0)));
              return done();
            });
}

// Cases without an answer: (title, status, reason).
nb::list failures(const AnsweredRun& self) {
  nb::list out;
  for (const DiagnosticRemark& each : self.run->remarks) {
    if (each.code != "missing" && each.code != "invalid") continue;
    out.append(nb::make_tuple(text(each.title), text(each.code), text(each.text)));
  }
  return out;
}

// Scores answers to tables, or grounded reports, into a folder.
void score_tables_into(const TableScoreRequest& request, const Path& folder, bool overwrite, int threads,
                       const nb::object& progress) {
  long_call(progress, [request, folder, overwrite, threads](Progress&) -> Outcome {
    const Executor executor(threads);
    TableScoreRequest asked = request;
    if (asked.task.empty()) asked.task = usual_task(asked.predictions);
    FIDUCIAL_TRY(const TaskRun run, score_tasks(asked, executor));
    if (call_given_up()) return given_up();
    const ScoreOutput output = with_task_report({.folder = folder, .overwrite = overwrite}, run, asked);
    FIDUCIAL_TRY_DONE(write_scores(run, output, executor));
    return done();
  });
}

bool asks_questions(const Path& folder) {
  const Result<const DatasetAdapter*> adapter = find_dataset_adapter(folder);
  return adapter.ok() && (*adapter)->open_questions != nullptr;
}

// Whether predictions are scored as answers to tables or as grounded reports.
bool holds_table_answers(const Path& folder, const Path& predictions) {
  const Result<const DatasetAdapter*> adapter = find_dataset_adapter(folder);
  return adapter.ok() && ((*adapter)->open_tables != nullptr || !usual_task(predictions).empty());
}

using NamedPath = std::pair<std::string, Path>;

void define_table_request(nb::module_& module) {
  using Request = TableScoreRequest;
  nb::class_<Request>(module, "TableRequest", "Which answers to tables to score and how.")
      .def(nb::init<>())
      .def_rw("dataset", &Request::dataset)
      .def_rw("predictions", &Request::predictions)
      .def_rw("split", &Request::split, nb::arg().none())
      .def_rw("system", &Request::system, nb::arg().none())
      .def_rw("task", &Request::task)
      .def_rw("metrics", &Request::metrics)
      .def_rw("seed", &Request::seed)
      .def_rw("resamples", &Request::resamples)
      .def_rw("volumes", &Request::volumes, nb::arg().none())
      .def_rw("spacing_mm", &Request::spacing_mm, nb::arg().none())
      .def_rw("tolerance_mm", &Request::tolerance_mm)
      .def_rw("wordnet", &Request::wordnet, nb::arg().none());
}

void define_request(nb::module_& module) {
  using Request = DiagnosticScoreRequest;
  nb::class_<Request>(module, "AnswerRequest", "Which answers to score and how.")
      .def(nb::init<>())
      .def_rw("dataset", &Request::dataset)
      .def_rw("predictions", &Request::predictions)
      .def_rw("split", &Request::split, nb::arg().none())
      .def_rw("system", &Request::system, nb::arg().none())
      .def_rw("metrics", &Request::metrics)
      .def_rw("group_by", &Request::group_by)
      .def_rw("components", &Request::components, nb::arg().none())
      .def_rw("verdicts", &Request::verdicts, nb::arg().none())
      .def_rw("ratings", &Request::ratings, nb::arg().none())
      .def_rw("wordnet", &Request::wordnet, nb::arg().none())
      .def_rw("accept_equal_options", &Request::accept_equal_options)
      .def_rw("seed", &Request::seed)
      .def_rw("resamples", &Request::resamples)
      .def("set_baselines",
           [](Request& request, const std::vector<NamedPath>& files) {
             request.baselines.clear();
             for (const auto& [name, path] : files) request.baselines.push_back({name, path});
           })
      .def("set_provider",
           [](Request& request, const std::string& command, int timeout_s) {
             request.provider = ComponentProvider{command, timeout_s};
           })
      .def_prop_rw(
          "mode", [](const Request& request) { return text(to_string(request.mode)); },
          [](Request& request, const std::string& mode) {
            request.mode = unwrapped(parse_score_mode(mode));
          });
}

// What `fiducial metric text` gives: slot, contract id, and a value or why there is none.
nb::list text_scores(const std::vector<std::string>& references, const std::vector<std::string>& predictions,
                     bool stem, const std::string& bleu, const std::optional<Path>& wordnet) {
  if (references.size() != predictions.size() || references.empty()) {
    throw RaisedError(bad_usage(decimal(references.size()) + " references and " +
                                decimal(predictions.size()) +
                                " predictions; expected as many of both, and at least one"));
  }
  struct Value {
    const TextMetric* metric;
    Score score;
  };
  const auto values = long_call(
      nb::none(), [references, predictions, stem, bleu, wordnet](Progress&) -> Result<std::vector<Value>> {
        TextPairs pairs(references, predictions);
        std::optional<WordNet> synonyms;
        if (wordnet) {
          FIDUCIAL_TRY(synonyms, WordNet::open(*wordnet));
          pairs.use_synonyms(&*synonyms);
        }
        std::vector<Value> out;
        for (const TextMetric& metric : all_text_metrics()) {
          const std::string& id = metric.contract.id;
          const std::string variant = id.substr(id.find('_') + 1);
          const bool is_bleu = metric.contract.group == "bleu";
          const bool is_rouge = metric.contract.group == "rouge";
          if (is_rouge && !id.ends_with(stem ? "_stem" : "_nostem")) continue;
          if (is_bleu && variant != bleu && variant != bleu + "_mean") continue;
          out.push_back({&metric, metric.score(pairs)});
        }
        return out;
      });
  nb::list out;
  for (const Value& each : values) {
    out.append(nb::make_tuple(text(each.metric->slot), text(each.metric->contract.id),
                              each.score.defined() ? nb::cast(each.score.value()) : nb::none(),
                              text(each.score.reason())));
  }
  return out;
}

nb::any agreement(const std::vector<std::vector<std::optional<double>>>& ratings,
                  const std::vector<std::string>& raters, int resamples, std::uint64_t seed) {
  for (const auto& item : ratings) {
    if (item.size() == raters.size()) continue;
    throw RaisedError(bad_usage("an item has " + decimal(item.size()) + " ratings; expected one a rater, " +
                                decimal(raters.size())));
  }
  if (ratings.empty() || raters.size() < 2)
    throw RaisedError(bad_usage("items and two raters at least are needed"));
  if (resamples < 1) throw RaisedError(bad_usage("at least one resample is needed"));
  const RatingTable table{raters, ratings, true, {}};
  return to_python(long_call(nb::none(), [table, resamples, seed](Progress&) -> Result<Json> {
    return agreement_json(table, {.resamples = resamples, .seed = seed});
  }));
}

}  // namespace

void define_answers(nb::module_& module) {
  define_request(module);
  nb::class_<AnsweredRun>(module, "AnsweredRun", "The scores of answers to questions.")
      .def_prop_ro("summary", [](const AnsweredRun& self) { return to_python(self.summary); })
      .def_prop_ro("plan", [](const AnsweredRun& self) { return to_python(self.plan); })
      .def_prop_ro("rows", [](const AnsweredRun& self) { return SharedTable{self.rows}; })
      .def_prop_ro("steps",
                   [](const AnsweredRun& self) {
                     return SharedTable{std::make_shared<const Table>(steps_table(*self.run))};
                   })
      .def_prop_ro("text", [](const AnsweredRun& self) { return text(scorecard(self.summary)); })
      .def_prop_ro("failures", failures)
      .def("write", write_answers, nb::arg("folder"), nb::arg("overwrite"), nb::arg("report"));
  module.def("asks_questions", asks_questions, nb::arg("folder"));
  module.def("holds_table_answers", holds_table_answers, nb::arg("folder"), nb::arg("predictions"));
  module.def("score_answers", score_answers, nb::arg("request"), nb::arg("threads"),
             nb::arg("progress").none());
  define_table_request(module);
  module.def("score_tables", score_tables_into, nb::arg("request"), nb::arg("folder"), nb::arg("overwrite"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def("text_scores", text_scores, nb::arg("references"), nb::arg("predictions"), nb::arg("stem"),
             nb::arg("bleu"), nb::arg("wordnet").none());
  module.def("agreement", agreement, nb::arg("ratings"), nb::arg("raters"), nb::arg("resamples"),
             nb::arg("seed"));
}

}  // namespace fiducial::python
