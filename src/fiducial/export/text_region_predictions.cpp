#include "fiducial/export/text_region_predictions.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/segment/chest_segmenter.h"
#include "fiducial/segment/text_region.h"

namespace fiducial {

namespace {

// The organs of a case: masks that were handed in, else our own segmentation.
class AnatomySource {
 public:
  static Result<AnatomySource> open(const std::optional<Path>& masks) {
    AnatomySource source;
    if (!masks) return source;
    FIDUCIAL_TRY(MaskLibrary library, MaskLibrary::open(*masks));
    source.library_ = std::make_unique<MaskLibrary>(std::move(library));
    return source;
  }

  Result<CaseMasks> masks_of(const std::string& name, const NiftiImage& ct, TextRegionCounts& counts) {
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
                     AnatomySource& anatomy, TextRegionCounts& counts) {
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

// The dataset of a request, and the split that is predicted.
struct TextRegionSplit {
  std::unique_ptr<GroundedDataset> dataset;
  const std::vector<GroundedCase>* cases = nullptr;
};

Result<TextRegionSplit> open_split(const TextRegionRequest& request) {
  FIDUCIAL_TRY(OpenedGroundedDataset opened, open_grounded_dataset(request.dataset));
  FIDUCIAL_TRY(const std::string split, choose_split(*opened.dataset, request.split));
  const std::vector<GroundedCase>* cases = opened.dataset->find_split(split);
  return TextRegionSplit{std::move(opened.dataset), cases};
}

Result<Path> volume_of(const TextRegionSplit& split, const TextRegionRequest& request,
                       const GroundedCase& entry) {
  const auto volume = split.dataset->find_volume(request.volumes, entry);
  if (volume) return *volume;
  return Error(ErrorCode::invalid_data, "no CT of " + entry.name + " below this folder",
               Place{.path = request.volumes.string()});
}

Outcome go_on_predicting() {
  if (call_given_up()) return given_up();
  if (stop_requested()) return Error(ErrorCode::interrupted, "stopped by a signal; nothing was written");
  return done();
}

}  // namespace

TextRegionCounts& TextRegionCounts::operator+=(const TextRegionCounts& other) {
  cases += other.cases;
  findings += other.findings;
  empty += other.empty;
  segmented += other.segmented;
  return *this;
}

Json TextRegionCounts::json() const {
  return Json::object({{"schema", "fiducial.predictions/1"},
                       {"predictor", "text-region"},
                       {"method", "place named by the sentence, attenuation of the finding; no weights"},
                       {"cases", cases},
                       {"findings", findings},
                       {"empty", empty},
                       {"cases_segmented_by_rules", segmented}});
}

Result<TextRegionCounts> TextRegionCounts::parse(const Json& value) {
  TextRegionCounts out;
  FIDUCIAL_TRY(out.cases, required_integer(value, "cases", ""));
  FIDUCIAL_TRY(out.findings, required_integer(value, "findings", ""));
  FIDUCIAL_TRY(out.empty, required_integer(value, "empty", ""));
  FIDUCIAL_TRY(out.segmented, required_integer(value, "cases_segmented_by_rules", ""));
  return out;
}

Result<std::vector<TextRegionCase>> text_region_cases(const TextRegionRequest& request) {
  FIDUCIAL_TRY(const TextRegionSplit split, open_split(request));
  std::vector<TextRegionCase> out;
  out.reserve(split.cases->size());
  for (const GroundedCase& entry : *split.cases) {
    FIDUCIAL_TRY(Path volume, volume_of(split, request, entry));
    out.push_back({entry.name, std::move(volume)});
  }
  return out;
}

Result<TextRegionCounts> predict_text_region_cases(const TextRegionRequest& request,
                                                   const std::set<std::string>& names) {
  FIDUCIAL_TRY(const TextRegionSplit split, open_split(request));
  FIDUCIAL_TRY(AnatomySource anatomy, AnatomySource::open(request.masks));
  TextRegionCounts counts;
  for (const GroundedCase& entry : *split.cases) {
    if (!names.contains(entry.name)) continue;
    FIDUCIAL_TRY_DONE(go_on_predicting());
    FIDUCIAL_TRY(const Path volume, volume_of(split, request, entry));
    if (!entry.findings.empty())
      FIDUCIAL_TRY_DONE(predict_case(entry, volume, request.output, anatomy, counts));
  }
  return counts;
}

Result<TextRegionCounts> predict_text_regions(const TextRegionRequest& request, Progress& progress) {
  FIDUCIAL_TRY(const TextRegionSplit split, open_split(request));
  FIDUCIAL_TRY(AnatomySource anatomy, AnatomySource::open(request.masks));
  // Nothing but masks goes into the folder: a leaderboard refuses other files.
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(request.output, "", false));
  TextRegionCounts counts;
  progress.begin("cases", static_cast<std::int64_t>(split.cases->size()));
  for (const GroundedCase& entry : *split.cases) {
    FIDUCIAL_TRY_DONE(go_on_predicting());
    FIDUCIAL_TRY(const Path volume, volume_of(split, request, entry));
    if (!entry.findings.empty())
      FIDUCIAL_TRY_DONE(predict_case(entry, volume, folder.staging(), anatomy, counts));
    progress.advance(1);
  }
  progress.end();
  FIDUCIAL_TRY_DONE(folder.publish());
  FIDUCIAL_TRY_DONE(write_file(request.output.string() + ".json", counts.json().pretty()));
  return counts;
}

}  // namespace fiducial
