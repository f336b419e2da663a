#include "fiducial/wire/run_payload.h"

#include <algorithm>
#include <limits>

#include "fiducial/base/number_text.h"
#include "fiducial/wire/varint.h"

namespace fiducial::wire {

namespace {

constexpr std::int64_t longest_side = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t most_voxels = std::numeric_limits<std::uint32_t>::max();

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

class PayloadDecoder {
 public:
  PayloadDecoder(ByteView bytes, const RunPayload& promised, const Grid& grid)
      : bytes_(bytes), rest_(bytes), promised_(promised), grid_(grid) {}

  Result<LabelMap> decode() {
    // A run has two bytes at least.
    if (promised_.runs > bytes_.size() / 2) return at("promises more runs than its bytes can hold");
    std::vector<LabelRun> runs;
    runs.reserve(promised_.runs);
    Box box;
    for (std::uint32_t i = 0; i < promised_.runs; ++i) {
      FIDUCIAL_TRY(const LabelRun run, read_run());
      const bool touches = !runs.empty() && runs.back().row == run.row && runs.back().end == run.begin;
      if (touches && runs.back().label == run.label) return at("two runs that are one");
      box.take(run.begin, run.end, run.row % grid_.extent.y, run.row / grid_.extent.y);
      runs.push_back(run);
    }
    if (!rest_.empty()) return at("a mask has more bytes than its runs");
    if (box.sides() != promised_.box) return at("the box of a mask is not that of its runs");
    return LabelMap(grid_, std::move(runs));
  }

 private:
  Error at(std::string message) const {
    return {ErrorCode::invalid_data, std::move(message), Place{.byte = bytes_.size() - rest_.size()}};
  }

  // The next run behind the end of the one before.
  Result<LabelRun> read_run() {
    const auto gap = take_varint(rest_);
    const auto length = gap ? take_varint(rest_) : std::nullopt;
    const auto entity = !length                  ? std::nullopt
                        : promised_.has_entities ? take_varint(rest_)
                                                 : std::optional(1U);
    if (!entity) return at("ends within a run, or a number is written wrongly");
    if (*length == 0) return at("an empty run");
    if (*entity == 0 || *entity > std::numeric_limits<std::int32_t>::max())
      return at("entity " + decimal(*entity) + "; expected 1 to 2^31 - 1");
    const auto side = static_cast<std::uint64_t>(grid_.extent.x);
    const std::uint64_t first = end_ + *gap;
    end_ = first + *length;
    if (end_ > static_cast<std::uint64_t>(grid_.extent.count())) return at("a run beyond the grid");
    if (first / side != (end_ - 1) / side) return at("a run over the end of its row");
    return LabelRun{.row = static_cast<std::int32_t>(first / side),
                    .begin = static_cast<std::int32_t>(first % side),
                    .end = static_cast<std::int32_t>(first % side + *length),
                    .label = static_cast<std::int32_t>(*entity)};
  }

  ByteView bytes_;
  ByteView rest_;
  RunPayload promised_;
  Grid grid_;
  std::uint64_t end_ = 0;  // of the last run, in voxels
};

}  // namespace

Outcome check_payload_extent(const Extent& extent) {
  for (int axis = 0; axis < 3; ++axis) {
    if (extent[axis] < 1 || extent[axis] > longest_side)
      return invalid_data("an extent of " + extent.text() + " voxels; a side has 1 to 65535");
  }
  const auto slice = static_cast<std::uint64_t>(extent.x) * static_cast<std::uint64_t>(extent.y);
  if (slice * static_cast<std::uint64_t>(extent.z) > most_voxels)
    return invalid_data("an extent of " + extent.text() + " voxels; all together have at most 2^32 - 1");
  return done();
}

Result<EncodedRuns> encode_payload(const LabelMap& labels, bool with_entities) {
  EncodedRuns out;
  out.about.has_entities = with_entities;
  const Extent& extent = labels.extent();
  std::uint64_t end = 0;
  Box box;
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
    append_varint(out.bytes, first - end);
    append_varint(out.bytes, length);
    if (with_entities) append_varint(out.bytes, static_cast<std::uint64_t>(run.label));
    end = first + length;
    box.take(run.begin, run.end, run.row % extent.y, run.row / extent.y);
    ++out.about.runs;
  }
  out.about.box = box.sides();
  return out;
}

Result<LabelMap> decode_payload(ByteView bytes, const RunPayload& promised, const Grid& grid) {
  return PayloadDecoder(bytes, promised, grid).decode();
}

}  // namespace fiducial::wire
