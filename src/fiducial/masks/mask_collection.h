#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/masks/mask_reader.h"

namespace fiducial {

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

// Why a mask cannot have a name, or nothing: names become names of files, so each is a plain one without a
// slash.
std::optional<std::string> name_objection(std::string_view name);

// Everything that an opened file has.
Result<MaskCollection> read_collection(MaskReader& reader);
// The same, and what its values were like.
struct ReadCollection {
  MaskCollection masks;
  LabelValueFacts values;
};
Result<ReadCollection> read_collection_and_values(MaskReader& reader);

}  // namespace fiducial
