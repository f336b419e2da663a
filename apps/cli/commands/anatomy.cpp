#include <memory>
#include <string>

#include "fiducial/base/number_text.h"

#include "command.h"
#include "segmented_ct.h"

namespace fiducial::cli {

namespace {

struct AnatomyOptions {
  std::string input;
  std::string output;
  bool overwrite = false;
  bool json = false;
};

std::string segmentation_text(const ChestSegmentation& segmentation) {
  std::string out;
  for (const SegmentedStructure& each : segmentation.structures) {
    const std::string label = decimal(static_cast<std::int32_t>(each.label));
    out += "  " + std::string(3 - label.size(), ' ') + label + "  " + each.name +
           std::string(12 - each.name.size(), ' ');
    out += each.voxels > 0 ? fixed(each.volume_ml, 1) + " ml\n" : each.detail + "\n";
  }
  return out;
}

Result<int> segment(const AnatomyOptions& options, Console& console) {
  const Path output(options.output);
  if (!options.output.ends_with(".nii") && !options.output.ends_with(".nii.gz")) {
    return Error(ErrorCode::bad_usage, "the label map is written as .nii or .nii.gz",
                 Place{.path = options.output});
  }
  for (const Path& path : {output, description_of(output)}) {
    if (!std::filesystem::exists(path) || options.overwrite) continue;
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it",
                 Place{.path = path.string()});
  }
  FIDUCIAL_TRY(const ChestSegmentation found, segment_ct(options.input, output));
  for (const Note& note : found.notes) console.note(options.input + ": " + note.text);
  console.print(options.json ? found.json().pretty()
                             : options.output + ", labels named in " + description_of(output).string() +
                                   ":\n" + segmentation_text(found));
  return 0;
}

}  // namespace

Command anatomy_command() {
  return {
      .name = "anatomy",
      .summary = "Segment body, bones, trachea and both lungs of a CT, by rules, without a trained model",
      .example = "fiducial anatomy ct.nii.gz -o organs.nii.gz",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<AnatomyOptions>();
        verb.add_option("CT", options->input, "NIfTI file in Hounsfield units, or a folder of DICOM files")
            ->required();
        verb.add_option("-o,--output", options->output, "Label map to write (.nii or .nii.gz)")->required();
        verb.add_flag("--overwrite", options->overwrite, "Replace an existing output");
        verb.add_flag("--json", options->json, "Print how the label map was made as JSON");
        return [options](Console& console) { return segment(*options, console); };
      }};
}

}  // namespace fiducial::cli
