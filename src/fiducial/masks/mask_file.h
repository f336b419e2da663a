#pragma once

#include <optional>
#include <string>

#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/stored_file.h"
#include "fiducial/image/label_decoder.h"

namespace fiducial {

// A mask file with channels first, as labels, and what its header said about its place in the patient.
struct MaskFile {
  ChannelShape shape;
  int rank = 4;                       // 3 and 2: the file has no channel axis
  VoxelType type = VoxelType::uint8;  // as stored
  std::vector<LabelMap> channels;
  LabelValueFacts values;
  Affine affine;
  bool claims_place = false;  // false: no form is set, or the identity, which says nothing about the patient
  std::optional<Error>
      shape_error;  // the file was read, but its spatial axes are those expected in another order
  Notes notes;
};

// What came of reading a file: the labels or why not, and the hash of its stored bytes where they could be
// read.
struct MaskRead {
  Result<MaskFile> mask;
  std::optional<Digest> digest;
};

// Reads (F, H, W, D), or (H, W, D) as one finding. With an expected shape, a file of another shape is refused
// before its voxels are read, and the message says what it looks like; only when its spatial axes are
// permuted is it read all the same, with shape_error set, so that a probe can tell what would fit.
//
// Masks of a format that leaves empty slices out are put onto the volume's grid where that is given.
MaskRead read_mask_file(StoredFile file, const std::optional<ChannelShape>& expected,
                        const std::optional<Grid>& volume = std::nullopt);

}  // namespace fiducial
