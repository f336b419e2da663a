#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "fiducial/base/bytes.h"
#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/image/voxel_type.h"

namespace fiducial {

// The header of a single-file NIfTI-1 or NIfTI-2 image, in the fields we act on or carry along.
struct NiftiHeader {
  int version = 1;
  bool swapped = false;  // stored in the other byte order than this machine's
  std::array<std::int64_t, 8> dim{3, 1, 1, 1, 1, 1, 1, 1};  // dim[0] is the rank
  VoxelType type = VoxelType::uint8;
  std::array<double, 8> pixdim{1, 1, 1, 1, 0, 0, 0, 0};
  std::uint64_t voxel_offset = 352;
  double slope = 0;  // 0 means values are not scaled
  double intercept = 0;
  int qform_code = 0;
  int sform_code = 0;
  Vec3 quaternion{0, 0, 0};
  Vec3 qoffset_mm{0, 0, 0};
  Affine sform;
  int xyzt_units = 2;  // millimetres
  int intent_code = 0;
  std::array<double, 3> intent_parameters{0, 0, 0};
  std::string intent_name;
  std::string description;
  double display_min = 0;
  double display_max = 0;

  // sform where its code is set, else qform, else pixdim with the centre at the origin, as nibabel does.
  Affine affine;
  Notes notes;

  int rank() const { return static_cast<int>(dim[0]); }
  std::int64_t voxel_count() const;  // checked not to overflow by parse_nifti_header
  std::int64_t voxel_bytes() const { return voxel_count() * size_bytes(type); }
  bool scales() const;  // whether slope and intercept change any value
  // Whether the header says where the image lies in a patient: a form is set, and not to the identity.
  bool claims_place() const { return (sform_code > 0 || qform_code > 0) && !affine.is_identity(); }
  Extent extent() const { return {dim[1], dim[2], dim[3]}; }
  Grid grid() const { return {extent(), affine}; }
  std::string shape_text() const;  // "8 x 512 x 512 x 300"

  // Takes the affine as sform with the given code and as the pixdim spacing; clears the qform.
  void set_affine(const Affine& value, int code = 1);
};

inline constexpr std::size_t nifti1_header_bytes = 348;
inline constexpr std::size_t nifti2_header_bytes = 540;

// How many bytes the header takes, from its first eight; an error if they are no NIfTI header.
Result<std::size_t> nifti_header_size(ByteView first_bytes);

// The header at the front of the bytes. Every field that later code relies on has been checked.
Result<NiftiHeader> parse_nifti_header(ByteView bytes);

// The header as bytes in this machine's byte order, up to voxel_offset, without extensions.
Bytes nifti_header_bytes(const NiftiHeader& header);

}  // namespace fiducial
