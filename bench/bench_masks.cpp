// bench_masks make FOLDER: 210 organs of one case, which overlap as unions do, as a tar.gz archive of NIfTI
// files, a label map of those that do not, and a .fmask file of each; a CT of noise on slopes, and its index.
// bench_masks MODE FOLDER: one repetition of
//
//   one_tar, one_fmask       the structure that comes last, by its name
//   all_labels, all_fmask    every structure of the label map
//   slice_inflated, slice_indexed    the middle slice of the CT
//
// make ends with status 1 unless both ways give the same masks and voxels.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "fiducial/anatomy/mask_library.h"
#include "fiducial/anatomy/stored_masks.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/random.h"
#include "fiducial/image/gzip_index.h"
#include "fiducial/image/volume_slice.h"

#include "repetitions.h"

namespace fiducial::bench {

namespace {

constexpr Extent case_extent{512, 512, 300};
constexpr std::size_t organs = 210;
constexpr std::size_t labels = 117;  // of them, that share no voxel

const Path tar_file = "masks/masks.tar.gz";
const Path case_file = "one/case.fmask";
const Path label_file = "map/case.nii.gz";
const Path labels_file = "map_fmask/case.fmask";

std::string organ_name(std::size_t i) { return "structure " + decimal(1000 + i); }

// An ellipsoid with a rough surface.
LabelMap organ(Random& random, const Grid& grid, const std::vector<bool>* taken) {
  const double rx = 15 + static_cast<double>(random.below(50));
  const double ry = 15 + static_cast<double>(random.below(50));
  const double rz = 8 + static_cast<double>(random.below(40));
  const auto cx = static_cast<double>(70 + random.below(370));
  const auto cy = static_cast<double>(70 + random.below(370));
  const auto cz = static_cast<double>(50 + random.below(200));
  std::vector<LabelRun> runs;
  for (std::int64_t z = 0; z < grid.extent.z; ++z) {
    for (std::int64_t y = 0; y < grid.extent.y; ++y) {
      const double dz = (static_cast<double>(z) - cz) / rz;
      const double dy = (static_cast<double>(y) - cy) / ry;
      const double rest = 1 - dz * dz - dy * dy;
      if (rest <= 0) continue;
      const double half = rx * std::sqrt(rest);
      const auto begin = static_cast<std::int32_t>(cx - half) - static_cast<std::int32_t>(random.below(3));
      const auto end = static_cast<std::int32_t>(cx + half) + static_cast<std::int32_t>(random.below(3));
      const auto row = static_cast<std::int32_t>(y + grid.extent.y * z);
      if (taken != nullptr) {
        const std::size_t first = static_cast<std::size_t>(row) * 512;
        bool is_free = true;
        for (auto x = static_cast<std::size_t>(begin); x < static_cast<std::size_t>(end); ++x)
          is_free = is_free && !(*taken)[first + x];
        if (!is_free) continue;
      }
      if (begin < end) runs.push_back({row, begin, end, 1});
    }
  }
  return {grid, std::move(runs)};
}

MaskCollection drawn_organs() {
  MaskCollection out{.grid = {.extent = case_extent, .affine = {}}, .masks = {}, .origins = {}};
  out.grid.affine.m[0][0] = out.grid.affine.m[1][1] = -0.75;
  out.grid.affine.m[2][3] = -200;
  std::vector<bool> taken(static_cast<std::size_t>(case_extent.count()));
  Random random(20);
  for (std::size_t i = 0; i < organs; ++i) {
    LabelMap mask = organ(random, out.grid, i < labels ? &taken : nullptr);
    for (const LabelRun& run : mask.runs()) {
      if (i >= labels) break;
      const auto first = taken.begin() + std::ptrdiff_t{run.row} * 512;
      std::fill(first + run.begin, first + run.end, true);
    }
    out.masks.push_back(
        {{.name = organ_name(i), .id = static_cast<std::uint32_t>(i + 1), .code = {}}, std::move(mask)});
  }
  return out;
}

Outcome write_ct(const Path& path) {
  NiftiHeader header;
  header.dim = {3, case_extent.x, case_extent.y, case_extent.z, 1, 1, 1, 1};
  header.type = VoxelType::int16;
  header.set_affine({});
  NiftiImage image = NiftiImage::make(header);
  Random random(21);
  for (std::size_t i = 0; i < static_cast<std::size_t>(case_extent.count()); ++i) {
    const auto slope = static_cast<std::int64_t>(i % 512 / 4 + i / 512 % 512 / 3);
    store(image.bytes(), 2 * i,
          static_cast<std::int16_t>(slope - 1024 + static_cast<std::int64_t>(random.below(24))));
  }
  FIDUCIAL_TRY_DONE(write_nifti(path, image, 6));
  FIDUCIAL_TRY_DONE(write_gzip_index(path, true));
  return done();
}

// The structures of a case that are wanted; none means all.
Result<CaseMasks> read_case(const Path& library, const std::vector<std::string>& wanted) {
  FIDUCIAL_TRY(MaskLibrary opened, MaskLibrary::open(library));
  return opened.read_case("case", std::nullopt, wanted);
}

Result<std::vector<float>> read_slice(const Path& ct, bool indexed) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(ct));
  const std::uint64_t size = file->size();
  FIDUCIAL_TRY(NiftiStream stream,
               indexed ? NiftiStream::open(ct) : NiftiStream::open(std::move(file), size));
  const PlanePlace middle{.axis = 2, .index = case_extent.z / 2};
  FIDUCIAL_TRY(std::vector<VolumePlane> planes, read_volume_planes(stream, {&middle, 1}));
  return std::move(planes.front().values);
}

bool repeat(std::string_view mode, const Path& folder) {
  const std::vector<std::string> last{organ_name(organs - 1)};
  const auto has = [](const Result<CaseMasks>& masks, std::size_t count) {
    return masks.ok() && masks->names().size() == count;
  };
  if (mode == "one_tar") return has(read_case(folder / tar_file, last), 1);
  if (mode == "one_fmask") return has(read_case(folder / case_file, last), 1);
  if (mode == "all_labels") return has(read_case(folder / label_file, {}), labels);
  if (mode == "all_fmask") return has(read_case(folder / labels_file, {}), labels);
  if (mode == "slice_inflated") return read_slice(folder / "ct.nii.gz", false).ok();
  if (mode == "slice_indexed") return read_slice(folder / "ct.nii.gz", true).ok();
  return false;
}

Result<bool> is_equal(const Path& folder) {
  const std::string last = organ_name(organs - 1);
  FIDUCIAL_TRY(const CaseMasks tar, read_case(folder / tar_file, {last}));
  FIDUCIAL_TRY(const CaseMasks one, read_case(folder / case_file, {last}));
  bool same = tar.resolve(last).mask && tar.resolve(last).mask->runs().size() > 0 &&
              std::ranges::equal(tar.resolve(last).mask->runs(), one.resolve(last).mask->runs());
  FIDUCIAL_TRY(const CaseMasks map, read_case(folder / label_file, {}));
  FIDUCIAL_TRY(const CaseMasks all, read_case(folder / labels_file, {}));
  for (const std::string& name : map.names())
    same = same && std::ranges::equal(map.resolve(name).mask->runs(), all.resolve(name).mask->runs());
  FIDUCIAL_TRY(const std::vector<float> inflated, read_slice(folder / "ct.nii.gz", false));
  FIDUCIAL_TRY(const std::vector<float> indexed, read_slice(folder / "ct.nii.gz", true));
  return same && inflated == indexed;
}

Result<bool> make(const Path& folder) {
  for (const Path& file : {tar_file, case_file, label_file, labels_file})
    std::filesystem::create_directories(folder / file.parent_path());
  MaskCollection masks = drawn_organs();
  // The archive's folder is named like the file: that is the case's name.
  FIDUCIAL_TRY_DONE(write_stored_masks(masks, {.path = folder / "case.tar.gz", .overwrite = true}));
  std::filesystem::rename(folder / "case.tar.gz", folder / tar_file);
  FIDUCIAL_TRY_DONE(write_stored_masks(masks, {.path = folder / case_file, .overwrite = true}));
  masks.masks.erase(masks.masks.begin() + labels, masks.masks.end());
  FIDUCIAL_TRY_DONE(write_stored_masks(masks, {.path = folder / label_file, .overwrite = true}));
  FIDUCIAL_TRY_DONE(write_stored_masks(masks, {.path = folder / labels_file, .overwrite = true}));
  FIDUCIAL_TRY_DONE(write_ct(folder / "ct.nii.gz"));
  return is_equal(folder);
}

int run(std::string_view mode, const Path& folder) {
  if (mode == "make") {
    const Result<bool> made = make(folder);
    if (!made.ok()) std::fputs((made.error().text() + "\n").c_str(), stderr);
    return made.ok() && *made ? 0 : 1;
  }
  return answer_repetitions([&]() -> std::optional<Took> {
    bool good = false;
    const Took took = timed([&] { good = repeat(mode, folder); });
    return good ? std::optional(took) : std::nullopt;
  });
}

}  // namespace

}  // namespace fiducial::bench

int main(int argc, char** argv) {
  if (argc == 3) return fiducial::bench::run(argv[1], argv[2]);
  std::fputs("usage: bench_masks make|MODE FOLDER\n", stderr);
  return 2;
}
