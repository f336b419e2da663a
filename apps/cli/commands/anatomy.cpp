#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/export/region_masks.h"

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

struct RegionOptions {
  std::string masks;
  std::string volumes;
  std::vector<std::string> names;
  std::string output;
  bool json = false;
};

std::string regions_text(const RegionOptions& options, const RegionMaskCounts& counts) {
  std::string out = options.output + ": " + decimal(counts.written) + " masks of " + decimal(counts.volumes) +
                    " volumes, " + decimal(counts.empty) + " of them empty\n";
  for (const auto& [name, volumes] : counts.lacking) {
    out += "  " + name + ": " + decimal(volumes) + " volumes lack what it is made of\n";
  }
  return out;
}

Result<int> unite(const RegionOptions& options, Console& console) {
  RegionMaskRequest request{.masks = options.masks, .names = options.names, .output = options.output};
  if (!options.volumes.empty()) request.volumes = options.volumes;
  FIDUCIAL_TRY(const RegionMaskCounts counts, write_region_masks(request, console));
  console.print(options.json ? counts.manifest.pretty() : regions_text(options, counts));
  return 0;
}

CommandBody define_regions(Verb verb) {
  auto options = std::make_shared<RegionOptions>();
  verb.add_option("MASKS", options->masks, "Organ masks: folders, label maps or tar archives")->required();
  verb.add_option("-o,--output", options->output,
                  "Folder to write; OUT.json beside it says what each is made of")
      ->required();
  verb.add_option("--volumes", options->volumes, "CTs, whose grid the masks get");
  verb.add_option("--name", options->names,
                  "Region or structure to write, again for each (default: the ten regions)");
  verb.add_flag("--json", options->json, "Print what became of every mask as JSON");
  return [options](Console& console) { return unite(*options, console); };
}

Outcome check_segmented(const AnatomyOptions& options) {
  if (options.input.empty()) return bad_usage("CT is required");
  if (options.output.empty()) return bad_usage("--output is required");
  return done();
}

Result<int> segment(const AnatomyOptions& options, Console& console) {
  FIDUCIAL_TRY_DONE(check_segmented(options));
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
  return {.name = "anatomy",
          .summary = "Segment body, bones, trachea and both lungs of a CT, by rules, without a trained model",
          .example = "fiducial anatomy ct.nii.gz -o organs.nii.gz",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<AnatomyOptions>();
            verb.add_option("CT", options->input,
                            "NIfTI file in Hounsfield units, or a folder of DICOM files");
            verb.add_option("-o,--output", options->output, "Label map to write (.nii or .nii.gz)");
            verb.add_flag("--overwrite", options->overwrite, "Replace an existing output");
            verb.add_flag("--json", options->json, "Print how the label map was made as JSON");
            const Verb regions = verb.add_subcommand(
                "regions", "Write masks of regions: unions of organ masks, as RadGenome-Chest CT's");
            regions.footer("Example:\n  fiducial anatomy regions organs/ --volumes ct-rate/ -o regions");
            const CommandBody unite_masks = define_regions(regions);
            return [options, regions, unite_masks](Console& console) {
              return regions.parsed() ? unite_masks(console) : segment(*options, console);
            };
          }};
}

}  // namespace fiducial::cli
