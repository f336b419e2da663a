#include <algorithm>

#include "fiducial/anatomy/mask_places.h"
#include "fiducial/anatomy/stored_masks.h"
#include "fiducial/archive/tar_writer.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {

namespace {

constexpr const char* structure_ending = ".nii.gz";
constexpr int tar_gzip_level = 1;  // what is in it is compressed

// A folder is one that is there, or has a final slash, or has no ending.
bool is_folder_target(const Path& path) {
  const std::string name = path.filename().string();
  return name.empty() || is_folder(path) ||
         (!is_tar_name(name) && find_mask_format(name) == nullptr && path.extension().empty());
}

// One mask as the file of a folder.
Result<Bytes> structure_file(const MaskCollection& masks, const MaskCollection::Member& member) {
  const MaskCollection one{.arrangement = MaskArrangement::labels,
                           .grid = masks.grid,
                           .claims_place = masks.claims_place,
                           .masks = {member},
                           .origins = {}};
  return find_mask_format(structure_ending)->encode(one, structure_ending);
}

Outcome check_names(const MaskCollection& masks) {
  if (masks.masks.empty()) return bad_usage("there is no mask to write");
  for (const MaskCollection::Member& member : masks.masks) {
    if (auto objection = name_objection(member.about.name))
      return invalid_data("\"" + member.about.name + "\" cannot be the name of a file: " + *objection);
  }
  return done();
}

Outcome write_folder(const MaskCollection& masks, const MasksTarget& target) {
  const Path path = output_target(target.path);
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(path, masks_file, target.overwrite));
  for (const MaskCollection::Member& member : masks.masks) {
    FIDUCIAL_TRY(const Bytes bytes, structure_file(masks, member));
    FIDUCIAL_TRY_DONE(write_file(folder.staging() / (member.about.name + structure_ending), bytes));
  }
  FIDUCIAL_TRY_DONE(write_file(folder.staging() / masks_file, masks_json(masks).pretty()));
  return folder.publish();
}

Outcome write_tar(const MaskCollection& masks, const Path& path) {
  std::string folder = path.filename().string();
  for (const std::string_view ending : {".gz", ".tgz", ".tar"}) {
    if (folder.ends_with(ending)) folder.resize(folder.size() - ending.size());
  }
  TarWriter tar;
  FIDUCIAL_TRY_DONE(tar.add(folder + "/" + masks_file, as_bytes(masks_json(masks).pretty())));
  for (const MaskCollection::Member& member : masks.masks) {
    FIDUCIAL_TRY(const Bytes bytes, structure_file(masks, member));
    FIDUCIAL_TRY_DONE(tar.add(folder + "/" + member.about.name + structure_ending, bytes));
  }
  const Bytes bytes = tar.finish();
  return write_file(path, path.extension() == ".tar" ? bytes : gzip_compressed(bytes, tar_gzip_level));
}

// {"labels": {"10": "lung_upper_lobe_left"}}, as readers of label maps take it.
Json label_names_json(const MaskCollection& masks) {
  Json names{Json::Object{}};
  for (const MaskCollection::Member& member : masks.masks)
    names.set(decimal(member.about.id), member.about.name);
  return Json::object({{"labels", std::move(names)}});
}

Outcome refuse_existing(const Path& path, bool overwrite) {
  if (overwrite || !is_there(path)) return done();
  return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it", Place{.path = path.string()});
}

Outcome write_single(const MaskFormat& format, const MaskCollection& masks, const MasksTarget& target) {
  const std::string name = target.path.filename().string();
  if (format.encode == nullptr)
    return Error(ErrorCode::bad_usage, format.title + " is read, not written", Place{.path = name});
  const bool needs_names = !format.keeps_names && masks.arrangement == MaskArrangement::structures;
  const Path beside = target.path.parent_path() / (std::string(without_mask_ending(name)) + ".json");
  if (needs_names) FIDUCIAL_TRY_DONE(refuse_existing(beside, target.overwrite));
  FIDUCIAL_TRY(const Bytes bytes, format.encode(masks, name).in_file(target.path.string()));
  if (needs_names) FIDUCIAL_TRY_DONE(write_file(beside, label_names_json(masks).pretty()));
  return write_file(target.path, bytes);
}

}  // namespace

bool is_masks_target(const Path& path) {
  const std::string name = path.filename().string();
  const MaskFormat* const format = find_mask_format(name);
  return name.empty() || is_tar_name(name) || (format != nullptr && format->keeps_names);
}

Json masks_json(const MaskCollection& masks) {
  constexpr const char* arrangements[] = {"labels", "findings", "structures"};
  Json list{Json::Array{}};
  for (const MaskCollection::Member& member : masks.masks) {
    Json one = Json::object({{"name", member.about.name}, {"id", std::int64_t{member.about.id}}});
    if (member.about.code) {
      const MaskCode& code = *member.about.code;
      one.set("code",
              Json::object({{"scheme", code.scheme}, {"value", code.value}, {"meaning", code.meaning}}));
    }
    one.set("voxels", member.labels.count());
    list.push(std::move(one));
  }
  const Extent& extent = masks.grid.extent;
  return Json::object({{"schema", "fiducial.masks/1"},
                       {"arrangement", arrangements[static_cast<std::size_t>(masks.arrangement)]},
                       {"extent", Json::array({extent.x, extent.y, extent.z})},
                       {"masks", std::move(list)}});
}

Outcome write_stored_masks(const MaskCollection& given, const MasksTarget& target) {
  const std::string name = target.path.filename().string();
  MaskCollection masks = given;
  if (target.stacked) masks.arrangement = MaskArrangement::findings;
  FIDUCIAL_TRY_DONE(check_names(masks));
  if (is_folder_target(target.path)) return write_folder(masks, target);
  FIDUCIAL_TRY_DONE(refuse_existing(target.path, target.overwrite));
  if (is_tar_name(name)) return write_tar(masks, target.path);
  if (const MaskFormat* const format = find_mask_format(name)) return write_single(*format, masks, target);
  return Error(ErrorCode::bad_usage,
               "masks are written to a folder (OUT/), a .tar or .tar.gz archive, or a file that ends in " +
                   written_mask_endings(),
               Place{.path = target.path.string()});
}

}  // namespace fiducial
