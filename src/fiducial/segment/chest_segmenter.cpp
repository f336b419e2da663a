#include "fiducial/segment/chest_segmenter.h"

#include <algorithm>
#include <array>

#include "fiducial/base/number_text.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/image/reorient.h"
#include "fiducial/segment/chest_parts.h"

namespace fiducial {

namespace {

constexpr double working_mm = 1.5;

// What was found on the coarse grid, with what is certain of it and what the fine grid decides.
struct CoarsePart {
  ChestLabel label;
  PointLattice certain;   // inside whatever a fine voxel holds
  PointLattice possible;  // inside where a fine voxel is of the right density
  int low_hu = -1024;
  int high_hu = 3071;
};

CoarsePart part_with_border(ChestLabel label, const PointLattice& bits, const Vec3& spacing_mm) {
  return {.label = label, .certain = shrunk(bits, spacing_mm, 0), .possible = grown(bits, spacing_mm, 0)};
}

// Parts in the order in which they take voxels.
std::vector<CoarsePart> coarse_parts(const HounsfieldGrid& ct, Notes& notes, std::string& sides) {
  const PointLattice trunk = trunk_of(ct);
  const PointLattice bones = bones_of(ct, trunk);
  const double midline = midline_of(ct, trunk, bones);
  PointLattice airways = airways_of(ct, trunk, midline);
  const LungSides lungs = lungs_of(ct, {.trunk = trunk, .airways = airways, .midline_x = midline});
  const PointLattice both = either_of(lungs.left, lungs.right);
  // A tube of air that leads to no lung is bowel or gullet.
  if (!airways.empty() && both_of(grown(airways, ct.spacing_mm, 5), both).empty()) {
    airways = PointLattice(ct.extent);
    notes.push_back(
        {"airways_apart", "a dark tube was found that leads to no lung; it is not taken as trachea"});
  }
  sides = lungs.detail;
  std::vector<CoarsePart> parts;
  CoarsePart trachea = part_with_border(ChestLabel::trachea, airways, ct.spacing_mm);
  trachea.high_hu = -700;
  parts.push_back(std::move(trachea));
  for (const auto& [label, bits] :
       {std::pair(ChestLabel::lung_left, &lungs.left), std::pair(ChestLabel::lung_right, &lungs.right)}) {
    CoarsePart lung = part_with_border(label, *bits, ct.spacing_mm);
    lung.possible = without(lung.possible, airways);
    lung.high_hu = lung_border_hu;
    parts.push_back(std::move(lung));
  }
  CoarsePart bone = part_with_border(ChestLabel::bone, bones, ct.spacing_mm);
  bone.low_hu = 150;
  parts.push_back(std::move(bone));
  parts.push_back({.label = ChestLabel::body, .certain = trunk, .possible = trunk});
  return parts;
}

bool bit_at(const PointLattice& bits, std::int64_t x, std::int64_t y, std::int64_t z) {
  return (bits.row(y, z)[x / PointLattice::word_bits] >> (x % PointLattice::word_bits) & 1) != 0;
}

// Labels of every voxel of the fine grid.
std::vector<std::uint8_t> refined(const HounsfieldGrid& fine, const std::vector<CoarsePart>& parts) {
  const auto block = coarsening(fine, working_mm);
  std::vector<std::uint8_t> out(fine.hu.size(), 0);
  std::size_t next = 0;
  for (std::int64_t z = 0; z < fine.extent.z; ++z) {
    for (std::int64_t y = 0; y < fine.extent.y; ++y) {
      for (std::int64_t x = 0; x < fine.extent.x; ++x, ++next) {
        const std::int64_t cx = x / block[0];
        const std::int64_t cy = y / block[1];
        const std::int64_t cz = z / block[2];
        for (const CoarsePart& part : parts) {
          if (!bit_at(part.possible, cx, cy, cz)) continue;
          const int hu = fine.hu[next];
          if (!bit_at(part.certain, cx, cy, cz) && (hu < part.low_hu || hu > part.high_hu)) continue;
          out[next] = static_cast<std::uint8_t>(part.label);
          break;
        }
      }
    }
  }
  return out;
}

struct LabelText {
  ChestLabel label;
  const char* name;
};

constexpr std::array<LabelText, 5> label_texts{{{ChestLabel::trachea, "trachea"},
                                                {ChestLabel::body, "body"},
                                                {ChestLabel::bone, "bone"},
                                                {ChestLabel::lung_left, "lung_left"},
                                                {ChestLabel::lung_right, "lung_right"}}};

std::string detail_of(ChestLabel label, std::int64_t voxels, const std::string& sides) {
  const bool lung = label == ChestLabel::lung_left || label == ChestLabel::lung_right;
  if (voxels == 0) {
    if (lung) return "not found: no aerated lung on this side of the volume";
    return label == ChestLabel::trachea
               ? "not found: no chain of round dark spots near the spine leads to a lung"
               : "not found";
  }
  if (lung) return "aerated tissue inside the trunk, without gas and airways; sides " + sides;
  if (label == ChestLabel::trachea)
    return "region growing from the trachea, threshold raised until it spills";
  if (label == ChestLabel::bone) return "at least 150 HU with 250 HU in it; bright contrast counts as bone";
  return "largest solid component, filled slice by slice; without what is labelled otherwise";
}

// Labels from one byte a voxel.
LabelMap labels_of_bytes(const Grid& grid, std::span<const std::byte> voxels) {
  std::vector<LabelRun> runs;
  const std::int64_t width = grid.extent.x;
  for (std::int64_t row = 0; row < grid.extent.rows(); ++row) {
    const std::byte* line = voxels.data() + row * width;
    for (std::int64_t x = 0; x < width;) {
      std::int64_t end = x + 1;
      while (end < width && line[end] == line[x]) ++end;
      if (line[x] != std::byte{0}) {
        runs.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(x),
                        static_cast<std::int32_t>(end), static_cast<std::int32_t>(line[x])});
      }
      x = end;
    }
  }
  return {grid, std::move(runs)};
}

// From patient axes back to those of the file.
LabelMap in_file_order(const OrientedCt& ct, const std::vector<std::uint8_t>& labels) {
  const Extent& extent = ct.grid.extent;
  NiftiHeader header;
  header.dim = {3, extent.x, extent.y, extent.z, 1, 1, 1, 1};
  header.type = VoxelType::uint8;
  NiftiImage image = NiftiImage::make(std::move(header));
  std::copy(labels.begin(), labels.end(), reinterpret_cast<std::uint8_t*>(image.bytes().data()));
  image = reoriented(image, ct.from_file.inverse());
  return labels_of_bytes(ct.file_grid, std::as_const(image).bytes());
}

}  // namespace

Result<ChestSegmentation> segment_chest(NiftiImage image) {
  FIDUCIAL_TRY(OrientedCt ct, oriented_ct(std::move(image)));
  FIDUCIAL_TRY_DONE(check_mask_extent(ct.grid.extent));
  const HounsfieldGrid coarse = coarser(ct.grid, working_mm);
  ChestSegmentation out{.labels = LabelMap(ct.file_grid), .notes = ct.notes};
  std::string sides;
  out.working_spacing_mm = coarse.spacing_mm;
  out.orientation = OrientationCode::of(ct.file_grid.affine).text();
  const std::vector<CoarsePart> parts = coarse_parts(coarse, out.notes, sides);
  out.labels = in_file_order(ct, refined(ct.grid, parts));
  std::array<std::int64_t, 256> counts{};
  for (const LabelRun& run : out.labels.runs())
    counts[static_cast<std::size_t>(run.label)] += run.end - run.begin;
  for (const LabelText& each : label_texts) {
    const std::int64_t voxels = counts[static_cast<std::size_t>(each.label)];
    out.structures.push_back({.label = each.label,
                              .name = each.name,
                              .voxels = voxels,
                              .volume_ml = static_cast<double>(voxels) * ct.grid.voxel_ml(),
                              .detail = detail_of(each.label, voxels, sides)});
  }
  return out;
}

Result<NiftiImage> encoded(const ChestSegmentation& segmentation) {
  const std::array<LabelMap, 1> one{segmentation.labels};
  return encode_labels(one, ChannelAxis::none);
}

Json ChestSegmentation::json() const {
  Json label_names = Json::Object{};
  Json found = Json::Array{};
  for (const SegmentedStructure& each : structures) {
    label_names.set(decimal(static_cast<std::int32_t>(each.label)), each.name);
    found.push(Json::object({{"label", static_cast<std::int64_t>(each.label)},
                             {"name", each.name},
                             {"found", each.voxels > 0},
                             {"voxels", each.voxels},
                             {"volume_ml", each.volume_ml},
                             {"how", each.detail}}));
  }
  Json said = Json::Array{};
  for (const Note& note : notes) said.push(Json::object({{"code", note.code}, {"text", note.text}}));
  const Extent& extent = labels.extent();
  return Json::object({{"schema", "fiducial.anatomy/1"},
                       {"method", "Hounsfield units, connected components and morphology; no weights"},
                       {"orientation", orientation},
                       {"shape", Json::array({extent.x, extent.y, extent.z})},
                       {"working_spacing_mm",
                        Json::array({working_spacing_mm[0], working_spacing_mm[1], working_spacing_mm[2]})},
                       {"labels", std::move(label_names)},
                       {"structures", std::move(found)},
                       {"notes", std::move(said)}});
}

}  // namespace fiducial
