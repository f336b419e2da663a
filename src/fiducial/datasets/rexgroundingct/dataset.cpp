#include "fiducial/datasets/rexgroundingct/dataset.h"

#include <algorithm>
#include <vector>

#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/grounded_description.h"
#include "fiducial/datasets/rexgroundingct/card.h"
#include "fiducial/datasets/rexgroundingct/lint.h"
#include "fiducial/datasets/rexgroundingct/ontology.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/masks/mask_format.h"
#include "fiducial/table/hub_view.h"

namespace fiducial::rexgroundingct {

namespace {

constexpr std::uint64_t max_dataset_file_bytes = std::uint64_t{1} << 30;

constexpr const char* dataset_files[] = {"dataset.json", "MICCAI_challenge_dataset.json"};

// "train_12_a_1.nii.gz" lies in train_12/train_12_a/.
Path ctrate_folder(const std::string& name) {
  const std::string stem = name.substr(0, name.find('.'));
  const std::size_t last = stem.find_last_of('_');
  if (last == std::string::npos || last == 0) return {};
  const std::size_t scan = stem.find_last_of('_', last - 1);
  if (scan == std::string::npos) return {};
  return Path(stem.substr(0, scan)) / stem.substr(0, last);
}

}  // namespace

Result<Dataset> Dataset::open(const Path& folder) {
  if (!is_folder(folder)) {
    return path_missing("no such dataset folder", folder.string());
  }
  const std::optional<std::string> name = find_dataset_file(folder);
  if (!name)
    return Error(ErrorCode::invalid_data, "no dataset.json in the folder", Place{.path = folder.string()});
  Dataset out;
  out.folder_ = folder;
  out.file_name_ = *name;
  FIDUCIAL_TRY(const std::string text, read_text_file(folder / *name, max_dataset_file_bytes));
  out.digest_ = sha256(as_bytes(text));
  FIDUCIAL_TRY(out.content_, parse_dataset_file(text).in_file((folder / *name).string()));
  return out;
}

std::vector<std::string> Dataset::split_names() const {
  std::vector<std::string> out;
  for (const auto& split : content_.splits) out.push_back(split.first);
  return out;
}

const std::vector<GroundedCase>* Dataset::find_split(std::string_view name) const {
  return content_.find_split(name);
}

std::string Dataset::mask_name(const GroundedCase& entry) const { return mask_name_in(folder_, entry.name); }

Result<StoredFile> Dataset::open_mask(const GroundedCase& entry) const {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(folder_ / mask_name(entry)));
  const std::uint64_t size = file->size();
  return StoredFile{std::move(file), size};
}

std::optional<Path> Dataset::find_volume(const Path& volumes, const GroundedCase& entry) const {
  return rexgroundingct::find_volume(volumes, entry.name);
}

std::optional<std::string> find_dataset_file(const Path& folder) {
  for (const char* name : dataset_files) {
    if (is_file(folder / name)) return name;
  }
  const std::string viewed = std::string(view_folder) + "/dataset.json";
  if (find_hub_view(folder) && is_file(folder / viewed)) return viewed;
  return std::nullopt;
}

std::string mask_name_in(const Path& folder, const std::string& case_name) {
  std::string usual = "segmentations/" + case_name;
  const auto is_here = [&folder](const std::string& name) { return is_file(folder / name); };
  if (is_here(usual)) return usual;
  if (is_here(case_name)) return case_name;
  for (const std::string& name : {usual, case_name}) {
    if (const auto other = other_format_of(name, is_here)) return *other;
  }
  return find_hub_view(folder) ? std::string(view_folder) + "/" + usual : usual;
}

std::optional<Path> find_volume(const Path& volumes, const std::string& name) {
  std::vector<Path> folders = {volumes};
  if (const Path below = ctrate_folder(name); !below.empty()) {
    const std::string tree = name.starts_with("valid") ? "valid" : "train";
    const std::string fixed = tree + "_fixed";
    for (const Path& base : {volumes / "dataset" / fixed, volumes / fixed, volumes / "dataset" / tree,
                             volumes / tree, volumes}) {
      folders.push_back(base / below);
      folders.push_back(base);
    }
  }
  if (const auto view = find_hub_view(volumes)) folders.push_back(*view / "volumes");
  return find_volume_file(folders, name);
}

namespace {

Result<DatasetDescription> describe(const DescribeRequest& request, const Executor& executor,
                                    Progress& progress) {
  FIDUCIAL_TRY(const Dataset dataset, Dataset::open(request.dataset));
  return describe_grounded(
      {.benchmark = "rexgroundingct",
       .dataset = dataset,
       .masks = request.masks,
       .volumes = request.volumes,
       .ontology = category_titles(),
       .ontology_note = "1a-1f are typically non-focal, 2a-2h focal",
       .entities_note = "Training splits name at most about three entities of a finding; others name all"},
      executor, progress);
}

}  // namespace

}  // namespace fiducial::rexgroundingct

namespace fiducial {

DatasetAdapter rexgroundingct_adapter() {
  return {
      .id = "rexgroundingct",
      .title = "ReXGroundingCT: findings segmented in chest CT",
      .layout =
          "dataset.json (or MICCAI_challenge_dataset.json) and segmentations/, or an export for Hugging Face",
      .recognises = [](const Path& folder) { return rexgroundingct::find_dataset_file(folder).has_value(); },
      .tasks = {"finding_masks", "grounded_reports"},
      .open_grounded = [](const Path& folder) -> Result<std::unique_ptr<GroundedDataset>> {
        FIDUCIAL_TRY(rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(folder));
        return {std::make_unique<rexgroundingct::Dataset>(std::move(dataset))};
      },
      .lint_inputs = {LintInput::predictions, LintInput::volumes, LintInput::metadata},
      .lint = rexgroundingct::lint,
      .describe = rexgroundingct::describe,
      .card = rexgroundingct::card_facts};
}

}  // namespace fiducial
