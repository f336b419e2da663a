#include "verbs.h"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/base/interruption.h"
#include "fiducial/board/leaderboard.h"
#include "fiducial/curate/reports/curated_demo.h"
#include "fiducial/datasets/check_dataset.h"
#include "fiducial/dicom/series.h"
#include "fiducial/eval/folder/comparison.h"
#include "fiducial/export/submission_package.h"
#include "fiducial/export/text_region_predictions.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/channel_order.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/terminal/comparison_table.h"

#include "errors.h"
#include "json_value.h"
#include "long_call.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

struct CheckReport {
  LintReport report;
};

CheckReport check(const LintRequest& request, const nb::object& progress) {
  return long_call(progress, [request](Progress& told) -> Result<CheckReport> {
    FIDUCIAL_TRY(LintReport report, check_dataset(request, Executor(0), told));
    return CheckReport{std::move(report)};
  });
}

struct ConvertRequest {
  Path source;
  Path target;
  std::optional<std::string> orient;
  std::optional<std::string> series;
  std::optional<std::string> channels;
  Path dicom_reader;
  bool overwrite = false;
};

// A folder is a DICOM series, a file is NIfTI.
Result<NiftiImage> read_image(const ConvertRequest& request) {
  std::error_code ignored;
  if (std::filesystem::is_directory(request.source, ignored)) {
    return read_series(request.source, {.series = request.series, .reader = request.dicom_reader});
  }
  if (request.series) {
    return Error(ErrorCode::bad_usage, "series chooses from a folder of DICOM files",
                 Place{.path = request.source.string()});
  }
  return read_nifti(request.source);
}

Outcome convert_file(const ConvertRequest& request) {
  const std::string name = request.target.string();
  if (!name.ends_with(".nii") && !name.ends_with(".nii.gz"))
    return Error(ErrorCode::bad_usage, "images are written as .nii or .nii.gz", Place{.path = name});
  if (std::filesystem::exists(request.target) && !request.overwrite) {
    return Error(ErrorCode::bad_usage, "output exists; overwrite=True replaces it",
                 Place{.path = request.target.string()});
  }
  std::optional<OrientationCode> orient;
  if (request.orient) {
    FIDUCIAL_TRY(orient, OrientationCode::parse(*request.orient));
  }
  FIDUCIAL_TRY(NiftiImage image, read_image(request));
  FIDUCIAL_TRY(image,
               rearranged(std::move(image), {.orient = orient, .channels = request.channels.value_or("")})
                   .in_file(request.source.string()));
  if (call_given_up()) return given_up();
  return write_nifti(request.target, image);
}

void define_convert(nb::module_& module) {
  nb::class_<ConvertRequest>(module, "ConvertRequest", "Which image to write where, and how.")
      .def(nb::init<>())
      .def_rw("source", &ConvertRequest::source)
      .def_rw("target", &ConvertRequest::target)
      .def_rw("orient", &ConvertRequest::orient, nb::arg().none())
      .def_rw("series", &ConvertRequest::series, nb::arg().none())
      .def_rw("channels", &ConvertRequest::channels, nb::arg().none())
      .def_rw("dicom_reader", &ConvertRequest::dicom_reader)
      .def_rw("overwrite", &ConvertRequest::overwrite);
  module.def(
      "convert",
      [](const ConvertRequest& request) {
        long_call(nb::none(), [request](Progress&) { return convert_file(request); });
      },
      nb::arg("request"));
}

nb::any demo(const Path& folder, std::uint64_t seed, int cases, bool overwrite, const nb::object& progress) {
  if (cases < 1 || cases > 10000) throw RaisedError(bad_usage("cases must be between 1 and 10000"));
  DemoOptions options{.seed = seed, .overwrite = overwrite};
  options.size.test = cases;
  return to_python(long_call(progress, [folder, options](Progress& told) -> Result<Json> {
    FIDUCIAL_TRY(const DemoFacts facts, write_curated_demo(folder, options, Executor(0), told));
    return facts.json();
  }));
}

struct ComparedRuns {
  Json comparison;
};

ComparedRuns compare(const std::vector<Path>& folders, const std::string& mode, const std::string& slot,
                     std::uint64_t seed, int resamples) {
  if (mode != "strict" && mode != "official") {
    throw RaisedError(bad_usage("mode \"" + mode + "\"; expected strict or official"));
  }
  const CompareRequest request{.folders = folders,
                               .scorer = mode == "strict" ? Scorer::strict : Scorer::official,
                               .slot = slot,
                               .seed = seed,
                               .resamples = resamples,
                               .unit_of = unit_of_plan};
  return long_call(nb::none(), [request](Progress&) -> Result<ComparedRuns> {
    FIDUCIAL_TRY(Json comparison, compare_scores(request));
    return ComparedRuns{std::move(comparison)};
  });
}

// The report of the check, and the manifest where an archive was written.
nb::tuple pack(const SubmissionRequest& request, const nb::object& progress) {
  PackedSubmission packed =
      long_call(progress, [request](Progress& told) { return pack_submission(request, Executor(0), told); });
  nb::object manifest = nb::none();
  if (packed.manifest) manifest = to_python(*packed.manifest);
  return nb::make_tuple(CheckReport{std::move(packed.report)}, manifest);
}

nb::any predict(const TextRegionRequest& request, const nb::object& progress) {
  return to_python(long_call(progress, [request](Progress& told) -> Result<Json> {
    FIDUCIAL_TRY(const TextRegionCounts counts, predict_text_regions(request, told));
    return counts.json();
  }));
}

nb::any boards(const Path& file, const std::string& measure, const TeamRule& teams) {
  return to_python(long_call(nb::none(), [file, measure, teams](Progress&) -> Result<Json> {
    FIDUCIAL_TRY(const CsvTable table, read_csv(file));
    FIDUCIAL_TRY(const std::vector<Leaderboard> found,
                 leaderboards_from_csv(table, teams).in_file(file.string()));
    const RankingRule rule{.measure = measure,
                           .best_per_team = !teams.columns.empty() || !teams.prefixes.empty()};
    std::vector<RankedBoard> ranking;
    std::vector<DisplayRule> display;
    for (const Leaderboard& board : found) {
      FIDUCIAL_TRY(RankedBoard result, ranked(board, rule));
      ranking.push_back(std::move(result));
      display.push_back(display_rule_of(board.name));
    }
    return boards_json(ranking, display);
  }));
}

void define_packing(nb::module_& module) {
  nb::class_<SubmissionRequest>(module, "SubmissionRequest", "Which predictions to pack, and where.")
      .def(nb::init<>())
      .def_rw("dataset", &SubmissionRequest::dataset)
      .def_rw("predictions", &SubmissionRequest::predictions)
      .def_rw("output", &SubmissionRequest::output)
      .def_rw("split", &SubmissionRequest::split, nb::arg().none())
      .def_rw("overwrite", &SubmissionRequest::overwrite);
  module.def("pack_submission", pack, nb::arg("request"), nb::arg("progress").none());
  nb::class_<TextRegionRequest>(module, "TextRegionRequest",
                                "Which findings to segment from their sentences.")
      .def(nb::init<>())
      .def_rw("dataset", &TextRegionRequest::dataset)
      .def_rw("volumes", &TextRegionRequest::volumes)
      .def_rw("masks", &TextRegionRequest::masks, nb::arg().none())
      .def_rw("split", &TextRegionRequest::split, nb::arg().none())
      .def_rw("output", &TextRegionRequest::output);
  module.def("predict_text_regions", predict, nb::arg("request"), nb::arg("progress").none());
  nb::class_<TeamRule>(module, "TeamRule", "How the team of an entry is found.")
      .def(nb::init<>())
      .def_rw("columns", &TeamRule::columns)
      .def_rw("prefixes", &TeamRule::prefixes);
  module.def("boards", boards, nb::arg("file"), nb::arg("measure"), nb::arg("teams"));
}

}  // namespace

void define_verbs(nb::module_& module) {
  nb::class_<CheckReport>(module, "CheckReport", "What a check found.")
      .def_prop_ro("document", [](const CheckReport& self) { return to_python(self.report.json()); })
      .def_prop_ro("text", [](const CheckReport& self) { return text(lint_table(self.report)); })
      .def_prop_ro("has_errors", [](const CheckReport& self) { return self.report.has_errors(); });
  nb::class_<LintRequest>(module, "CheckRequest", "What to check, and what is handed in for it.")
      .def(nb::init<>())
      .def_rw("dataset", &LintRequest::dataset)
      .def_rw("predictions", &LintRequest::predictions, nb::arg().none())
      .def_rw("volumes", &LintRequest::volumes, nb::arg().none())
      .def_rw("split", &LintRequest::split, nb::arg().none())
      .def_rw("synonyms", &LintRequest::synonyms, nb::arg().none())
      .def_rw("labels", &LintRequest::labels, nb::arg().none())
      .def_rw("view", &LintRequest::view, nb::arg().none())
      .def_rw("question_column", &LintRequest::question_column, nb::arg().none())
      .def_rw("answer_column", &LintRequest::answer_column, nb::arg().none())
      .def_rw("image_column", &LintRequest::image_column, nb::arg().none());
  module.def("check", check, nb::arg("request"), nb::arg("progress").none());
  define_convert(module);
  define_packing(module);
  module.def("demo", demo, nb::arg("folder"), nb::arg("seed"), nb::arg("cases"), nb::arg("overwrite"),
             nb::arg("progress").none());
  nb::class_<ComparedRuns>(module, "ComparedRuns", "A comparison of systems.")
      .def_prop_ro("document", [](const ComparedRuns& self) { return to_python(self.comparison); })
      .def_prop_ro("text", [](const ComparedRuns& self) { return text(comparison_table(self.comparison)); });
  module.def("compare", compare, nb::arg("folders"), nb::arg("mode"), nb::arg("slot"), nb::arg("seed"),
             nb::arg("resamples"));
}

}  // namespace fiducial::python
