#include "fiducial/wire/runs_container.h"

#include "fiducial/base/number_text.h"
#include "fiducial/wire/run_payload.h"

namespace fiducial::wire {

namespace {

constexpr std::string_view magic = "FRUN";
constexpr std::uint8_t version = 1;
constexpr std::uint8_t entities_flag = 1;
constexpr std::size_t head_bytes = 24;
constexpr std::size_t entry_bytes = 24;

template <typename T>
void append(Bytes& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof(T));
  store(std::span(out), at, value);
}

}  // namespace

Result<Bytes> encode_runs(const Extent& extent, std::span<const NumberedMask> masks, bool with_entities) {
  FIDUCIAL_TRY_DONE(check_payload_extent(extent));
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
    FIDUCIAL_TRY(EncodedRuns mine, encode_payload(*mask.labels, with_entities));
    append(out, mask.id);
    append(out, static_cast<std::uint32_t>(mine.bytes.size()));
    append(out, mine.about.runs);
    for (const std::uint16_t side : mine.about.box) append(out, side);
    payloads.push_back(std::move(mine.bytes));
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
    FIDUCIAL_TRY_DONE(check_payload_extent(out_.extent));
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
    Result<LabelMap> mask =
        decode_payload(rest_.first(entry.payload_bytes),
                       {.runs = entry.runs, .box = entry.box, .has_entities = out_.has_entities},
                       {.extent = out_.extent, .affine = {}});
    if (!mask.ok()) {
      rest_ = rest_.subspan(static_cast<std::size_t>(mask.error().place().byte.value_or(0)));
      return at(mask.error().message());
    }
    rest_ = rest_.subspan(entry.payload_bytes);
    return mask;
  }

  ByteView bytes_;
  ByteView rest_;
  ReadRuns out_;
};

}  // namespace

Result<ReadRuns> decode_runs(ByteView bytes) { return Decoder(bytes).decode(); }

}  // namespace fiducial::wire
