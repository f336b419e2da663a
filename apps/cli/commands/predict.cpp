#include <memory>
#include <string>
#include <system_error>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/segment/chest_segmenter.h"
#include "fiducial/segment/text_region.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct PredictOptions {
  std::string dataset;
  std::string volumes;
  std::string masks;
  std::string split;
  std::string output;
};

// What the anatomy came from, and what became of the findings.
struct PredictionCounts {
  std::int64_t cases = 0;
  std::int64_t findings = 0;
  std::int64_t empty = 0;
  std::int64_t segmented = 0;  // cases whose anatomy is our own segmentation

  Json json() const {
    return Json::object({{"schema", "fiducial.predictions/1"},
                         {"predictor", "text-region"},
                         {"method", "place named by the sentence, attenuation of the finding; no weights"},
                         {"cases", cases},
                         {"findings", findings},
                         {"empty", empty},
                         {"cases_segmented_by_rules", segmented}});
  }
};

// The organs of a case: masks that were handed in, else our own segmentation.
class AnatomySource {
 public:
  static Result<AnatomySource> open(const std::string& masks) {
    AnatomySource source;
    if (masks.empty()) return source;
    FIDUCIAL_TRY(MaskLibrary library, MaskLibrary::open(masks));
    source.library_ = std::make_unique<MaskLibrary>(std::move(library));
    return source;
  }

  Result<CaseMasks> masks_of(const std::string& name, const NiftiImage& ct, PredictionCounts& counts) {
    if (library_) {
      FIDUCIAL_TRY(CaseMasks found, library_->read_case(name, ct.header().grid()));
      if (!found.empty()) return found;
    }
    NiftiImage copy = NiftiImage::make(ct.header());
    std::copy(ct.bytes().begin(), ct.bytes().end(), copy.bytes().begin());
    FIDUCIAL_TRY(const ChestSegmentation own, segment_chest(std::move(copy)));
    ++counts.segmented;
    CaseMasks out(ct.header().grid());
    for (const SegmentedStructure& each : own.structures) {
      Mask mask = own.labels.where(static_cast<std::int32_t>(each.label));
      const MaskStatus status = mask.empty() ? MaskStatus::empty : MaskStatus::present;
      out.add({.name = each.name, .status = status, .source = "label map", .mask = std::move(mask)});
    }
    return out;
  }

 private:
  std::unique_ptr<MaskLibrary> library_;
};

LabelMap channel_of(const Mask& mask) {
  std::vector<LabelRun> runs;
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {{mask.extent(), Affine::identity()}, std::move(runs)};
}

Outcome predict_case(const GroundedCase& entry, const Path& volume, const Path& output,
                     AnatomySource& anatomy, PredictionCounts& counts) {
  FIDUCIAL_TRY(NiftiStream stream, open_volume(volume));
  FIDUCIAL_TRY(const NiftiImage ct, read_nifti(std::move(stream)).in_file(volume.string()));
  FIDUCIAL_TRY(const FloatVolume hu, float_volume(ct).in_file(volume.string()));
  FIDUCIAL_TRY(const CaseMasks masks, anatomy.masks_of(entry.name, ct, counts).in_file(volume.string()));
  TextRegionPredictor predictor;
  std::vector<LabelMap> channels;
  for (const Finding& finding : entry.findings) {
    const TextRegion region = predictor.predict(finding.text, hu, masks);
    channels.push_back(channel_of(region.mask));
    ++counts.findings;
    if (region.mask.empty()) ++counts.empty;
  }
  ++counts.cases;
  FIDUCIAL_TRY(const NiftiImage image, encode_labels(channels, ChannelAxis::first));
  return write_nifti(output / entry.name, image);
}

Result<int> predict(const PredictOptions& options, Console& console) {
  install_stop_signals();
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(options.dataset));
  const GroundedDataset& dataset = *opened.dataset;
  std::optional<std::string> wanted;
  if (!options.split.empty()) wanted = options.split;
  FIDUCIAL_TRY(const std::string split, choose_split(dataset, wanted));
  FIDUCIAL_TRY(AnatomySource anatomy, AnatomySource::open(options.masks));
  // Nothing but masks goes into the folder: a leaderboard refuses other files.
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(options.output, "", false));
  PredictionCounts counts;
  const std::vector<GroundedCase>& cases = *dataset.find_split(split);
  console.begin("cases", static_cast<std::int64_t>(cases.size()));
  for (const GroundedCase& entry : cases) {
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped by a signal; nothing was written");
    const auto volume = dataset.find_volume(options.volumes, entry);
    if (!volume) {
      return Error(ErrorCode::invalid_data, "no CT of " + entry.name + " below this folder",
                   Place{.path = options.volumes});
    }
    if (!entry.findings.empty()) {
      FIDUCIAL_TRY_DONE(predict_case(entry, *volume, folder.staging(), anatomy, counts));
    }
    console.advance(1);
  }
  console.end();
  FIDUCIAL_TRY_DONE(folder.publish());
  FIDUCIAL_TRY_DONE(write_file(options.output + ".json", counts.json().pretty()));
  console.print(options.output + ": " + decimal(counts.cases) + " cases, " + decimal(counts.findings) +
                " findings, " + decimal(counts.empty) + " without a voxel\n");
  return 0;
}

}  // namespace

Command predict_command() {
  return {.name = "predict",
          .summary = "Predictions of a baseline without weights, to hold models against",
          .example = "fiducial predict text-region rexgroundingct --volumes ct-rate -o predictions",
          .define = [](Verb verb) -> CommandBody {
            verb.require_subcommand();
            const Verb sub = verb.add_subcommand(
                "text-region", "Segment findings by the place their sentence names and their attenuation");
            auto options = std::make_shared<PredictOptions>();
            sub.add_option("DIR", options->dataset, "Dataset folder (ReXGroundingCT layout)")->required();
            sub.add_option("--volumes", options->volumes, "Folder of CTs")->required();
            sub.add_option("--masks", options->masks,
                           "Organ masks; without them the lungs are segmented by rules");
            sub.add_option("--split", options->split, "Split to predict (default: test)");
            sub.add_option("-o,--output", options->output, "Folder to write; OUT.json says how")->required();
            sub.footer(
                "Example:\n  fiducial predict text-region rexgroundingct --volumes ct-rate -o predictions");
            return [options](Console& console) { return predict(*options, console); };
          }};
}

}  // namespace fiducial::cli
