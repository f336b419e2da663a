#include <memory>
#include <optional>
#include <string>

#include "fiducial/datasets/resample_file.h"
#include "fiducial/geometry/orientation.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct ResampleOptions {
  std::string input;
  std::string output;
  std::string like;
  std::string transform;
  std::string channels;
  std::string record;
  std::optional<double> outside;
  int threads = 0;
  bool inverse = false;
  bool labels = false;
  bool linear = false;
  bool overwrite = false;
};

Outcome check_outputs(const ResampleOptions& options) {
  if (!options.output.ends_with(".nii") && !options.output.ends_with(".nii.gz")) {
    return Error(ErrorCode::bad_usage, "images are written as .nii or .nii.gz",
                 Place{.path = options.output});
  }
  for (const std::string& path : {options.output, options.record}) {
    if (path.empty() || options.overwrite || !std::filesystem::exists(path)) continue;
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it", Place{.path = path});
  }
  return done();
}

Result<ResampleRequest> request_of(const ResampleOptions& options) {
  if (options.like.empty() == options.transform.empty()) {
    return bad_usage("say onto which grid: --like REFERENCE, or --transform RECORD");
  }
  if (options.labels && options.linear) return bad_usage("--labels or --linear, not both");
  if (options.inverse && options.transform.empty()) return bad_usage("--inverse goes with --transform");
  ResampleRequest request{.source = options.input,
                          .inverse = options.inverse,
                          .channels = options.channels,
                          .outside = options.outside,
                          .threads = options.threads};
  if (!options.like.empty()) request.like = options.like;
  if (!options.transform.empty()) request.transform = options.transform;
  if (options.labels) request.interpolation = Interpolation::nearest;
  if (options.linear) request.interpolation = Interpolation::linear;
  return request;
}

Result<int> resample(const ResampleOptions& options, Console& console) {
  FIDUCIAL_TRY_DONE(check_outputs(options));
  FIDUCIAL_TRY(const ResampleRequest request, request_of(options));
  FIDUCIAL_TRY(const ResampledFile made, resample_file(request));
  for (const Note& note : made.notes) console.note(options.input + ": " + note.text);
  FIDUCIAL_TRY_DONE(write_nifti(options.output, made.image));
  if (!options.record.empty()) FIDUCIAL_TRY_DONE(write_file(options.record, made.record.json().pretty()));
  const NiftiHeader& header = made.image.header();
  console.note(options.output + ": " + header.shape_text() + " " + std::string(to_string(header.type)) +
               ", " + OrientationCode::of(header.affine).text() + ", " +
               std::string(to_string(made.interpolation)));
  return 0;
}

void define_resample(Verb verb, ResampleOptions& options) {
  verb.add_option("IN", options.input, "Image, label map or stack of masks (NIfTI), or a DICOM folder")
      ->required();
  verb.add_option("OUT", options.output, "Image to write; compressed if it ends in .gz")->required();
  verb.add_option("--like", options.like, "Image whose grid OUT gets: a CT as NIfTI or DICOM folder");
  verb.add_option("--transform", options.transform, "Recorded transform (JSON) that IN goes through");
  verb.add_flag("--inverse", options.inverse, "From where the record leads back to where it began");
  verb.add_flag("--labels", options.labels, "Nearest voxel, values as they are stored");
  verb.add_flag("--linear", options.linear, "Between voxels, as float32");
  verb.add_option("--channels", options.channels,
                  "Where the findings of a 4D image are: first (F,H,W,D) or last (H,W,D,F)");
  verb.add_option("--outside", options.outside,
                  "Value beyond IN (default: 0 of labels, the least value of volumes)");
  verb.add_option("--record", options.record, "JSON to write: the transform, so that it can be undone");
  verb.add_option("--threads", options.threads, "Threads; 0 means one a core")
      ->check(Range(0, 1024))
      ->capture_default_str();
  verb.add_flag("--overwrite", options.overwrite, "Replace existing outputs");
}

}  // namespace

Command resample_command() {
  return {.name = "resample",
          .summary = "Bring masks or volumes onto the grid of another image, or through a recorded transform",
          .example = "fiducial resample mask.nii.gz mask_on_ct.nii.gz --like ct.nii.gz --labels",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ResampleOptions>();
            define_resample(verb, *options);
            return [options](Console& console) { return resample(*options, console); };
          }};
}

}  // namespace fiducial::cli
