// bench_challenge FOLDER CASES [SLICES FINDINGS ENTITIES COMPONENTS]: many cases as `fiducial score` reads
// them.
//
// Without the last four every case is drawn after the benchmark's published statistics: 172 to 568 slices
// with a median of 346, 1 to 8 findings a case and 582 in 300, their categories, 1 to 36 entities a finding.
// With them every case has just so many: slices, findings, entities of each finding, and further components
// of each prediction that match nothing. An earlier folder is kept.
//
// A slice without findings is compressed once and repeated: each slice ends in a full flush, after which
// compressed data does not look back, so files of hundreds of megabytes cost what their findings cost.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <zlib.h>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/image/nifti_header.h"

namespace fiducial::bench {

namespace {

constexpr std::int64_t width = 512;
constexpr const char* cases_file = "dataset.json";

// What every case of a folder has; unset: as published.
struct Sizes {
  std::int64_t slices = 0;
  std::int64_t findings = 0;
  std::int64_t entities = 0;
  std::int64_t components = 0;
};

struct Ellipsoid {
  double centre[3];
  double radii[3];
  std::uint8_t label = 1;
};
using Finding = std::vector<Ellipsoid>;

// Findings of the challenge's test split by category.
struct CategoryCount {
  const char* code;
  int count;
};
constexpr CategoryCount published_categories[] = {
    {"1a", 6},  {"1b", 11}, {"1c", 27},  {"1d", 9},  {"1e", 16}, {"1f", 4}, {"2a", 113},
    {"2b", 89}, {"2c", 87}, {"2d", 190}, {"2e", 27}, {"2g", 1},  {"2h", 2}};

std::string drawn_category(Random& random) {
  std::int64_t left = random.between(0, 581);
  for (const CategoryCount& category : published_categories) {
    left -= category.count;
    if (left < 0) return category.code;
  }
  return "2d";
}

// Half of the scans below the median of 346, half above.
std::int64_t drawn_slices(Random& random) {
  return random.below(2) == 0 ? random.between(172, 346) : random.between(346, 568);
}

// A mean of 3.8, as published for the validation and test splits.
std::int64_t drawn_entities(Random& random) {
  const double share = random.uniform();
  if (share < 0.42) return 1;
  if (share < 0.62) return 2;
  if (share < 0.78) return 3;
  return share < 0.93 ? random.between(4, 8) : random.between(9, 36);
}

// 582 findings in 300 cases, at most 8 in one.
std::vector<std::int64_t> drawn_findings(Random& random, std::int64_t cases) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(cases), 1);
  for (std::int64_t left = cases * 582 / 300 - cases; left > 0;) {
    std::int64_t& count = out[random.below(out.size())];
    if (count == 8) continue;
    ++count;
    --left;
  }
  return out;
}

// Radii from 2 to 36 voxels, small ones as often as large ones: 85,000 voxels a finding on average.
Ellipsoid drawn_entity(Random& random, std::int64_t slices, std::int64_t label) {
  Ellipsoid out{};
  const double extents[] = {width, width, static_cast<double>(slices)};
  const double radius = 2 * std::exp2(random.uniform(0, 4.17));
  for (int axis = 0; axis < 3; ++axis) {
    out.radii[axis] = radius * random.uniform(0.7, 1.3);
    out.centre[axis] = random.uniform(0.1, 0.9) * extents[axis];
  }
  out.label = static_cast<std::uint8_t>(label);
  return out;
}

// What a fair model makes of a finding: most entities a little beside their place, some not at all.
Finding predicted(Random& random, const Finding& reference) {
  Finding out;
  for (Ellipsoid entity : reference) {
    if (random.uniform() < 0.25) continue;
    for (int axis = 0; axis < 3; ++axis)
      entity.centre[axis] += random.uniform(-0.3, 0.3) * entity.radii[axis];
    entity.label = 1;
    out.push_back(entity);
  }
  return out;
}

// Balls of 33 voxels on a lattice, too far from each other to touch.
void add_components(Finding& prediction, std::int64_t count, std::int64_t slices) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto step = [](std::int64_t n) { return static_cast<double>(4 + 8 * n); };
    const std::int64_t layers = std::max<std::int64_t>(1, slices / 8 - 1);
    prediction.push_back(
        {{step(i / layers % 63), step(i / layers / 63 % 63), step(i % layers)}, {2, 2, 2}, 1});
  }
}

struct Drawn {
  std::string name;
  std::int64_t slices = 0;
  std::vector<Finding> reference;
  std::vector<Finding> prediction;
  std::vector<std::string> categories;
};

Drawn drawn_case(std::int64_t index, std::int64_t findings, const std::optional<Sizes>& sizes) {
  Random random(static_cast<std::uint64_t>(index), "challenge");
  Drawn out{.name = "train_" + decimal(index + 1) + "_a_1.nii.gz",
            .slices = sizes ? sizes->slices : drawn_slices(random)};
  for (std::int64_t f = 0; f < findings; ++f) {
    const std::int64_t entities = sizes ? sizes->entities : drawn_entities(random);
    Finding reference;
    for (std::int64_t e = 0; e < entities; ++e) reference.push_back(drawn_entity(random, out.slices, e + 1));
    Finding prediction = predicted(random, reference);
    const std::int64_t usual = random.between(0, 6);
    add_components(prediction, sizes ? sizes->components : usual, out.slices);
    out.reference.push_back(std::move(reference));
    out.prediction.push_back(std::move(prediction));
    out.categories.push_back(drawn_category(random));
  }
  return out;
}

// A gzip file made of pieces that end in a full flush.
class GzipPieces {
 public:
  struct Piece {
    std::string compressed;
    uLong crc = 0;
    std::size_t bytes = 0;
  };

  static Piece compressed(const std::vector<std::uint8_t>& content) {
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    Piece out;
    out.compressed.resize(deflateBound(&stream, content.size()) + 16);
    stream.next_in = const_cast<Bytef*>(content.data());
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.compressed.data());
    stream.avail_out = static_cast<uInt>(out.compressed.size());
    deflate(&stream, Z_FULL_FLUSH);
    out.compressed.resize(stream.total_out);
    deflateEnd(&stream);
    out.crc = crc32(0, content.data(), static_cast<uInt>(content.size()));
    out.bytes = content.size();
    return out;
  }

  void add(const Piece& piece) {
    text_ += piece.compressed;
    crc_ = crc32_combine(crc_, piece.crc, static_cast<z_off_t>(piece.bytes));
    bytes_ += piece.bytes;
  }

  std::string file() const {
    std::string out("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    out += text_;
    out += std::string("\x03\0", 2);  // an empty last block
    for (const std::uint64_t value : {std::uint64_t{crc_}, std::uint64_t{bytes_}}) {
      for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xFF);
    }
    return out;
  }

 private:
  std::string text_;
  uLong crc_ = crc32(0, nullptr, 0);
  std::size_t bytes_ = 0;
};

// Paints one slice of one ellipsoid; the first label at a voxel stays. Whether anything was painted.
bool paint(std::vector<std::uint8_t>& slice, const Ellipsoid& what, std::int64_t z, std::size_t finding,
           std::size_t findings) {
  const double dz = (static_cast<double>(z) - what.centre[2]) / what.radii[2];
  if (dz * dz > 1) return false;
  const double y_reach = what.radii[1] * std::sqrt(1 - dz * dz);
  const auto clamped = [](double at) {
    return std::clamp(static_cast<std::int64_t>(at), std::int64_t{0}, width);
  };
  bool any = false;
  for (std::int64_t y = clamped(std::ceil(what.centre[1] - y_reach));
       y < clamped(what.centre[1] + y_reach + 1); ++y) {
    const double dy = (static_cast<double>(y) - what.centre[1]) / what.radii[1];
    const double x_reach = what.radii[0] * std::sqrt(std::max(0.0, 1 - dz * dz - dy * dy));
    const std::int64_t end = clamped(what.centre[0] + x_reach + 1);
    for (std::int64_t x = clamped(std::ceil(what.centre[0] - x_reach)); x < end; ++x) {
      std::uint8_t& voxel = slice[static_cast<std::size_t>(x + width * y) * findings + finding];
      if (voxel == 0) voxel = what.label;
      any = true;
    }
  }
  return any;
}

Outcome write_masks(const Path& path, const std::vector<Finding>& findings, std::int64_t slices) {
  NiftiHeader header;
  header.dim = {4, static_cast<std::int64_t>(findings.size()), width, width, slices, 1, 1, 1};
  header.set_affine(Affine(), 2);
  GzipPieces out;
  const Bytes front = nifti_header_bytes(header);
  const auto* first = reinterpret_cast<const std::uint8_t*>(front.data());
  out.add(GzipPieces::compressed({first, first + front.size()}));
  std::vector<std::uint8_t> slice(static_cast<std::size_t>(width * width) * findings.size());
  const GzipPieces::Piece empty = GzipPieces::compressed(slice);
  for (std::int64_t z = 0; z < slices; ++z) {
    bool any = false;
    for (std::size_t f = 0; f < findings.size(); ++f) {
      for (const Ellipsoid& one : findings[f]) any = paint(slice, one, z, f, findings.size()) || any;
    }
    out.add(any ? GzipPieces::compressed(slice) : empty);
    if (any) std::fill(slice.begin(), slice.end(), std::uint8_t{0});
  }
  return write_file(path, out.file());
}

Json entry_of(const Drawn& drawn) {
  Json texts = Json(Json::Object{});
  Json entities = Json(Json::Object{});
  Json categories = Json(Json::Object{});
  for (std::size_t f = 0; f < drawn.reference.size(); ++f) {
    texts.set(decimal(f), "A generated finding.");
    entities.set(decimal(f), static_cast<std::int64_t>(drawn.reference[f].size()));
    categories.set(decimal(f), drawn.categories[f]);
  }
  return Json::object({{"name", drawn.name},
                       {"findings", std::move(texts)},
                       {"entity_counts", std::move(entities)},
                       {"shape", Json::array({width, width, drawn.slices})},
                       {"categories", std::move(categories)}});
}

Outcome make_cases(const Path& target, std::int64_t cases, const std::optional<Sizes>& sizes) {
  if (std::filesystem::exists(target / cases_file)) return done();
  std::error_code failed;
  std::filesystem::create_directories(target.parent_path(), failed);
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(target, cases_file, true));
  for (const char* side : {"segmentations", "predictions"})
    std::filesystem::create_directories(folder.staging() / side, failed);
  Random random(1, "findings of cases");
  std::vector<std::int64_t> findings = drawn_findings(random, cases);
  if (sizes) findings.assign(findings.size(), sizes->findings);
  Json entries = Json(Json::Array{});
  for (std::int64_t i = 0; i < cases; ++i) {
    const Drawn drawn = drawn_case(i, findings[static_cast<std::size_t>(i)], sizes);
    FIDUCIAL_TRY_DONE(
        write_masks(folder.staging() / "segmentations" / drawn.name, drawn.reference, drawn.slices));
    FIDUCIAL_TRY_DONE(
        write_masks(folder.staging() / "predictions" / drawn.name, drawn.prediction, drawn.slices));
    entries.push(entry_of(drawn));
  }
  FIDUCIAL_TRY_DONE(
      write_file(folder.staging() / cases_file, Json::object({{"test", std::move(entries)}}).pretty()));
  return folder.publish();
}

int run(const std::vector<std::string>& words) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 1; i < words.size(); ++i) numbers.push_back(parse_integer(words[i]).value_or(-1));
  const bool good = (numbers.size() == 1 || numbers.size() == 5) && numbers[0] >= 1 &&
                    std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n >= 0; });
  if (!good) {
    std::fputs("usage: bench_challenge FOLDER CASES [SLICES FINDINGS ENTITIES COMPONENTS]\n", stderr);
    return 2;
  }
  std::optional<Sizes> sizes;
  if (numbers.size() == 5) sizes = {numbers[1], numbers[2], numbers[3], numbers[4]};
  const Outcome outcome = make_cases(words[0], numbers[0], sizes);
  if (outcome.ok()) return 0;
  std::fputs((outcome.error().text() + "\n").c_str(), stderr);
  return 1;
}

}  // namespace

}  // namespace fiducial::bench

int main(int argc, char** argv) { return fiducial::bench::run({argv + 1, argv + argc}); }
