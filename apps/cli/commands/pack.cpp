#include <memory>
#include <optional>
#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/check_dataset.h"
#include "fiducial/export/drawn_masks.h"
#include "fiducial/export/packed_outputs.h"
#include "fiducial/export/segmenter_layout.h"

#include "command.h"
#include "shell_word.h"

namespace fiducial::cli {

namespace {

struct PackOptions {
  std::string from;
  std::string outputs;
  std::string dataset;
  std::string volumes;
  std::string names;
  std::string split;
  std::optional<double> threshold;
  std::string output;
  int threads = 0;
  bool allow_missing = false;
  bool json = false;
};

PackRequest pack_request(const PackOptions& options) {
  PackRequest request{.from = options.from,
                      .outputs = options.outputs,
                      .dataset = options.dataset,
                      .threshold = options.threshold,
                      .allow_missing = options.allow_missing,
                      .output = options.output};
  if (!options.volumes.empty()) request.volumes = options.volumes;
  if (!options.names.empty()) request.names = options.names;
  if (!options.split.empty()) request.split = options.split;
  return request;
}

std::string packed_text(const PackOptions& options, const PackedOutputs& packed) {
  std::string out = options.output + ": " + decimal(packed.cases) + " cases, " + decimal(packed.masks) +
                    " masks, " + decimal(packed.empty) + " of them empty";
  if (packed.missing > 0) out += ", " + decimal(packed.missing) + " findings without a mask";
  if (packed.left_out > 0) out += ", " + decimal(packed.left_out) + " unknown structures left out";
  if (packed.resumed > 0) out += "; " + decimal(packed.resumed) + " cases were packed before";
  return out + "\n";
}

// The rules that a submission of it is held against.
Result<int> check_packed(const PackOptions& options, Console& console) {
  LintRequest request{.dataset = options.dataset, .predictions = options.output};
  if (!options.split.empty()) request.split = options.split;
  FIDUCIAL_TRY(const LintReport report, check_dataset(request, Executor(options.threads), console));
  bool refused = false;
  for (const LintProblem& problem : report.problems.all()) {
    if (!problem.code.starts_with("prediction_") && !problem.code.starts_with("submission_")) continue;
    const std::string line = problem.file + ": " + problem.message + " [" + problem.code + "]";
    problem.severity == Severity::error ? console.warn(line) : console.note(line);
    refused = refused || problem.severity == Severity::error;
  }
  if (refused) return exit_status(ErrorCode::invalid_data);
  console.note("next  fiducial score " + shell_word(options.dataset) + " " + shell_word(options.output) +
               " -o scores");
  return 0;
}

// Shapes that people drew on exported slices.
Result<int> pack_drawn(const PackOptions& options, Console& console) {
  if (options.volumes.empty()) return bad_usage("--from " + options.from + " needs --volumes, the CTs");
  if (!options.names.empty() || options.threshold || options.allow_missing)
    return bad_usage("--names, --threshold and --allow-missing are for outputs of segmenters");
  DrawnMasksRequest request{.from = options.from,
                            .file = options.outputs,
                            .dataset = options.dataset,
                            .volumes = options.volumes,
                            .split = {},
                            .output = options.output};
  if (!options.split.empty()) request.split = options.split;
  FIDUCIAL_TRY(const DrawnMasks drawn, write_drawn_masks(request, console));
  const Json counts =
      Json::object({{"cases", drawn.cases}, {"shapes", drawn.shapes}, {"missing", drawn.missing}});
  console.print(options.json ? counts.pretty()
                             : options.output + ": " + decimal(drawn.cases) + " cases, " +
                                   decimal(drawn.shapes) + " shapes\n");
  if (drawn.missing > 0)
    console.note(decimal(drawn.missing) + " cases of the split have no picture in " + options.outputs);
  return 0;
}

std::vector<std::string> makers() {
  std::vector<std::string> out;
  for (const SegmenterLayout& layout : segmenter_layouts()) out.emplace_back(layout.id);
  for (const AnnotationFormat& format : annotation_formats()) out.push_back(format.id);
  return out;
}

Result<int> pack(const PackOptions& options, Console& console) {
  if (find_annotation_format(options.from) != nullptr) return pack_drawn(options, console);
  FIDUCIAL_TRY(const PackedOutputs packed,
               pack_outputs(pack_request(options), Executor(options.threads), console));
  console.print(options.json ? packed.manifest.pretty() : packed_text(options, packed));
  return check_packed(options, console);
}

void define_pack(Verb verb, PackOptions& options) {
  verb.add_option("--from", options.from, "Who wrote DIR: " + joined(makers()))->required()->one_of(makers());
  verb.add_option("DIR", options.outputs,
                  "Folder of the segmenter's outputs, or the file of an annotation tool")
      ->required();
  verb.add_option("--dataset", options.dataset,
                  "Dataset whose findings (ReXGroundingCT) or structures (RadGenome-Chest CT) they are of")
      ->required();
  verb.add_option("--volumes", options.volumes,
                  "CTs, whose grid the masks get; sat, coco and label-studio need them");
  verb.add_option("--names", options.names,
                  "CSV with case, name, prompt: what names stand for that no rule matches");
  verb.add_option("--split", options.split, "Split of the dataset (default: the one that scoring takes)");
  verb.add_option("--threshold", options.threshold,
                  "Outputs are probabilities; voxels above this are inside");
  verb.add_flag("--allow-missing", options.allow_missing,
                "Findings without a mask become empty, cases without any are left out");
  verb.add_option("-o,--output", options.output, "Folder to write; OUT.json beside it says how")->required();
  verb.add_option("--threads", options.threads, "Threads (0: one per core)")
      ->check(Range(0, 1024))
      ->capture_default_str();
  verb.add_flag("--json", options.json, "Print how the masks were made as JSON");
}

}  // namespace

Command pack_command() {
  return {
      .name = "pack",
      .summary =
          "Make masks of what a segmenter or an annotation tool wrote: named, on their CT's grid, checked",
      .example =
          "fiducial pack --from voxtell out/ --dataset rexgroundingct/ --volumes ct-rate/ -o predictions",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<PackOptions>();
        define_pack(verb, *options);
        return [options](Console& console) { return pack(*options, console); };
      }};
}

}  // namespace fiducial::cli
