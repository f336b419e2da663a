#include <algorithm>
#include <utility>

#include "fiducial/base/case_budget.h"
#include "fiducial/base/deflate.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/masks/fmask_index.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {

MaskFormat fmask_mask_format();

namespace fmask {

namespace {

// What is read of the end of a file at once: the index of some hundred masks, so that one of them costs two
// reads.
constexpr std::uint64_t tail_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t most_bytes_in_order = std::uint64_t{2} << 30;

Result<Bytes> bytes_at(const ByteSource& source, std::uint64_t offset, std::uint64_t count) {
  Bytes out(static_cast<std::size_t>(count));
  FIDUCIAL_TRY(const std::size_t got, source.read_at(offset, out));
  if (got == out.size()) return out;
  return Error(ErrorCode::invalid_data, "fmask: the file ends early", Place{.byte = offset + got});
}

MaskHead head_of(const Index& index) {
  MaskHead out{.arrangement = index.arrangement,
               .shape = {static_cast<std::int64_t>(index.masks.size()), index.grid.extent},
               .masks = {},
               .voxels = {},
               .digests = {},
               .origins = index.origins,
               .affine = index.grid.affine,
               .claims_place = index.claims_place};
  std::int32_t greatest = 1;
  for (const Entry& entry : index.masks) {
    out.masks.push_back(entry.about);
    out.voxels.push_back(entry.voxels);
    out.digests.push_back(entry.digest);
    greatest = std::max(greatest, entry.greatest);
  }
  const Extent& extent = index.grid.extent;
  const bool is_one = index.arrangement == MaskArrangement::labels;
  out.rank = is_one ? 3 : 4;
  out.dim = is_one ? std::array<std::int64_t, 4>{extent.x, extent.y, extent.z, 1}
                   : std::array<std::int64_t, 4>{out.shape.channels, extent.x, extent.y, extent.z};
  out.shape_text = (is_one ? "" : decimal(out.shape.channels) + " x ") + extent.text();
  out.type = greatest <= 255 ? VoxelType::uint8 : greatest <= 65535 ? VoxelType::uint16 : VoxelType::int32;
  return out;
}

class FmaskMasks final : public MaskReader {
 public:
  FmaskMasks(std::shared_ptr<const ByteSource> source, Index index)
      : source_(std::move(source)), index_(std::move(index)), head_(head_of(index_)) {}

  const MaskHead& head() const override { return head_; }

  Result<LabelMap> read_one(std::size_t index) override {
    FIDUCIAL_ASSERT(index < index_.masks.size());
    const Entry& entry = index_.masks[index];
    const auto broken = [&entry](const Error& error) {
      return Error(ErrorCode::integrity, "mask \"" + entry.about.name + "\": " + error.message(),
                   Place{.byte = entry.offset});
    };
    FIDUCIAL_TRY(const Bytes stored, bytes_at(*source_, entry.offset, entry.stored));
    const Result<Bytes> payload = zlib_inflated(stored, static_cast<std::size_t>(entry.bytes));
    if (!payload.ok()) return broken(payload.error());
    if (sha256(*payload) != entry.digest)
      return broken(invalid_data("its bytes are not those that the index has the SHA-256 of"));
    Result<LabelMap> mask = wire::decode_payload(*payload, entry.payload, index_.grid);
    if (!mask.ok()) return broken(mask.error());
    if (mask->count() != entry.voxels)
      return broken(invalid_data("the index has " + decimal(entry.voxels) + " voxels, its runs " +
                                 decimal(mask->count())));
    if (entry.greatest > 0 && mask->labels().back() != entry.greatest)
      return broken(invalid_data("the index has entities up to " + decimal(entry.greatest)));
    return mask;
  }

  Result<LabelStack> read_all() override {
    const std::int64_t most = CaseBudget::limits().runs;
    std::int64_t runs = 0;
    for (const Entry& entry : index_.masks) runs += entry.payload.runs;
    if (runs > most)
      return invalid_data("masks of " + decimal(runs) + " runs; at most " + decimal(most) +
                          " are read (--max-runs)");
    LabelStack out{.grid = index_.grid, .channels = {}, .values = {}, .notes = {}};
    out.channels.reserve(index_.masks.size());
    for (std::size_t i = 0; i < index_.masks.size(); ++i) {
      FIDUCIAL_TRY(LabelMap mask, read_one(i));
      out.values.foreground += index_.masks[i].voxels;
      if (!mask.empty()) out.values.greatest = std::max({out.values.greatest, index_.masks[i].greatest, 1});
      out.channels.push_back(std::move(mask));
    }
    return out;
  }

 private:
  std::shared_ptr<const ByteSource> source_;
  Index index_;
  MaskHead head_;
};

Result<std::unique_ptr<MaskReader>> open(MaskSource from) {
  FIDUCIAL_TRY(std::shared_ptr<const ByteSource> source, anywhere(std::move(from), most_bytes_in_order));
  const std::uint64_t size = source->size();
  const std::uint64_t tail_size = std::min(size, tail_bytes);
  FIDUCIAL_TRY(const Bytes tail, bytes_at(*source, size - tail_size, tail_size));
  FIDUCIAL_TRY(const Footer footer, parse_footer(tail, size));
  const std::uint64_t behind = footer_bytes + footer.index_stored;
  Bytes stored;
  if (behind <= tail_size) {
    const ByteView index = ByteView(tail).last(static_cast<std::size_t>(behind)).first(footer.index_stored);
    stored.assign(index.begin(), index.end());
  } else {
    FIDUCIAL_TRY(stored, bytes_at(*source, footer.index_offset, footer.index_stored));
  }
  const Place place{.byte = footer.index_offset};
  const Result<Bytes> text = zlib_inflated(stored, footer.index_bytes);
  if (!text.ok()) return Error(ErrorCode::integrity, "fmask: the index: " + text.error().message(), place);
  if (sha256(*text) != footer.index_digest)
    return Error(ErrorCode::integrity, "fmask: the index is not the one that the footer has the SHA-256 of",
                 place);
  FIDUCIAL_TRY(Index index, parse_index(as_text(*text), footer.index_offset));
  return {std::make_unique<FmaskMasks>(std::move(source), std::move(index))};
}

bool needs_entities(const LabelMap& labels) {
  return std::ranges::any_of(labels.runs(), [](const LabelRun& run) { return run.label != 1; });
}

Result<Bytes> encode(const MaskCollection& masks, std::string_view /*file_name*/) {
  FIDUCIAL_TRY_DONE(wire::check_payload_extent(masks.grid.extent));
  Index index{.arrangement = masks.arrangement,
              .grid = masks.grid,
              .claims_place = masks.claims_place,
              .masks = {},
              .origins = masks.origins};
  Bytes out(as_bytes(magic).begin(), as_bytes(magic).end());
  for (const MaskCollection::Member& member : masks.masks) {
    if (member.labels.extent() != masks.grid.extent)
      return invalid_data("mask \"" + member.about.name + "\" has " + member.labels.extent().text() +
                          " voxels among masks of " + masks.grid.extent.text());
    Result<wire::EncodedRuns> runs = wire::encode_payload(member.labels, needs_entities(member.labels));
    if (!runs.ok()) return invalid_data("mask \"" + member.about.name + "\": " + runs.error().message());
    const Bytes stored = zlib_compressed(runs->bytes);
    const std::vector<std::int32_t> labels = member.labels.labels();
    index.masks.push_back({.about = member.about,
                           .offset = out.size(),
                           .stored = stored.size(),
                           .bytes = runs->bytes.size(),
                           .payload = runs->about,
                           .voxels = member.labels.count(),
                           .greatest = runs->about.has_entities ? labels.back() : 0,
                           .digest = sha256(runs->bytes)});
    out.insert(out.end(), stored.begin(), stored.end());
  }
  const std::string text = index_text(index);
  // What we write we must be able to read: names that clash and the like are told here.
  FIDUCIAL_TRY_DONE(parse_index(text, out.size()));
  const Bytes stored = zlib_compressed(as_bytes(text));
  const Bytes footer = footer_as_bytes({.index_offset = out.size(),
                                        .index_stored = static_cast<std::uint32_t>(stored.size()),
                                        .index_bytes = static_cast<std::uint32_t>(text.size()),
                                        .index_digest = sha256(as_bytes(text))});
  out.insert(out.end(), stored.begin(), stored.end());
  out.insert(out.end(), footer.begin(), footer.end());
  return out;
}

}  // namespace

}  // namespace fmask

MaskFormat fmask_mask_format() {
  return {.id = "fmask",
          .title = "one file of masks",
          .endings = {".fmask"},
          .begins = [](ByteView first) { return as_text(first).starts_with(fmask::magic); },
          .reads_anywhere = true,
          .open = fmask::open,
          .encode = fmask::encode};
}

}  // namespace fiducial
