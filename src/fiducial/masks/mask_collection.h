#pragma once

#include <string>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"
#include "fiducial/masks/mask_reader.h"

namespace fiducial {

// A file that masks came from.
struct MaskOrigin {
  std::string name;
  Digest digest;  // of its stored bytes

  friend bool operator==(const MaskOrigin&, const MaskOrigin&) = default;
};

// Masks on one grid, as one file holds them.
struct MaskCollection {
  struct Member {
    ListedMask about;
    LabelMap labels;
  };

  MaskArrangement arrangement = MaskArrangement::structures;
  Grid grid;
  bool claims_place = true;  // whether the grid says where in the patient it lies
  std::vector<Member> masks;
  std::vector<MaskOrigin> origins;
};

// Everything that an opened file has.
Result<MaskCollection> read_collection(MaskReader& reader);

}  // namespace fiducial
