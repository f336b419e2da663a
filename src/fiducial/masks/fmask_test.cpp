#include <functional>

#include <gtest/gtest.h>

#include "fiducial/base/deflate.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/masks/fmask_index.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {
namespace {

const MaskFormat& fmask_format() { return *find_mask_format("case.fmask"); }

Result<Bytes> encoded(const MaskCollection& masks) { return fmask_format().encode(masks, "case.fmask"); }

LabelMap drawn_labels(Random& random, const Grid& grid, std::int32_t greatest) {
  std::vector<LabelRun> runs;
  const Extent& extent = grid.extent;
  for (std::int32_t row = 0; row < extent.rows(); ++row) {
    std::int32_t x = 0;
    while (random.below(3) != 0) {
      x += static_cast<std::int32_t>(random.below(4));
      const auto end = static_cast<std::int32_t>(std::min<std::int64_t>(extent.x, x + random.between(1, 5)));
      if (x >= end) break;
      const auto label = static_cast<std::int32_t>(random.between(1, greatest));
      if (!runs.empty() && runs.back().row == row && runs.back().end == x && runs.back().label == label) {
        runs.back().end = end;
      } else {
        runs.push_back({row, x, end, label});
      }
      x = end;
    }
  }
  return {grid, std::move(runs)};
}

MaskCollection drawn_collection(std::uint64_t seed) {
  Random random(seed);
  MaskCollection out{
      .arrangement = seed % 2 == 0 ? MaskArrangement::structures : MaskArrangement::findings,
      .grid = {.extent = {random.between(1, 30), random.between(1, 9), random.between(1, 6)}, .affine = {}},
      .claims_place = seed % 3 != 0,
      .masks = {},
      .origins = {{"aorta.nii.gz", sha256(as_bytes("aorta"))}}};
  out.grid.affine.m[0][0] = -0.7421875;
  out.grid.affine.m[2][3] = 1.0 / 3;
  const std::int64_t count = seed % 10 == 0 ? 0 : random.between(2, 5);
  for (std::int64_t i = 0; i < count; ++i) {
    ListedMask about{.name = "mask " + decimal(i), .id = static_cast<std::uint32_t>(7 * i), .code = {}};
    if (i == 1) about.code = MaskCode{"SCT", "15825003", "Aorta \"thoracic\""};
    const std::int32_t greatest = i % 2 == 0 ? 1 : 400;
    out.masks.push_back({about, drawn_labels(random, out.grid, greatest)});
  }
  return out;
}

// A source that counts how often it is read.
class CountedSource final : public ByteSource {
 public:
  explicit CountedSource(Bytes bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) const override {
    ++reads;
    return MemorySource(bytes_).read_at(offset, out);
  }
  mutable int reads = 0;

 private:
  Bytes bytes_;
};

Result<std::unique_ptr<MaskReader>> opened(const Bytes& bytes) {
  return open_masks({.file = {std::make_unique<MemoryStream>(bytes), bytes.size()}, .places = nullptr});
}

Result<MaskCollection> collected(const Bytes& bytes) {
  FIDUCIAL_TRY(const std::unique_ptr<MaskReader> reader, opened(bytes));
  return read_collection(*reader);
}

TEST(Fmask, gives_back_what_went_in_and_the_same_bytes_again) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const MaskCollection masks = drawn_collection(seed);
    const Bytes bytes = encoded(masks).value();
    const Result<MaskCollection> read = collected(bytes);
    ASSERT_TRUE(read.ok()) << seed << ": " << read.error().text();
    EXPECT_EQ(read->arrangement, masks.arrangement);
    EXPECT_EQ(read->grid, masks.grid);
    EXPECT_EQ(read->claims_place, masks.claims_place);
    EXPECT_EQ(read->origins, masks.origins);
    ASSERT_EQ(read->masks.size(), masks.masks.size());
    for (std::size_t i = 0; i < masks.masks.size(); ++i) {
      EXPECT_EQ(read->masks[i].about, masks.masks[i].about);
      EXPECT_EQ(read->masks[i].labels, masks.masks[i].labels) << seed;
    }
    EXPECT_EQ(encoded(*read).value(), bytes) << seed;
  }
}

TEST(Fmask, costs_two_reads_for_one_mask_of_many) {
  Random random(3);
  MaskCollection masks{.grid = {.extent = {60, 50, 40}, .affine = {}}, .masks = {}, .origins = {}};
  for (std::uint32_t i = 0; i < 210; ++i)
    masks.masks.push_back({{.name = "organ_" + decimal(i), .id = i + 1, .code = {{"SCT", "1", "x"}}},
                           drawn_labels(random, masks.grid, 1)});
  Bytes bytes = encoded(masks).value();
  ASSERT_GT(bytes.size(), std::size_t{400} << 10U);
  const std::uint64_t size = bytes.size();
  const auto source = std::make_shared<CountedSource>(std::move(bytes));
  const auto reader = fmask_format().open({.file = {nullptr, size}, .places = source});
  ASSERT_TRUE(reader.ok()) << reader.error().text();
  EXPECT_EQ((*reader)->read_one(123).value(), masks.masks[123].labels);
  EXPECT_EQ(source->reads, 2);
}

TEST(Fmask, is_a_mask_file_like_any_other) {
  const MaskCollection masks = drawn_collection(11);
  Bytes bytes = encoded(masks).value();
  const std::uint64_t size = bytes.size();
  const Digest digest = sha256(bytes);
  const ChannelShape shape{static_cast<std::int64_t>(masks.masks.size()), masks.grid.extent};
  const MaskRead read = read_mask_file({std::make_unique<MemoryStream>(bytes), size}, shape);
  ASSERT_TRUE(read.mask.ok()) << read.mask.error().text();
  EXPECT_EQ(*read.digest, digest);
  ASSERT_EQ(read.mask->channels.size(), masks.masks.size());
  EXPECT_EQ(read.mask->channels.back(), masks.masks.back().labels);
  const MaskRead other =
      read_mask_file({std::make_unique<MemoryStream>(bytes), size}, ChannelShape{99, masks.grid.extent});
  EXPECT_NE(other.mask.error().text().find("the number of findings differs"), std::string::npos);
}

TEST(Fmask, refuses_every_file_that_is_cut_short) {
  const Bytes bytes = encoded(drawn_collection(8)).value();
  for (std::size_t size = fmask::magic.size(); size < bytes.size(); ++size) {
    const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const Result<MaskCollection> read = collected(part);
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_TRUE(read.error().place().byte) << read.error().text();
  }
}

TEST(Fmask, gives_the_same_masks_or_none_whichever_byte_changes) {
  const MaskCollection masks = drawn_collection(8);
  const Bytes bytes = encoded(masks).value();
  int noticed = 0;
  for (std::size_t at = fmask::magic.size(); at < bytes.size(); ++at) {
    Bytes changed = bytes;
    changed[at] ^= std::byte{0x10};
    const Result<MaskCollection> read = collected(changed);
    noticed += read.ok() ? 0 : 1;
    if (!read.ok()) continue;
    // DEFLATE has several ways to say the same.
    EXPECT_EQ(encoded(*read).value(), bytes) << "byte " << at;
  }
  EXPECT_GT(noticed, static_cast<int>(bytes.size() * 9 / 10));
}

// A file whose index was rewritten by hand, with a footer that fits it.
Bytes with_index(const Bytes& bytes, const std::function<void(std::string&)>& rewrite) {
  const fmask::Footer old = fmask::parse_footer(bytes, bytes.size()).value();
  const ByteView stored = ByteView(bytes).subspan(old.index_offset, old.index_stored);
  const Bytes plain = zlib_inflated(stored, old.index_bytes).value();
  std::string text(as_text(plain));
  rewrite(text);
  const Bytes packed = zlib_compressed(as_bytes(text));
  Bytes out(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(old.index_offset));
  out.insert(out.end(), packed.begin(), packed.end());
  const Bytes footer = fmask::footer_as_bytes({.index_offset = old.index_offset,
                                               .index_stored = static_cast<std::uint32_t>(packed.size()),
                                               .index_bytes = static_cast<std::uint32_t>(text.size()),
                                               .index_digest = sha256(as_bytes(text))});
  out.insert(out.end(), footer.begin(), footer.end());
  return out;
}

// What reading says once a text of the index of two masks is another.
std::string lie(const std::string& truth, const std::string& said) {
  const Grid grid{.extent = {10, 2, 1}, .affine = {}};
  MaskCollection masks{.grid = grid, .masks = {}, .origins = {}};
  masks.masks.push_back({{.name = "a", .id = 1, .code = {}}, LabelMap(grid, {{0, 2, 5, 1}, {1, 0, 1, 1}})});
  masks.masks.push_back({{.name = "b", .id = 2, .code = {}}, LabelMap(grid, {{0, 0, 10, 3}})});
  const Bytes bytes = with_index(encoded(masks).value(), [&](std::string& text) {
    const std::size_t at = text.find(truth);
    ASSERT_NE(at, std::string::npos) << truth << " in " << text;
    text.replace(at, truth.size(), said);
  });
  const Result<MaskCollection> read = collected(bytes);
  return read.ok() ? "taken" : read.error().text();
}

TEST(Fmask, believes_no_index_that_lies) {
  EXPECT_EQ(lie("\"voxels\":4", "\"voxels\":4"), "taken");
  for (const auto& [truth, said, why] : std::vector<std::array<std::string, 3>>{
           {"\"offset\":8", "\"offset\":9", "the bytes before it end at 8"},
           {"\"stored\":", "\"stored\":9223372036854775807, \"was\":", "expected 0 to"},
           {"\"bytes\":4", "\"bytes\":125829120", "cannot hold"},
           {"\"bytes\":4", "\"bytes\":5", "not the number of bytes"},
           {"\"bytes\":4", "\"bytes\":-4", "expected 0 to"},
           {"\"runs\":2", "\"runs\":1", "more bytes than its runs"},
           {"\"runs\":2", "\"runs\":3", "runs are not what"},
           {"\"voxels\":4", "\"voxels\":5", "its runs 4"},
           {"\"box\":[0,5,0,2,0,1]", "\"box\":[0,6,0,2,0,1]", "the box of a mask"},
           {"\"extent\":[10,2,1]", "\"extent\":[5,2,1]", "beyond the grid"},
           {"\"extent\":[10,2,1]", "\"extent\":[0,2,1]", "a side has 1 to 65535"},
           {"\"extent\":[10,2,1]", "\"extent\":[65535,65535,65535]", "at most 2^32 - 1"},
           {"\"entities\":3", "\"entities\":2", "entities up to 2"},
           {"\"name\":\"b\"", "\"name\":\"a\"", "a second mask"},
           {"\"name\":\"b\"", "\"name\":\"../b\"", "it holds a slash"},
           {"\"id\":2", "\"id\":1", "a second mask with the number"},
           {"\"arrangement\":\"structures\"", "\"arrangement\":\"labels\"", "one mask"},
           {"fiducial.fmask/1", "fiducial.fmask/2", "this reader knows"},
           {"\"placed\":true", "\"placed\":1", "true or false"},
       }) {
    const std::string found = lie(truth, said);
    EXPECT_NE(found.find(why), std::string::npos) << said << ": " << found;
  }
}

TEST(Fmask, keeps_masks_that_share_voxels_apart) {
  const Grid grid{.extent = {10, 2, 1}, .affine = {}};
  MaskCollection masks{.grid = grid, .masks = {}, .origins = {}};
  masks.masks.push_back({{.name = "lung", .id = 1, .code = {}}, LabelMap(grid, {{0, 0, 9, 1}})});
  masks.masks.push_back({{.name = "nodule", .id = 2, .code = {}}, LabelMap(grid, {{0, 4, 6, 2}})});
  const MaskCollection read = collected(encoded(masks).value()).value();
  EXPECT_EQ(read.masks[0].labels, masks.masks[0].labels);
  EXPECT_EQ(read.masks[1].labels, masks.masks[1].labels);
}

TEST(Fmask, is_not_written_with_names_that_clash) {
  const Grid grid{.extent = {10, 2, 1}, .affine = {}};
  MaskCollection masks{.grid = grid, .masks = {}, .origins = {}};
  masks.masks.push_back({{.name = "a", .id = 1, .code = {}}, LabelMap(grid)});
  masks.masks.push_back({{.name = "a", .id = 2, .code = {}}, LabelMap(grid)});
  EXPECT_NE(encoded(masks).error().text().find("a second mask \"a\""), std::string::npos);
  masks.masks[1].about = {.name = "b", .id = 2, .code = {}};
  masks.masks[1].labels = LabelMap({.extent = {9, 2, 1}, .affine = {}});
  EXPECT_NE(encoded(masks).error().text().find("among masks of"), std::string::npos);
}

}  // namespace
}  // namespace fiducial
