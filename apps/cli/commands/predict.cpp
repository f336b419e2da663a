#include <memory>
#include <string>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/export/text_region_predictions.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct PredictOptions {
  std::string dataset;
  std::string volumes;
  std::string masks;
  std::string split;
  std::string output;
  bool json = false;
};

Result<int> predict(const PredictOptions& options, Console& console) {
  install_stop_signals();
  TextRegionRequest request{.dataset = options.dataset, .volumes = options.volumes, .output = options.output};
  if (!options.masks.empty()) request.masks = options.masks;
  if (!options.split.empty()) request.split = options.split;
  FIDUCIAL_TRY(const TextRegionCounts counts, predict_text_regions(request, console));
  if (options.json) {
    console.print(counts.json().pretty());
    return 0;
  }
  console.print(options.output + ": " + decimal(counts.cases) + " cases, " + decimal(counts.findings) +
                " findings, " + decimal(counts.empty) + " without a voxel\n");
  return 0;
}

}  // namespace

Command predict_command() {
  return {.name = "predict",
          .summary = "Write the predictions of a baseline without a trained model",
          .example = "fiducial predict text-region rexgroundingct --volumes ct-rate -o predictions",
          .define = [](Verb verb) -> CommandBody {
            verb.require_subcommand();
            const Verb sub = verb.add_subcommand(
                "text-region", "Guess each mask from the location and density its sentence implies");
            auto options = std::make_shared<PredictOptions>();
            sub.add_option("DIR", options->dataset, "Dataset folder (ReXGroundingCT layout)")->required();
            sub.add_option("--volumes", options->volumes, "Folder of CTs")->required();
            sub.add_option("--masks", options->masks, "Organ masks (default: segment the lungs by rules)");
            sub.add_option("--split", options->split, "Split to predict (default: test)");
            sub.add_option("-o,--output", options->output,
                           "Folder to write the masks to; OUT.json says how they were made")
                ->required();
            sub.add_flag("--json", options->json, "Print as JSON what OUT.json holds");
            sub.footer(
                "Example:\n  fiducial predict text-region rexgroundingct --volumes ct-rate -o predictions");
            return [options](Console& console) { return predict(*options, console); };
          }};
}

}  // namespace fiducial::cli
