#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/image/label_map.h"
#include "fiducial/masks/mask_reader.h"

namespace fiducial {

// What became of a mask that was asked for. Nothing is ever made up in place of one.
enum class MaskStatus {
  present,
  empty,       // there, without a voxel
  missing,     // not there
  other_grid,  // there, on voxels that are not those of the volume
  broken,      // there, and not readable
};
std::string_view to_string(MaskStatus status);

// The mask of a structure, or why there is none.
struct StructureMask {
  std::string name;
  MaskStatus status = MaskStatus::missing;
  std::string source;              // "mask", "label map", "union" or "region"
  std::optional<Mask> mask;        // of present and empty ones
  std::string detail;              // what was expected and found, or how the mask came onto the volume's grid
  std::vector<std::string> parts;  // of a union or region: the masks it is made of

  bool present() const { return status == MaskStatus::present; }
};

// Labels of a label map and what they stand for.
using LabelNames = std::map<std::int32_t, std::string>;
// TotalSegmentator's task `total`.
LabelNames total_label_names();
// {"10": "lung_upper_lobe_left", ...}, {"lung_upper_lobe_left": 10, ...}, or an object with either under
// "labels", as nnU-Net's dataset.json has it. Regions of several labels, which it may name too, are left out.
Result<LabelNames> parse_label_names(std::string_view json);
// The same of a dataset.json, which may be about something else: then it names nothing.
Result<LabelNames> parse_dataset_label_names(std::string_view json);

// Before the name of a region whose mask is one file, so that "lung" the region is not "lung" the organ.
inline constexpr std::string_view region_prefix = "region ";

// The organ masks of one volume. Structures overlap as they like: each has its own mask.
class CaseMasks {
 public:
  // With the grid of the volume, masks that lost their place (identity affine) take it, masks that lie on the
  // same lattice are moved onto it by whole voxels, and others are on another grid. Without it the first mask
  // that is read says what the grid is. Where that grid lost its own place, masks of its shape are taken
  // voxel by voxel, and others are on another grid.
  explicit CaseMasks(std::optional<Grid> volume = std::nullopt, bool is_placed = true)
      : volume_(volume), places_known_(volume.has_value() && is_placed) {}

  // One structure's file. A file that cannot be used is kept as such, with the reason.
  void add_file(const std::string& name, Result<std::unique_ptr<MaskReader>> file);
  // Every structure of a label map. Without names its labels must be TotalSegmentator's, of task `total`; a
  // map that they do not fit is kept as broken, with the reason.
  void add_label_map(Result<std::unique_ptr<MaskReader>> file, const LabelNames& names);
  // The masks of a file that names them. Those that are not wanted are not read; no wish means all.
  using IsWanted = std::function<bool(const std::string& name)>;
  void add_named(MaskReader& file, const std::string& file_name, const IsWanted& is_wanted);
  void add(StructureMask mask);

  // A file that masks were read from.
  void note_file(const std::string& name, const Digest& digest);
  // Of a line with hash and name for each of these files; none where there are none.
  std::optional<Digest> digest() const;

  const std::optional<Grid>& grid() const { return volume_; }
  bool places_known() const { return places_known_; }  // whether the grid says where in the patient it is
  bool empty() const { return masks_.empty() && !label_map_problem_; }
  std::vector<std::string> names() const;  // of what is there

  // A structure or region by any of its names: its own mask, else the union of its parts, else, for a region,
  // of its members that are there. A union lacks no part, unless a body may lack it. "region lung" is the
  // region's own mask, else what stands for it by its name.
  StructureMask resolve(std::string_view name) const;

 private:
  StructureMask on_volume(std::string name, const LabelMap& labels, const MaskHead& head);
  StructureMask unplaced(StructureMask out, const Mask& mask) const;
  StructureMask united_parts(const Structure& structure) const;
  StructureMask united_members(std::string_view region) const;

  std::optional<Grid> volume_;
  bool places_known_ = false;
  std::map<std::string, StructureMask> masks_;  // by the structure's name
  std::optional<StructureMask> label_map_problem_;
  std::string files_;  // their lines
};

}  // namespace fiducial
