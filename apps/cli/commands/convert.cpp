#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/datasets/stored_rescale.h"
#include "fiducial/dicom/series.h"
#include "fiducial/image/channel_order.h"
#include "fiducial/image/model_input.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/image/volume_format.h"

#include "command.h"
#include "dicom_conversion.h"
#include "gzip_indexing.h"
#include "masks_conversion.h"

namespace fiducial::cli {

namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::string orient;
  std::string series;
  std::string channels;
  std::string channels_to;
  std::string metadata;
  int nifti_version = 0;
  std::vector<double> clip;
  std::vector<std::int64_t> size;
  bool hounsfield = false;
  bool zscore = false;
  bool overwrite = false;
  bool json = false;
  std::string labels;
  std::string volume;
  std::string like;
  std::string itk_snap;
  std::string segmentation;
  bool deidentify = false;
  bool stacked = false;
  bool index = false;

  MasksConversion masks() const {
    return {.input = input,
            .output = output,
            .labels = labels,
            .itk_snap = itk_snap,
            .volume = volume,
            .stacked = stacked,
            .overwrite = overwrite,
            .json = json};
  }
  bool for_models() const { return hounsfield || zscore || !clip.empty() || !size.empty(); }
};

// What models are given: Hounsfield units as float32, clipped, standardised and resized, in this order.
Result<NiftiImage> prepared(const NiftiImage& image, const ConvertOptions& options) {
  FIDUCIAL_TRY(FloatVolume volume, float_volume(image));
  Affine affine = image.header().affine;
  if (!options.clip.empty()) {
    if (options.clip.size() != 2 || !(options.clip[0] <= options.clip[1])) {
      return bad_usage("--clip takes a low and a high value: --clip=-1000,200");
    }
    clip(volume, static_cast<float>(options.clip[0]), static_cast<float>(options.clip[1]));
  }
  if (options.zscore) standardise(volume);
  if (!options.size.empty()) {
    if (options.size.size() != 3) return bad_usage("--size takes three numbers of voxels: --size 256,256,64");
    const Extent extent{options.size[0], options.size[1], options.size[2]};
    affine = resized_affine(image.header().grid(), extent);
    FIDUCIAL_TRY(volume, area_resized(volume, extent));
  }
  return float_image(volume, affine);
}

// A folder is a DICOM series, a file an image.
Result<NiftiImage> read_image(const ConvertOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(options.input, ignored)) {
    SeriesOptions which;
    if (!options.series.empty()) which.series = options.series;
    return read_series(options.input, which);
  }
  if (!options.series.empty()) {
    return Error(ErrorCode::bad_usage, "--series chooses from a folder of DICOM files",
                 Place{.path = options.input});
  }
  return read_nifti(options.input);
}

// What was written, and what the header of the input gave to note: schema fiducial.image/1.
Json converted_json(const ConvertOptions& options, const NiftiHeader& header, const Notes& notes) {
  Json shape = Json::Array{};
  for (int axis = 1; axis <= header.rank(); ++axis) shape.push(header.dim[static_cast<std::size_t>(axis)]);
  Json spacing = Json::Array{};
  for (const double mm : header.affine.spacing_mm()) spacing.push(mm);
  Json affine = Json::Array{};
  for (const auto& row : header.affine.m) affine.push(Json::Array(row.begin(), row.end()));
  Json told = Json::Array{};
  for (const Note& note : notes) told.push(note.text);
  return Json::object({{"schema", "fiducial.image/1"},
                       {"input", options.input},
                       {"output", options.output},
                       {"nifti", header.version},
                       {"type", to_string(header.type)},
                       {"shape", std::move(shape)},
                       {"orientation", OrientationCode::of(header.affine).text()},
                       {"spacing_mm", std::move(spacing)},
                       {"affine", std::move(affine)},
                       {"notes", std::move(told)}});
}

Result<NiftiImage> rescaled_by_table(NiftiImage image, const ConvertOptions& options, Console& console) {
  if (!options.hounsfield) return bad_usage("--metadata says what --hu applies");
  const std::string name = Path(options.input).filename().string();
  FIDUCIAL_TRY(RescaledVolume volume,
               hounsfield_by_metadata(std::move(image), name, options.metadata).in_file(options.input));
  console.note(options.input + ": Hounsfield units " + volume.how);
  return std::move(volume.image);
}

// Where the channels of a result are, as far as anybody said.
ChannelAxis channels_of(const NiftiHeader& header, const ConvertOptions& options) {
  const std::string& said = options.channels_to.empty() ? options.channels : options.channels_to;
  if (header.rank() != 4 || said.empty()) return ChannelAxis::none;
  return said == "last" ? ChannelAxis::last : ChannelAxis::first;
}

Result<int> convert(const ConvertOptions& options, Console& console) {
  if (options.index != options.output.empty())
    return bad_usage(options.index ? "--index writes beside IN; it takes no OUT" : "OUT is required");
  if (options.index) return index_gzip_files(options.input, options.overwrite, console);
  if (!options.like.empty())
    return convert_dicom({options.masks(), options.like, options.segmentation, options.deidentify}, console);
  if (options.deidentify)
    return bad_usage("--deidentify is for DICOM files that are written: OUT.dcm and --like SERIES");
  if (options.output.ends_with(".dcm"))
    return bad_usage("a DICOM segmentation needs the images it segments: --like SERIES");
  if (is_masks_conversion(options.masks())) return convert_masks(options.masks(), console);
  const Path output(options.output);
  if (find_volume_format(output.filename().string()) == nullptr) {
    return Error(ErrorCode::bad_usage, "expected a name that ends in " + written_endings_text(),
                 Place{.path = options.output});
  }
  if (std::filesystem::exists(output) && !options.overwrite) {
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it",
                 Place{.path = options.output});
  }
  std::optional<OrientationCode> orient;
  if (!options.orient.empty()) {
    FIDUCIAL_TRY(orient, OrientationCode::parse(options.orient));
  }
  FIDUCIAL_TRY(NiftiImage image, read_image(options));
  const Notes notes = image.header().notes;
  for (const Note& note : notes) console.note(options.input + ": " + note.text);
  if (!options.metadata.empty()) {
    FIDUCIAL_TRY(image, rescaled_by_table(std::move(image), options, console));
  }
  FIDUCIAL_TRY(
      image, rearranged(std::move(image),
                        {.orient = orient, .channels = options.channels, .channels_to = options.channels_to})
                 .in_file(options.input));
  if (options.for_models()) {
    FIDUCIAL_TRY(image, prepared(image, options).in_file(options.input));
  }
  if (options.nifti_version != 0) image.header().version = options.nifti_version;
  const std::string orientation = OrientationCode::of(image.header().affine).text();
  const NiftiHeader written = image.header();
  FIDUCIAL_TRY_DONE(
      write_volume(output, std::move(image), {.channels = channels_of(written, options), .segments = {}}));
  if (options.json) console.print(converted_json(options, written, notes).pretty());
  console.note(options.output + ": " + written.shape_text() + " " + std::string(to_string(written.type)) +
               ", " + orientation);
  return 0;
}

void declare_places(Verb verb, ConvertOptions& options) {
  verb.add_option("IN", options.input,
                  "Image to read (NIfTI, NRRD, MetaImage), or a folder of DICOM files; or masks: a folder of "
                  "files, an archive (.tar, .tar.gz, .zip), a label map, a .fmask or .seg.nrrd file")
      ->required();
  verb.add_option("OUT", options.output,
                  "Image to write: .nii.gz, .nii, .nrrd or .mha; of masks also a .fmask or .seg.nrrd file, "
                  "a .tar or .tar.gz archive, a folder");
  verb.add_option("--orient", options.orient, "Axis order of the result, e.g. RAS or LPS");
  verb.add_option("--channels", options.channels,
                  "Where the findings of a 4D mask are: first (F,H,W,D) or last (H,W,D,F)");
  verb.add_option("--channels-to", options.channels_to,
                  "Where they go: first or last (default: where they are)");
}

void declare_values(Verb verb, ConvertOptions& options) {
  verb.add_option("--nifti", options.nifti_version, "Version to write: 1 or 2 (default: as read)")
      ->check(Range(1, 2))
      ->heading("Values of images");
  verb.add_flag("--hu", options.hounsfield, "Apply slope and intercept; write float32")
      ->heading("Values of images");
  verb.add_option("--metadata", options.metadata,
                  "With --hu: CT-RATE's table, whose rescale is applied once where the header has none")
      ->heading("Values of images");
  verb.add_option("--clip", options.clip, "Then clip values: LOW,HIGH")
      ->delimiter(',')
      ->heading("Values of images");
  verb.add_flag("--zscore", options.zscore, "Then subtract the mean and divide by the standard deviation")
      ->heading("Values of images");
  verb.add_option("--size", options.size,
                  "Then resize to X,Y,Z voxels by area (means; masks become fractions)")
      ->delimiter(',')
      ->heading("Values of images");
}

void declare_dicom(Verb verb, ConvertOptions& options) {
  verb.add_option("--series", options.series,
                  "Which series of a DICOM folder, by its SeriesInstanceUID ('none' for files without)")
      ->heading("DICOM");
  verb.add_option("--like", options.like,
                  "The DICOM series (a folder) that masks belong to: an OUT that ends in .dcm becomes a "
                  "segmentation of it, contours of an RTSTRUCT and the frames of a segmentation get its grid")
      ->heading("DICOM");
  verb.add_option("--segmentation", options.segmentation,
                  "How an OUT that ends in .dcm keeps voxels: binary (segments may overlap; the "
                  "default) or labelmap")
      ->heading("DICOM");
  verb.add_flag("--deidentify", options.deidentify,
                "Write an OUT that ends in .dcm by the basic profile of PS3.15, and print what was changed")
      ->heading("DICOM");
}

void declare_masks(Verb verb, ConvertOptions& options) {
  verb.add_option("--labels", options.labels,
                  "What the labels of a label map stand for: a file of names (JSON), or 'total' "
                  "for TotalSegmentator's")
      ->heading("Masks");
  verb.add_option("--volume", options.volume, "The volume to take from an archive of several")
      ->heading("Masks");
  verb.add_flag("--stack", options.stacked, "One channel a mask, (F,H,W,D), where NIfTI would be a label map")
      ->heading("Masks");
  verb.add_option("--itk-snap", options.itk_snap,
                  "Also write the labels of OUT as label descriptions for ITK-SNAP, to this file")
      ->heading("Masks");
}

}  // namespace

Command convert_command() {
  return {.name = "convert",
          .summary =
              "Copy an image or a DICOM series to NIfTI, NRRD or MetaImage, or masks to another kind of file",
          .example = "fiducial convert ct.nii.gz ct_ras.nii.gz --orient RAS",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ConvertOptions>();
            declare_places(verb, *options);
            declare_values(verb, *options);
            declare_masks(verb, *options);
            declare_dicom(verb, *options);
            verb.add_flag(
                "--index", options->index,
                "Write an index beside IN (IN.gzidx), a .nii.gz file or a folder of them, by which any slice "
                "is read without what is before it; takes no OUT");
            verb.add_flag("--overwrite", options->overwrite, "Replace an existing OUT");
            verb.add_flag("--json", options->json, "Print what was written as JSON");
            return [options](Console& console) { return convert(*options, console); };
          }};
}

}  // namespace fiducial::cli
