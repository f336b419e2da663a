#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/archive/byte_source.h"
#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/stored_file.h"
#include "fiducial/image/label_decoder.h"

namespace fiducial {

// What a terminology calls a structure: {"SCT", "15825003", "Aorta"}.
struct MaskCode {
  std::string scheme;
  std::string value;
  std::string meaning;

  friend bool operator==(const MaskCode&, const MaskCode&) = default;
};

// What a file says of one of its masks.
struct ListedMask {
  std::string name;              // "aorta"; "" where the file has no names
  std::uint32_t id = 0;          // what readers know it by: the label of an organ, the index of a finding
  std::optional<MaskCode> code;  // of the structure

  friend bool operator==(const ListedMask&, const ListedMask&) = default;
};

// A file that masks came from.
struct MaskOrigin {
  std::string name;
  Digest digest;  // of its stored bytes

  friend bool operator==(const MaskOrigin&, const MaskOrigin&) = default;
};

// What the masks of a file are.
enum class MaskArrangement {
  labels,      // one array; what its labels stand for is known elsewhere, or it is one mask
  findings,    // one channel a finding, without names
  structures,  // masks with names
};

// What is known of a file of masks before its voxels are read.
struct MaskHead {
  MaskArrangement arrangement = MaskArrangement::labels;
  ChannelShape shape;                // one channel a mask
  std::vector<ListedMask> masks;     // beside the channels
  std::vector<std::int64_t> voxels;  // beside the channels, where it is known before they are read
  std::vector<Digest> digests;       // beside the channels, of what is read of each, where it is told
  std::vector<MaskOrigin> origins;   // what the file says it was made from
  int rank = 3;                      // axes as stored: 2 and 3 have no channel axis
  std::array<std::int64_t, 4> dim{1, 1, 1, 1};  // as stored
  std::string shape_text;                       // as stored: "8 x 512 x 512 x 300"
  VoxelType type = VoxelType::uint8;            // as stored
  Affine affine;
  bool claims_place = false;  // false: nothing says where in the patient the masks lie
  bool covers_part = false;   // slices without a voxel may have been left out before, behind and between

  Grid grid() const { return {shape.extent, affine}; }
};

// A file of masks that was opened: its head is known and checked, its voxels are not read yet. One thread at
// a time.
class MaskReader {
 public:
  virtual ~MaskReader() = default;
  virtual const MaskHead& head() const = 0;
  // Every mask, in the order of the head; call it once. What follows the masks in the file is checked, too.
  virtual Result<LabelStack> read_all() = 0;
  // One of them, without those beside it where the format can; any number of times, and not after read_all.
  virtual Result<LabelMap> read_one(std::size_t index) = 0;
};

// Reads all masks when the first one is asked for: for formats whose masks cannot be told apart before.
class WholeMaskReader : public MaskReader {
 public:
  Result<LabelMap> read_one(std::size_t index) final;

 private:
  std::optional<LabelStack> kept_;
};

// Where a file of masks is read from.
struct MaskSource {
  StoredFile file;                           // in order; without bytes where there are places
  std::shared_ptr<const ByteSource> places;  // the same bytes anywhere; none of what comes in order alone
};

// The bytes of a source anywhere: its own, or all of its stream in memory. Refuses more than `most`.
Result<std::shared_ptr<const ByteSource>> anywhere(MaskSource source, std::uint64_t most);

}  // namespace fiducial
