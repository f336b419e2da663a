#include "verbs.h"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fiducial/anatomy/stored_masks.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/board/leaderboard.h"
#include "fiducial/curate/reports/curated_demo.h"
#include "fiducial/datasets/check_dataset.h"
#include "fiducial/datasets/resample_file.h"
#include "fiducial/dicom/series.h"
#include "fiducial/eval/agreement/human_agreement.h"
#include "fiducial/eval/agreement/rating_table.h"
#include "fiducial/eval/folder/comparison.h"
#include "fiducial/export/export_target.h"
#include "fiducial/export/packed_outputs.h"
#include "fiducial/export/region_masks.h"
#include "fiducial/export/text_region_predictions.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/channel_order.h"
#include "fiducial/image/gzip_index.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/image/volume_format.h"
#include "fiducial/stats/detection_curve.h"
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
  std::optional<std::string> volume;
  Path dicom_reader;
  bool index = false;
  bool stack = false;
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
  if (request.index) {
    FIDUCIAL_TRY_DONE(write_gzip_index(request.source, request.overwrite));
    return done();
  }
  if (request.stack || request.volume || is_masks_target(request.target) || is_masks_source(request.source)) {
    FIDUCIAL_TRY(
        const MaskCollection masks,
        read_stored_masks({.source = request.source, .volume = request.volume.value_or(""), .names = {}}));
    return write_stored_masks(
        masks, {.path = request.target, .overwrite = request.overwrite, .stacked = request.stack});
  }
  if (find_volume_format(request.target.filename().string()) == nullptr) {
    return Error(ErrorCode::bad_usage, "expected a name that ends in " + written_endings_text(),
                 Place{.path = request.target.string()});
  }
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
  const bool has_channels = image.header().rank() == 4 && request.channels;
  const ChannelAxis last = request.channels == "last" ? ChannelAxis::last : ChannelAxis::first;
  return write_volume(request.target, std::move(image),
                      {.channels = has_channels ? last : ChannelAxis::none, .segments = {}});
}

void define_convert(nb::module_& module) {
  nb::class_<ConvertRequest>(module, "ConvertRequest", "Which image to write where, and how.")
      .def(nb::init<>())
      .def_rw("source", &ConvertRequest::source)
      .def_rw("target", &ConvertRequest::target)
      .def_rw("orient", &ConvertRequest::orient, nb::arg().none())
      .def_rw("series", &ConvertRequest::series, nb::arg().none())
      .def_rw("channels", &ConvertRequest::channels, nb::arg().none())
      .def_rw("volume", &ConvertRequest::volume, nb::arg().none())
      .def_rw("index", &ConvertRequest::index)
      .def_rw("stack", &ConvertRequest::stack)
      .def_rw("dicom_reader", &ConvertRequest::dicom_reader)
      .def_rw("overwrite", &ConvertRequest::overwrite);
  module.def(
      "convert",
      [](const ConvertRequest& request) {
        long_call(nb::none(), [request](Progress&) { return convert_file(request); });
      },
      nb::arg("request"));
}

struct ResampleCall {
  ResampleRequest request;
  Path target;
  std::optional<std::string> interpolation;
  std::optional<std::string> channels;
  bool overwrite = false;
};

Outcome check_image_output(const Path& target, bool overwrite) {
  const std::string name = target.string();
  if (!name.ends_with(".nii") && !name.ends_with(".nii.gz"))
    return Error(ErrorCode::bad_usage, "images are written as .nii or .nii.gz", Place{.path = name});
  if (!std::filesystem::exists(target) || overwrite) return done();
  return Error(ErrorCode::bad_usage, "output exists; overwrite=True replaces it", Place{.path = name});
}

// What was done, and what is odd about it.
Result<Json> resample(const ResampleCall& call) {
  FIDUCIAL_TRY_DONE(check_image_output(call.target, call.overwrite));
  ResampleRequest request = call.request;
  if (call.channels) request.channels = *call.channels;
  if (call.interpolation) {
    if (*call.interpolation != "labels" && *call.interpolation != "linear") {
      return bad_usage("interpolation \"" + *call.interpolation + "\"; expected labels or linear");
    }
    request.interpolation = *call.interpolation == "labels" ? Interpolation::nearest : Interpolation::linear;
  }
  FIDUCIAL_TRY(const ResampledFile made, resample_file(request));
  if (call_given_up()) return given_up();
  FIDUCIAL_TRY_DONE(write_nifti(call.target, made.image));
  Json notes = Json::Array{};
  for (const Note& note : made.notes) notes.push(note.text);
  return Json::object({{"interpolation", std::string(to_string(made.interpolation))},
                       {"notes", notes},
                       {"record", made.record.json()}});
}

void define_resample(nb::module_& module) {
  nb::class_<ResampleCall>(module, "ResampleCall", "Which image goes onto which grid.")
      .def(nb::init<>())
      .def_prop_rw(
          "source", [](const ResampleCall& self) { return self.request.source; },
          [](ResampleCall& self, const Path& path) { self.request.source = path; })
      .def_prop_rw(
          "like", [](const ResampleCall& self) { return self.request.like; },
          [](ResampleCall& self, const std::optional<Path>& path) { self.request.like = path; },
          nb::arg().none())
      .def_prop_rw(
          "transform", [](const ResampleCall& self) { return self.request.transform; },
          [](ResampleCall& self, const std::optional<Path>& path) { self.request.transform = path; },
          nb::arg().none())
      .def_prop_rw(
          "inverse", [](const ResampleCall& self) { return self.request.inverse; },
          [](ResampleCall& self, bool inverse) { self.request.inverse = inverse; })
      .def_prop_rw(
          "outside", [](const ResampleCall& self) { return self.request.outside; },
          [](ResampleCall& self, std::optional<double> value) { self.request.outside = value; },
          nb::arg().none())
      .def_rw("target", &ResampleCall::target)
      .def_rw("interpolation", &ResampleCall::interpolation, nb::arg().none())
      .def_rw("channels", &ResampleCall::channels, nb::arg().none())
      .def_rw("overwrite", &ResampleCall::overwrite);
  module.def(
      "resample",
      [](const ResampleCall& call) {
        return to_python(long_call(nb::none(), [call](Progress&) { return resample(call); }));
      },
      nb::arg("call"));
}

struct DemoRequest {
  Path folder;
  std::uint64_t seed = 1;
  int cases = 6;
  std::string size = "small";
  bool overwrite = false;
};

Result<DemoOptions> options_of(const DemoRequest& request) {
  if (request.cases < 1 || request.cases > 10000) return bad_usage("cases must be between 1 and 10000");
  const auto extent = demo_extent(request.size);
  if (!extent) return bad_usage("size \"" + request.size + "\"; expected small or full");
  DemoOptions options{.seed = request.seed, .overwrite = request.overwrite};
  options.size.test = request.cases;
  options.size.extent = *extent;
  return options;
}

nb::any demo(const DemoRequest& request, const nb::object& progress) {
  return to_python(long_call(progress, [request](Progress& told) -> Result<Json> {
    FIDUCIAL_TRY(const DemoOptions options, options_of(request));
    FIDUCIAL_TRY(const DemoFacts facts, write_curated_demo(request.folder, options, Executor(0), told));
    return facts.json();
  }));
}

void define_demo(nb::module_& module) {
  nb::class_<DemoRequest>(module, "DemoRequest", "Which synthetic corpus to write where.")
      .def(nb::init<>())
      .def_rw("folder", &DemoRequest::folder)
      .def_rw("seed", &DemoRequest::seed)
      .def_rw("cases", &DemoRequest::cases)
      .def_rw("size", &DemoRequest::size)
      .def_rw("overwrite", &DemoRequest::overwrite);
  module.def("demo", demo, nb::arg("request"), nb::arg("progress").none());
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
                               .unit_of = unit_of_plan,
                               .headline_of = headline_of_plan};
  return long_call(nb::none(), [request](Progress&) -> Result<ComparedRuns> {
    FIDUCIAL_TRY(Json comparison, compare_scores(request));
    return ComparedRuns{std::move(comparison)};
  });
}

// The report of a check that came first, the manifest where something was written, and a line about it.
nb::tuple export_to(const std::string& to, const ExportRequest& request, const nb::object& progress) {
  ExportOutcome outcome = long_call(progress, [to, request](Progress& told) -> Result<ExportOutcome> {
    FIDUCIAL_TRY(const ExportTarget* target, find_export_target(to));
    return run_export(*target, request, Executor(0), told);
  });
  nb::object manifest = nb::none();
  if (outcome.manifest.as_object() != nullptr) manifest = to_python(outcome.manifest);
  nb::object report = nb::none();
  if (outcome.report) report = nb::cast(CheckReport{*std::move(outcome.report)});
  return nb::make_tuple(report, manifest, outcome.told);
}

nb::any predict(const TextRegionRequest& request, const nb::object& progress) {
  return to_python(long_call(progress, [request](Progress& told) -> Result<Json> {
    FIDUCIAL_TRY(const TextRegionCounts counts, predict_text_regions(request, told));
    return counts.json();
  }));
}

nb::any pack_masks(const PackRequest& request, const nb::object& progress) {
  return to_python(long_call(progress, [request](Progress& told) -> Result<Json> {
    FIDUCIAL_TRY(PackedOutputs packed, pack_outputs(request, Executor(0), told));
    return std::move(packed.manifest);
  }));
}

struct AgreementRequest {
  Path table;
  std::vector<std::string> raters;
  std::optional<Path> judge;
  std::string mode = "strict";
  AgreementOptions draws;
};

nb::any agreement(const AgreementRequest& request) {
  return to_python(long_call(nb::none(), [request](Progress&) -> Result<Json> {
    if (request.draws.resamples < 1) return bad_usage("resamples must be 1 or more");
    const bool is_official = request.mode == "official";
    if (!is_official && request.mode != "strict")
      return no_such_name("mode", request.mode, {"strict", "official"});
    if (!request.judge) {
      if (is_official) return bad_usage("mode: only with judge");
      FIDUCIAL_TRY(const RatingTable table, read_rating_table(request.table, request.raters));
      return agreement_json(table, request.draws);
    }
    if (!request.raters.empty()) return bad_usage("raters and judge: choose one");
    FIDUCIAL_TRY(
        const HumanAgreement found,
        human_agreement(request.table, *request.judge, is_official ? Scorer::official : Scorer::strict));
    return human_agreement_json(found, request.draws);
  }));
}

void define_agreement(nb::module_& module) {
  nb::class_<AgreementRequest>(module, "AgreementRequest", "Whose agreement to measure.")
      .def(nb::init<>())
      .def_rw("table", &AgreementRequest::table)
      .def_rw("raters", &AgreementRequest::raters)
      .def_rw("judge", &AgreementRequest::judge, nb::arg().none())
      .def_rw("mode", &AgreementRequest::mode)
      .def_prop_rw(
          "resamples", [](const AgreementRequest& self) { return self.draws.resamples; },
          [](AgreementRequest& self, int resamples) { self.draws.resamples = resamples; })
      .def_prop_rw(
          "seed", [](const AgreementRequest& self) { return self.draws.seed; },
          [](AgreementRequest& self, std::uint64_t seed) { self.draws.seed = seed; });
  module.def("agree", agreement, nb::arg("request"));
}

nb::any unite_regions(const RegionMaskRequest& request, const nb::object& progress) {
  return to_python(long_call(progress, [request](Progress& told) -> Result<Json> {
    FIDUCIAL_TRY(RegionMaskCounts counts, write_region_masks(request, told));
    return std::move(counts.manifest);
  }));
}

using FoundLesions = std::pair<std::int64_t, std::vector<std::pair<double, std::optional<std::int64_t>>>>;

nb::any score_detections(const std::vector<FoundLesions>& scans) {
  std::vector<ScanDetections> all;
  all.reserve(scans.size());
  for (const auto& [lesions, found] : scans) {
    all.push_back({.lesions = lesions});
    for (const auto& [confidence, lesion] : found) all.back().detections.push_back({confidence, lesion});
  }
  const DetectionCurve curve = unwrapped(detection_curve(all));
  Json points = Json::Array{};
  for (const OperatingPoint& point : curve.points) {
    points.push(Json::object({{"confidence", point.confidence},
                              {"false_positives_per_scan", point.false_positives_per_scan},
                              {"sensitivity", point.sensitivity},
                              {"precision", point.precision}}));
  }
  return to_python(Json::object({{"scans", curve.scans},
                                 {"lesions", curve.lesions},
                                 {"found", curve.found},
                                 {"false_positives", curve.false_positives},
                                 {"average_precision", curve.average_precision},
                                 {"froc_score", curve.froc_score()},
                                 {"points", points}}));
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
  nb::class_<ExportRequest>(module, "ExportRequest", "What to export, and where.")
      .def(nb::init<>())
      .def_rw("dataset", &ExportRequest::dataset)
      .def_rw("predictions", &ExportRequest::predictions, nb::arg().none())
      .def_rw("volumes", &ExportRequest::volumes, nb::arg().none())
      .def_rw("split", &ExportRequest::split, nb::arg().none())
      .def_rw("options", &ExportRequest::options)
      .def_rw("output", &ExportRequest::output)
      .def_rw("overwrite", &ExportRequest::overwrite)
      .def(
          "set_terms",
          [](ExportRequest& request, std::string licence, std::string source, std::string allowed_use) {
            request.terms = {std::move(licence), std::move(source), std::move(allowed_use)};
          },
          nb::arg("licence"), nb::arg("source"), nb::arg("allowed_use"));
  module.def("export_to", export_to, nb::arg("to"), nb::arg("request"), nb::arg("progress").none());
  nb::class_<PackRequest>(module, "PackRequest", "Which segmenter's outputs become predictions.")
      .def(nb::init<>())
      .def_rw("segmenter", &PackRequest::from)
      .def_rw("outputs", &PackRequest::outputs)
      .def_rw("dataset", &PackRequest::dataset)
      .def_rw("volumes", &PackRequest::volumes, nb::arg().none())
      .def_rw("names", &PackRequest::names, nb::arg().none())
      .def_rw("split", &PackRequest::split, nb::arg().none())
      .def_rw("threshold", &PackRequest::threshold, nb::arg().none())
      .def_rw("allow_missing", &PackRequest::allow_missing)
      .def_rw("output", &PackRequest::output);
  nb::class_<RegionMaskRequest>(module, "RegionMaskRequest", "Which unions of organ masks to write.")
      .def(nb::init<>())
      .def_rw("masks", &RegionMaskRequest::masks)
      .def_rw("volumes", &RegionMaskRequest::volumes, nb::arg().none())
      .def_rw("names", &RegionMaskRequest::names)
      .def_rw("output", &RegionMaskRequest::output);
  module.def("write_region_masks", unite_regions, nb::arg("request"), nb::arg("progress").none());
  module.def("detection_curve", score_detections, nb::arg("scans"));
  module.def("pack_masks", pack_masks, nb::arg("request"), nb::arg("progress").none());
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
  define_resample(module);
  define_packing(module);
  define_demo(module);
  define_agreement(module);
  nb::class_<ComparedRuns>(module, "ComparedRuns", "A comparison of systems.")
      .def_prop_ro("document", [](const ComparedRuns& self) { return to_python(self.comparison); })
      .def_prop_ro("text", [](const ComparedRuns& self) { return text(comparison_table(self.comparison)); });
  module.def("compare", compare, nb::arg("folders"), nb::arg("mode"), nb::arg("slot"), nb::arg("seed"),
             nb::arg("resamples"));
}

}  // namespace fiducial::python
