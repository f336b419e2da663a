#include "fiducial/tasks/organ_masks/table_cases.h"

#include <algorithm>
#include <system_error>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/datasets/radgenome/split.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/tasks/organ_masks/region_masks.h"

namespace fiducial {

namespace {

// The folders that a library of masks looks into, and itself.
std::vector<Path> mask_folders(const Path& root) {
  std::vector<Path> out{root, root / "dataset"};
  const std::vector<Path> places = out;
  for (const Path& place : places) {
    std::error_code failed;
    for (std::filesystem::directory_iterator at(place, failed), end; !failed && at != end;
         at.increment(failed)) {
      if (at->is_directory(failed)) out.push_back(at->path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

void add_masks_of(const std::vector<Path>& folders, const char* role, const std::string& stem, TaskCase& to) {
  for (const Path& folder : folders) {
    std::vector<Path> places{folder / ("seg_" + stem), folder / stem};
    for (Path& file : label_map_files(folder, stem)) places.push_back(std::move(file));
    for (Path& place : places) {
      std::error_code ignored;
      if (std::filesystem::exists(place, ignored)) to.files.push_back({role, std::move(place)});
    }
  }
}

}  // namespace

Result<std::vector<TaskCase>> cases_of_tables(const TaskCall& call) {
  FIDUCIAL_TRY(const radgenome::TableFolder folder, radgenome::TableFolder::open(call.dataset()));
  FIDUCIAL_TRY(const std::string name, folder.choose_split(call.optional_text("split")));
  FIDUCIAL_TRY(const radgenome::Split split,
               radgenome::read_split(folder, name, radgenome::TableUse::scoring));
  const std::vector<Path> references = mask_folders(call.dataset());
  const std::vector<Path> predictions = mask_folders(call.predictions() / organ_masks_folder);
  const auto volumes = call.path("volumes");
  std::vector<TaskCase> out;
  const RegionUnits units(split, call);
  for (const RunCase& entry : units.cases()) {
    TaskCase one{entry.name, {}};
    const std::string stem = volume_stem(entry.name);
    add_masks_of(references, "dataset", stem, one);
    add_masks_of(predictions, "predictions", stem, one);
    const auto ct = volumes ? rexgroundingct::find_volume(*volumes, stem + ".nii.gz") : std::nullopt;
    if (ct) one.files.push_back({"volumes", *ct});
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace fiducial
