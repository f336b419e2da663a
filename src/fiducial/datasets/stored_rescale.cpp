#include "fiducial/datasets/stored_rescale.h"

#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/volume_metadata.h"
#include "fiducial/image/hounsfield.h"
#include "fiducial/image/model_input.h"
#include "fiducial/image/rescale_state.h"

namespace fiducial {

namespace {

Result<Rescale> recorded_rescale(const std::string& volume_name, const Path& table) {
  FIDUCIAL_TRY(const VolumeMetadata metadata, VolumeMetadata::read(table));
  FIDUCIAL_TRY_DONE(metadata.check_unique());
  const auto row = metadata.find(volume_name);
  if (!row) {
    return Error(ErrorCode::invalid_data, "no row of " + volume_name, Place{.path = table.string()});
  }
  const StoredVolumeFacts facts = metadata.stored_facts(*row);
  if (!facts.slope || !facts.intercept || *facts.slope == 0) {
    return Error(ErrorCode::invalid_data, "no RescaleSlope and RescaleIntercept of " + volume_name,
                 Place{.path = table.string()});
  }
  return Rescale{*facts.slope, *facts.intercept};
}

std::string rescale_text(const Rescale& rescale) {
  return shortest(rescale.slope) + " * value " + (rescale.intercept < 0 ? "- " : "+ ") +
         shortest(rescale.intercept < 0 ? -rescale.intercept : rescale.intercept);
}

}  // namespace

Result<RescaledVolume> hounsfield_by_metadata(NiftiImage image, const std::string& volume_name,
                                              const Path& table) {
  FIDUCIAL_TRY(const Rescale rescale, recorded_rescale(volume_name, table));
  const bool by_header = image.header().scales();
  FIDUCIAL_TRY(NiftiImage scaled, with_scaling_applied(std::move(image)));
  FIDUCIAL_TRY(const FloatVolume values, float_volume(scaled));
  ValueHistogram histogram;
  histogram.add(values.values);
  const RescaleVerdict verdict = recognise_rescale(histogram, {&rescale, 1});
  switch (verdict.state) {
    case RescaleState::once:
      return RescaledVolume{std::move(scaled), by_header ? "by the header" : "as they are"};
    case RescaleState::never: {
      scaled.header().slope = rescale.slope;
      scaled.header().intercept = rescale.intercept;
      FIDUCIAL_TRY(NiftiImage out, with_scaling_applied(std::move(scaled)));
      return RescaledVolume{std::move(out), "by the metadata: " + rescale_text(rescale)};
    }
    case RescaleState::twice:
      return invalid_data("the rescale was applied twice: " + verdict.evidence());
    default:
      return invalid_data("the values are neither Hounsfield units nor become them by the metadata's " +
                          rescale_text(rescale) + ": " + verdict.evidence());
  }
}

}  // namespace fiducial
