#include "fiducial/wire/runs_container.h"

#include <algorithm>
#include <limits>

#include "fiducial/base/number_text.h"
#include "fiducial/wire/varint.h"

namespace fiducial::wire {

namespace {

constexpr std::string_view magic = "FRUN";
constexpr std::uint8_t version = 1;
constexpr std::uint8_t entities_flag = 1;
constexpr std::size_t head_bytes = 24;
constexpr std::size_t entry_bytes = 24;
constexpr std::int64_t longest_side = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t most_voxels = std::numeric_limits<std::uint32_t>::max();

template <typename T>
void append(Bytes& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof(T));
  store(std::span(out), at, value);
}

Outcome check_extent(const Extent& extent) {
  for (int axis = 0; axis < 3; ++axis) {
    if (extent[axis] < 1 || extent[axis] > longest_side)
      return invalid_data("an extent of " + extent.text() + " voxels; a side has 1 to 65535");
  }
  const auto slice = static_cast<std::uint64_t>(extent.x) * static_cast<std::uint64_t>(extent.y);
  if (slice * static_cast<std::uint64_t>(extent.z) > most_voxels)
    return invalid_data("an extent of " + extent.text() + " voxels; all together have at most 2^32 - 1");
  return done();
}

// The half-open box around runs; zeros around none.
class Box {
 public:
  void take(std::int64_t x0, std::int64_t x1, std::int64_t y, std::int64_t z) {
    low_ = {std::min(low_[0], x0), std::min(low_[1], y), std::min(low_[2], z)};
    high_ = {std::max(high_[0], x1), std::max(high_[1], y + 1), std::max(high_[2], z + 1)};
  }
  std::array<std::uint16_t, 6> sides() const {
    std::array<std::uint16_t, 6> out{};
    if (high_[0] == 0) return out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      out.at(2 * axis) = static_cast<std::uint16_t>(low_.at(axis));
      out.at(2 * axis + 1) = static_cast<std::uint16_t>(high_.at(axis));
    }
    return out;
  }

 private:
  std::array<std::int64_t, 3> low_{longest_side, longest_side, longest_side};
  std::array<std::int64_t, 3> high_{0, 0, 0};
};

// One mask, ready to be put behind the others.
struct Packed {
  std::uint32_t runs = 0;
  Bytes payload;
  Box box;
};

Result<Packed> packed(const LabelMap& labels, bool with_entities) {
  Packed out;
  const Extent& extent = labels.extent();
  std::uint64_t end = 0;
  const auto runs = labels.runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    LabelRun run = runs[i];
    if (with_entities && run.label < 0)
      return invalid_data("label " + decimal(run.label) + "; entities are numbered from 1");
    while (!with_entities && i + 1 < runs.size() && runs[i + 1].row == run.row &&
           runs[i + 1].begin == run.end)
      run.end = runs[++i].end;
    const auto first = static_cast<std::uint64_t>(run.row) * static_cast<std::uint64_t>(extent.x) +
                       static_cast<std::uint64_t>(run.begin);
    const auto length = static_cast<std::uint64_t>(run.end - run.begin);
    append_varint(out.payload, first - end);
    append_varint(out.payload, length);
    if (with_entities) append_varint(out.payload, static_cast<std::uint64_t>(run.label));
    end = first + length;
    out.box.take(run.begin, run.end, run.row % extent.y, run.row / extent.y);
    ++out.runs;
  }
  return out;
}

}  // namespace

Result<Bytes> encode_runs(const Extent& extent, std::span<const NumberedMask> masks, bool with_entities) {
  FIDUCIAL_TRY_DONE(check_extent(extent));
  Bytes out;
  for (const char c : magic) out.push_back(static_cast<std::byte>(c));
  append(out, version);
  append(out, with_entities ? entities_flag : std::uint8_t{0});
  append(out, std::uint16_t{0});
  for (int axis = 0; axis < 3; ++axis) append(out, static_cast<std::uint32_t>(extent[axis]));
  append(out, static_cast<std::uint32_t>(masks.size()));
  std::vector<Bytes> payloads;
  for (const NumberedMask& mask : masks) {
    if (mask.labels->extent() != extent)
      return invalid_data("a mask of " + mask.labels->extent().text() + " voxels among those of " +
                          extent.text());
    FIDUCIAL_TRY(Packed mine, packed(*mask.labels, with_entities));
    append(out, mask.id);
    append(out, static_cast<std::uint32_t>(mine.payload.size()));
    append(out, mine.runs);
    for (const std::uint16_t side : mine.box.sides()) append(out, side);
    payloads.push_back(std::move(mine.payload));
  }
  for (const Bytes& payload : payloads) out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

namespace {

struct Entry {
  std::uint32_t id = 0;
  std::uint32_t payload_bytes = 0;
  std::uint32_t runs = 0;
  std::array<std::uint16_t, 6> box{};
};

class Decoder {
 public:
  explicit Decoder(ByteView bytes) : bytes_(bytes), rest_(bytes) {}

  Result<ReadRuns> decode() {
    FIDUCIAL_TRY(const std::uint32_t count, read_head());
    std::vector<Entry> entries;
    entries.reserve(count);
    std::uint64_t runs = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      entries.push_back(read_entry());
      runs += entries.back().runs;
    }
    if (runs > max_container_runs)
      return at("promises " + decimal(runs) + " runs; at most " + decimal(max_container_runs) + " are read");
    for (const Entry& entry : entries) {
      FIDUCIAL_TRY(LabelMap labels, read_mask(entry));
      out_.masks.push_back({entry.id, std::move(labels)});
    }
    if (!rest_.empty()) return at("more bytes than the masks have");
    return std::move(out_);
  }

 private:
  template <typename T>
  T take() {
    const T value = load<T>(rest_, 0);
    rest_ = rest_.subspan(sizeof(T));
    return value;
  }

  Error at(std::string message) const {
    return {ErrorCode::invalid_data, "runs container: " + std::move(message),
            Place{.path = {}, .byte = bytes_.size() - rest_.size(), .line = {}, .pointer = {}}};
  }

  Result<std::uint32_t> read_head() {
    if (rest_.size() < head_bytes || as_text(rest_.first(magic.size())) != magic)
      return at("does not begin as one");
    rest_ = rest_.subspan(magic.size());
    if (const auto found = take<std::uint8_t>(); found != version)
      return at("version " + decimal(found) + "; this reader knows 1");
    const auto flags = take<std::uint8_t>();
    if ((flags & ~entities_flag) != 0 || take<std::uint16_t>() != 0) return at("unknown flags");
    out_.has_entities = flags != 0;
    out_.extent.x = take<std::uint32_t>();
    out_.extent.y = take<std::uint32_t>();
    out_.extent.z = take<std::uint32_t>();
    FIDUCIAL_TRY_DONE(check_extent(out_.extent));
    const auto count = take<std::uint32_t>();
    if (count > rest_.size() / entry_bytes) return at("ends within its table of masks");
    return count;
  }

  Entry read_entry() {
    Entry out;
    out.id = take<std::uint32_t>();
    out.payload_bytes = take<std::uint32_t>();
    out.runs = take<std::uint32_t>();
    for (std::uint16_t& side : out.box) side = take<std::uint16_t>();
    return out;
  }

  Result<LabelMap> read_mask(const Entry& entry) {
    if (entry.payload_bytes > rest_.size()) return at("ends within a mask");
    const ByteView behind = rest_.subspan(entry.payload_bytes);
    // A run has two bytes at least.
    if (entry.runs > entry.payload_bytes / 2) return at("promises more runs than its bytes can hold");
    std::vector<LabelRun> runs;
    runs.reserve(entry.runs);
    Box box;
    std::uint64_t end = 0;
    ByteView payload = rest_.first(entry.payload_bytes);
    for (std::uint32_t i = 0; i < entry.runs; ++i) {
      FIDUCIAL_TRY(const LabelRun run, read_run(payload, end));
      const bool touches = !runs.empty() && runs.back().row == run.row && runs.back().end == run.begin;
      if (touches && runs.back().label == run.label) return at("two runs that are one");
      box.take(run.begin, run.end, run.row % out_.extent.y, run.row / out_.extent.y);
      runs.push_back(run);
    }
    if (!payload.empty()) return at("a mask has more bytes than its runs");
    if (box.sides() != entry.box) return at("the box of a mask is not that of its runs");
    rest_ = behind;
    return LabelMap({.extent = out_.extent, .affine = {}}, std::move(runs));
  }

  // The next run behind `end`, the end of the one before.
  Result<LabelRun> read_run(ByteView& payload, std::uint64_t& end) {
    const auto gap = take_varint(payload);
    const auto length = gap ? take_varint(payload) : std::nullopt;
    const auto entity = !length ? std::nullopt : out_.has_entities ? take_varint(payload) : std::optional(1U);
    rest_ = {payload.data(), static_cast<std::size_t>(bytes_.data() + bytes_.size() - payload.data())};
    if (!entity) return at("ends within a run, or a number is written wrongly");
    if (*length == 0) return at("an empty run");
    if (*entity == 0 || *entity > std::numeric_limits<std::int32_t>::max())
      return at("entity " + decimal(*entity) + "; expected 1 to 2^31 - 1");
    const auto side = static_cast<std::uint64_t>(out_.extent.x);
    const std::uint64_t first = end + *gap;
    end = first + *length;
    if (end > static_cast<std::uint64_t>(out_.extent.count())) return at("a run beyond the grid");
    if (first / side != (end - 1) / side) return at("a run over the end of its row");
    return LabelRun{.row = static_cast<std::int32_t>(first / side),
                    .begin = static_cast<std::int32_t>(first % side),
                    .end = static_cast<std::int32_t>(first % side + *length),
                    .label = static_cast<std::int32_t>(*entity)};
  }

  ByteView bytes_;
  ByteView rest_;
  ReadRuns out_;
};

}  // namespace

Result<ReadRuns> decode_runs(ByteView bytes) { return Decoder(bytes).decode(); }

}  // namespace fiducial::wire
