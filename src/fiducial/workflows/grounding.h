#pragma once

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

// Where a sentence of a reply looks, in words: members "regions" and "boxes" of it.
std::vector<std::pair<std::string, Json>> place_schemas();

// Turns the places of a reply into a mask, by a rule (docs/ask.md):
//
// A box is told in thousandths of its picture, from the upper left. It covers the voxels whose centres lie
// under it, in its slice and as far as half way to the next slice of that plane that is shown; a plane of one
// slice has that slice alone. Boxes are united. Regions by name are the union of their masks. Where a reply
// has both, what lies in both counts. What cannot be resolved - a region without a mask, a picture that was
// not shown, a box without an inside - is named and left out.
class Grounding {
 public:
  Grounding(const ShownCase& shown, const Grid& grid, const CaseMasks& organs)
      : shown_(shown), grid_(grid), organs_(organs) {}

  Mask mask_of(const Json& places);
  // What was left out, by its names.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  std::optional<Mask> boxes(const Json& places);
  std::optional<Mask> regions(const Json& places);
  std::optional<Mask> box(const Json& json);

  const ShownCase& shown_;
  const Grid& grid_;
  const CaseMasks& organs_;
  std::vector<std::string> left_out_;
};

// Regions that the answers of a scan name, to read no other masks.
std::vector<std::string> named_regions(const Json& places);

// The masks of scans' answers: the grid of each scan, and the organs that its answers name.
class GroundedScans {
 public:
  explicit GroundedScans(const PreparedRun& run) : run_(run) {}

  Result<Grid> grid_of(const std::string& scan) const;
  Result<CaseMasks> organs_of(const std::string& scan, const Grid& grid,
                              const std::vector<std::string>& names);
  // Writes channels, a mask each, beside the run's answers; gives the name and hash of the file.
  Result<std::pair<std::string, Json>> write(const std::string& scan,
                                             const std::vector<Mask>& channels) const;

 private:
  const PreparedRun& run_;
  std::optional<MaskLibrary> library_;
};

// What was left out of places, a line a channel: left_out.jsonl of a run.
class LeftOut {
 public:
  void add(const std::string& scan, std::int64_t channel, const std::vector<std::string>& what);
  // Adds the file to those that were written; there is none where nothing was left out.
  Outcome write(const PreparedRun& run, Json& files) const;

 private:
  std::string lines_;
};

}  // namespace fiducial
