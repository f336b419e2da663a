#include "fiducial/export/nnunet_dataset.h"

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>

#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/export/foreign_names.h"
#include "fiducial/export/mask_output.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/masks/mask_file.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_name = 200;  // of a case; "_0000.nii.gz" follows

// A second name of a file, or a copy where the disk has no such names.
Outcome link_or_copy(const Path& from, const Path& to) {
  std::error_code failed;
  std::filesystem::create_hard_link(from, to, failed);
  if (failed) {
    failed.clear();
    std::filesystem::copy_file(from, to, failed);
  }
  if (failed) return system_error("copy", failed, to);
  return done();
}

// A CT as nnU-Net takes it: a local .nii.gz as it is, anything else is written as one.
Outcome place_volume(const Path& volume, const Path& target) {
  if (!is_url(volume) && !is_folder(volume) && volume.string().ends_with(".nii.gz"))
    return link_or_copy(std::filesystem::canonical(volume), target);
  FIDUCIAL_TRY(NiftiStream stream, open_volume(volume));
  FIDUCIAL_TRY(const NiftiImage image, read_nifti(std::move(stream)));
  return write_nifti(target, image);
}

// The findings of a case on the grid of its CT.
Result<std::vector<Mask>> masks_on_ct(const GroundedDataset& dataset, const GroundedCase& entry,
                                      const NiftiHeader& ct) {
  const std::string path = (dataset.folder() / dataset.mask_name(entry)).string();
  FIDUCIAL_TRY(StoredFile stored, dataset.open_mask(entry));
  FIDUCIAL_TRY(MaskFile file, read_mask_file(std::move(stored), std::nullopt).mask.in_file(path));
  const auto refuse = [&path](std::string message) {
    return Error(ErrorCode::invalid_data, std::move(message), Place{.path = path});
  };
  if (file.shape.extent != ct.extent())
    return refuse("its voxels are not those of the CT, " + ct.shape_text());
  if (file.claims_place && !same_grid({ct.extent(), file.affine}, ct.grid()))
    return refuse("it lies elsewhere than its CT; 'fiducial resample' moves it there");
  if (entry.lists_findings && file.channels.size() != entry.findings.size())
    return refuse(decimal(file.channels.size()) + " channels for " + decimal(entry.findings.size()) +
                  " findings");
  std::vector<Mask> out;
  for (const LabelMap& channel : file.channels) out.push_back(channel.on_grid(ct.affine).foreground());
  return out;
}

Mask union_of(const NnunetGroup& group, const GroundedCase& entry, const std::vector<Mask>& masks,
              const Grid& grid) {
  Mask out(grid);
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const bool is_in = group.category.empty() ||
                       (i < entry.findings.size() && category_group(entry.findings[i]) == group.category);
    if (is_in) out = united(out, masks[i]);
  }
  return out;
}

Json dataset_json(const ExportCall& call, const NnunetGroup& group, const NnunetCounts& counts) {
  return Json::object({{"name", group.name},
                       {"description", group.title},
                       {"licence", text_at(call.terms, "licence")},
                       {"reference", text_at(call.terms, "source")},
                       {"channel_names", Json::object({{"0", "CT"}})},
                       {"labels", Json::object({{"background", 0}, {group.name, 1}})},
                       {"numTraining", counts.training},
                       {"file_ending", ".nii.gz"}});
}

// Training and validation as nnU-Net wants them: one fold, where the dataset has both.
std::optional<Json> fold_of(const NnunetCases& cases) {
  Json train = Json::Array{};
  Json val = Json::Array{};
  for (const NnunetCases::Case& each : cases.training)
    (each.split.starts_with("val") ? val : train).push(each.stem);
  if (train.as_array()->empty() || val.as_array()->empty()) return std::nullopt;
  return Json::array({Json::object({{"train", std::move(train)}, {"val", std::move(val)}})});
}

class NnunetWriter {
 public:
  NnunetWriter(const ExportCall& call, const GroundedDataset& dataset, const std::vector<NnunetGroup>& groups,
               Path folder)
      : call_(call), dataset_(dataset), groups_(groups), folder_(std::move(folder)), counts_(groups.size()) {}

  Result<std::vector<NnunetCounts>> write(const NnunetCases& cases) {
    for (const NnunetGroup& group : groups_) {
      for (const char* below : {"imagesTr", "labelsTr"})
        FIDUCIAL_TRY_DONE(make_folders(folder_ / nnunet_folder(group) / below));
      if (!cases.test.empty()) FIDUCIAL_TRY_DONE(make_folders(folder_ / nnunet_folder(group) / "imagesTs"));
    }
    call_.progress.begin("exporting", static_cast<std::int64_t>(cases.training.size() + cases.test.size()));
    for (const NnunetCases::Case& each : cases.training) {
      FIDUCIAL_TRY_DONE(add_training(each).context("exporting " + each.stem));
      call_.progress.advance(1);
    }
    for (const NnunetCases::Case& each : cases.test) {
      FIDUCIAL_TRY_DONE(add_image(each, "imagesTs"));
      for (NnunetCounts& count : counts_) ++count.test;
      call_.progress.advance(1);
    }
    call_.progress.end();
    const std::optional<Json> fold = fold_of(cases);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const Path place = folder_ / nnunet_folder(groups_[i]);
      const Json about = dataset_json(call_, groups_[i], counts_[i]);
      FIDUCIAL_TRY_DONE(write_staged_file(place / "dataset.json", about.pretty()));
      if (fold) FIDUCIAL_TRY_DONE(write_staged_file(place / "splits_final.json", fold->pretty()));
    }
    return counts_;
  }

 private:
  // The first group gets the CT, the others a name of it.
  Outcome add_image(const NnunetCases::Case& one, const char* below) {
    std::optional<Path> first;
    for (const NnunetGroup& group : groups_) {
      const Path target = folder_ / nnunet_folder(group) / below / (one.stem + "_0000.nii.gz");
      FIDUCIAL_TRY_DONE(first ? link_or_copy(*first, target) : place_volume(one.volume, target));
      if (!first) first = target;
    }
    return done();
  }

  Outcome add_training(const NnunetCases::Case& one) {
    FIDUCIAL_TRY(const NiftiHeader ct, read_volume_header(one.volume).in_file(one.volume.string()));
    if (ct.rank() != 3)
      return Error(ErrorCode::invalid_data, "expected a CT of 3 axes, found " + ct.shape_text(),
                   Place{.path = one.volume.string()});
    FIDUCIAL_TRY(const std::vector<Mask> masks, masks_on_ct(dataset_, *one.entry, ct));
    FIDUCIAL_TRY_DONE(add_image(one, "imagesTr"));
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const Mask mask = union_of(groups_[i], *one.entry, masks, ct.grid());
      ++counts_[i].training;
      if (mask.runs().empty()) ++counts_[i].empty;
      FIDUCIAL_TRY_DONE(
          write_mask(mask, folder_ / nnunet_folder(groups_[i]) / "labelsTr" / (one.stem + ".nii.gz"), ct));
    }
    return done();
  }

  const ExportCall& call_;
  const GroundedDataset& dataset_;
  const std::vector<NnunetGroup>& groups_;
  Path folder_;
  std::vector<NnunetCounts> counts_;
};

}  // namespace

std::string nnunet_folder(const NnunetGroup& group) {
  const std::string number = decimal(group.number);
  return "Dataset" + std::string(number.size() < 3 ? 3 - number.size() : 0, '0') + number + "_" + group.name;
}

Result<NnunetCases> nnunet_cases(const ExportCall& call, const GroundedDataset& dataset,
                                 std::vector<std::string>& left_out) {
  NnunetCases out;
  std::vector<std::string> names;
  const std::vector<std::string> splits =
      call.request.split ? std::vector{*call.request.split} : dataset.split_names();
  for (const std::string& split : splits) {
    const std::vector<GroundedCase>* cases = dataset.find_split(split);
    if (cases == nullptr) return choose_split(dataset, split).error();
    if (call.request.split) FIDUCIAL_TRY_DONE(allow_split(call.terms, call.request.dataset, split));
    if (is_private_split(call.terms, split)) {
      left_out.push_back("split \"" + split + "\" is private by the terms of the data");
      continue;
    }
    for (const GroundedCase& entry : *cases) {
      const auto volume = dataset.find_volume(*call.request.volumes, entry);
      if (!volume)
        return path_missing("no CT of " + entry.name + " below this folder", call.request.volumes->string());
      const bool is_test = split == "test" && !call.request.split;
      names.push_back(volume_stem(entry.name));
      (is_test ? out.test : out.training).push_back({names.back(), &entry, *volume, split});
    }
  }
  FIDUCIAL_TRY_DONE(
      check_foreign_names(names, longest_name, "nnU-Net").in_file(call.request.dataset.string()));
  if (!out.training.empty()) return out;
  return Error(ErrorCode::invalid_data,
               "no case to train on; --split takes the cases of a split, test among them",
               Place{.path = call.request.dataset.string()});
}

Result<std::vector<NnunetCounts>> write_nnunet_datasets(const ExportCall& call,
                                                        const GroundedDataset& dataset,
                                                        const NnunetCases& cases,
                                                        const std::vector<NnunetGroup>& groups,
                                                        const Path& folder) {
  return NnunetWriter(call, dataset, groups, folder).write(cases);
}

}  // namespace fiducial
