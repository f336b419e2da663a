#include "fiducial/image/label_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "fiducial/base/case_budget.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::int64_t chunk_bytes = std::int64_t{512} << 10;
constexpr std::int64_t max_row_bytes = std::int64_t{256} << 20;
// Rows of a structure are crossed by its surface a few times; what changes more often than this is noise, a
// chequerboard or dust, and costs out of all proportion. Small files may have any.
constexpr std::int64_t voxels_a_run = 16;
constexpr std::int64_t runs_of_any_file = std::int64_t{1} << 18;
constexpr std::size_t read_slack = 8;  // packed voxels are loaded eight bytes at a time

bool all_zero(const std::byte* data, std::size_t count) {
  while (count >= 64) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < 64; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + i, 8);
      any |= word;
    }
    if (any != 0) return false;
    data += 64;
    count -= 64;
  }
  return std::all_of(data, data + count, [](std::byte value) { return value == std::byte{0}; });
}

// The runs of one channel while they are being found.
class RunBuilder {
 public:
  // Voxel x of the row starts a new label (0 for background).
  void change(std::int32_t row, std::int32_t x, std::int32_t label) {
    close(row, x);
    begin_ = x;
    label_ = label;
  }
  void end_row(std::int32_t row, std::int32_t width) {
    close(row, width);
    label_ = 0;
  }
  // How many more runs all channels together may have; below 0 once there were more.
  void share(std::int64_t* runs_left) { runs_left_ = runs_left; }
  std::vector<LabelRun> take() { return std::move(runs_); }

 private:
  void close(std::int32_t row, std::int32_t x) {
    if (label_ != 0 && (*runs_left_)-- > 0) runs_.push_back({row, begin_, x, label_});
  }

  std::vector<LabelRun> runs_;
  std::int64_t* runs_left_ = nullptr;
  std::int32_t begin_ = 0;
  std::int32_t label_ = 0;
};

// One row of voxels as it lies in the file.
struct RawRow {
  const std::byte* data;
  std::int32_t row;
  std::int32_t width;
  std::int32_t channels;  // values interleaved at each voxel
};

// Turns rows of one voxel type into runs.
class RowDecoder {
 public:
  virtual ~RowDecoder() = default;
  virtual Outcome decode(const RawRow& row, RunBuilder* builders) = 0;
  const LabelValueFacts& facts() const { return facts_; }

 protected:
  LabelValueFacts facts_;
};

// Unscaled bytes: up to eight channels are compared with the voxel before in one 64-bit word.
class ByteRowDecoder final : public RowDecoder {
 public:
  Outcome decode(const RawRow& row, RunBuilder* builders) override {
    for (std::int32_t first = 0; first < row.channels; first += 8) {
      decode_group(row, first, std::min(8, row.channels - first), builders + first);
    }
    return done();
  }

 private:
  void decode_group(const RawRow& row, std::int32_t first, std::int32_t count, RunBuilder* builders) {
    const std::uint64_t used = count == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * count)) - 1;
    const std::byte* at = row.data + first;
    const std::byte* const row_end = row.data + static_cast<std::ptrdiff_t>(row.width) * row.channels;
    std::uint64_t before = 0;
    for (std::int32_t x = 0; x < row.width; ++x, at += row.channels) {
      if (before == 0) {
        const std::int32_t skipped = zero_voxels({at, row_end}, row.channels);
        x += skipped;
        at += static_cast<std::ptrdiff_t>(skipped) * row.channels;
        if (x >= row.width) break;
      }
      std::uint64_t voxel = 0;
      std::memcpy(&voxel, at, 8);
      voxel &= used;
      if (voxel == before) continue;
      change(row.row, x, before ^ voxel, voxel, builders);
      before = voxel;
    }
    if (before == 0) return;
    for (std::int32_t c = 0; c < count; ++c) builders[c].end_row(row.row, row.width);
  }

  // How many whole voxels ahead are certainly zero in all channels; a multiple of 64 bytes is looked at.
  static std::int32_t zero_voxels(ByteView rest_of_row, std::int32_t channels) {
    std::size_t zero = 0;
    while (zero + 64 <= rest_of_row.size() && all_zero(rest_of_row.data() + zero, 64)) zero += 64;
    return static_cast<std::int32_t>(zero / static_cast<std::size_t>(channels));
  }

  void change(std::int32_t row, std::int32_t x, std::uint64_t changed, std::uint64_t voxel,
              RunBuilder* builders) {
    while (changed != 0) {
      const int channel = std::countr_zero(changed) / 8;
      const auto label = static_cast<std::int32_t>((voxel >> (8 * channel)) & 0xFF);
      builders[channel].change(row, x, label);
      facts_.greatest = std::max(facts_.greatest, label);
      changed &= ~(std::uint64_t{0xFF} << (8 * channel));
    }
  }
};

// Any other type, with scaling.
template <typename T>
class ValueRowDecoder final : public RowDecoder {
 public:
  explicit ValueRowDecoder(const NiftiHeader& header)
      : swapped_(header.swapped),
        scales_(header.scales()),
        slope_(header.slope),
        intercept_(header.intercept) {}

  Outcome decode(const RawRow& row, RunBuilder* builders) override {
    const ByteView bytes(
        row.data, sizeof(T) * static_cast<std::size_t>(row.width) * static_cast<std::size_t>(row.channels));
    for (std::int32_t c = 0; c < row.channels; ++c) {
      std::int32_t before = 0;
      for (std::int32_t x = 0; x < row.width; ++x) {
        const auto index = static_cast<std::size_t>(x) * static_cast<std::size_t>(row.channels) +
                           static_cast<std::size_t>(c);
        FIDUCIAL_TRY(const std::int32_t label, label_of(load<T>(bytes, index * sizeof(T), swapped_)));
        if (label == before) continue;
        builders[c].change(row.row, x, label);
        before = label;
      }
      if (before != 0) builders[c].end_row(row.row, row.width);
    }
    return done();
  }

 private:
  Result<std::int32_t> label_of(T raw) {
    if constexpr (std::is_integral_v<T>) {
      if (!scales_) return whole_label(raw);
    }
    const double value = scales_ ? static_cast<double>(raw) * slope_ + intercept_ : static_cast<double>(raw);
    if (value == 0) return 0;
    if (!std::isfinite(value)) {
      ++facts_.not_finite;
      return 0;
    }
    ++facts_.foreground;
    const double whole = std::trunc(value);
    if (whole != value) ++facts_.fractional;
    if (std::abs(whole) > std::numeric_limits<std::int32_t>::max()) return too_large(shortest(value));
    return remember(static_cast<std::int32_t>(whole));
  }

  template <typename Integer>
  Result<std::int32_t> whole_label(Integer raw) {
    if (!std::in_range<std::int32_t>(raw)) return too_large(decimal(raw));
    return remember(static_cast<std::int32_t>(raw));
  }

  std::int32_t remember(std::int32_t label) {
    facts_.least = std::min(facts_.least, label);
    facts_.greatest = std::max(facts_.greatest, label);
    return label;
  }

  static Error too_large(const std::string& value) {
    return invalid_data("voxel value " + value + " does not fit a 32-bit label");
  }

  bool swapped_;
  bool scales_;
  double slope_;
  double intercept_;
};

Result<std::unique_ptr<RowDecoder>> make_row_decoder(const NiftiHeader& header) {
  std::unique_ptr<RowDecoder> out;
  switch (header.type) {
    case VoxelType::uint8:
      if (header.scales()) return {std::make_unique<ValueRowDecoder<std::uint8_t>>(header)};
      return {std::make_unique<ByteRowDecoder>()};
    case VoxelType::int8:
      return {std::make_unique<ValueRowDecoder<std::int8_t>>(header)};
    case VoxelType::uint16:
      return {std::make_unique<ValueRowDecoder<std::uint16_t>>(header)};
    case VoxelType::int16:
      return {std::make_unique<ValueRowDecoder<std::int16_t>>(header)};
    case VoxelType::uint32:
      return {std::make_unique<ValueRowDecoder<std::uint32_t>>(header)};
    case VoxelType::int32:
      return {std::make_unique<ValueRowDecoder<std::int32_t>>(header)};
    case VoxelType::uint64:
      return {std::make_unique<ValueRowDecoder<std::uint64_t>>(header)};
    case VoxelType::int64:
      return {std::make_unique<ValueRowDecoder<std::int64_t>>(header)};
    case VoxelType::float32:
      return {std::make_unique<ValueRowDecoder<float>>(header)};
    case VoxelType::float64:
      return {std::make_unique<ValueRowDecoder<double>>(header)};
    default:
      return invalid_data("voxels of type " + std::string(to_string(header.type)) + " are no labels");
  }
}

// Reads rows in chunks of about half a megabyte, which stay in the cache between inflation and decoding.
class LabelReader {
 public:
  LabelReader(NiftiStream& stream, ChannelShape shape, ChannelAxis axis, RowDecoder& decoder)
      : stream_(stream),
        shape_(shape),
        interleaved_(axis == ChannelAxis::first ? shape.channels : 1),
        volumes_(axis == ChannelAxis::first ? 1 : shape.channels),
        row_bytes_(shape.extent.x * interleaved_ * size_bytes(stream.header().type)),
        decoder_(decoder),
        builders_(static_cast<std::size_t>(shape.channels)) {
    for (RunBuilder& builder : builders_) builder.share(&runs_left_);
  }

  Outcome read() {
    if (row_bytes_ > max_row_bytes) {
      return invalid_data("rows of " + decimal(row_bytes_) + " bytes are longer than the " +
                          decimal(max_row_bytes) + " that are read");
    }
    FIDUCIAL_TRY_DONE(check_decoded_bytes());
    runs_left_ = std::min(limits_.runs, densest_runs());
    const NiftiHeader& header = stream_.header();
    const bool zero_is_background = !header.scales() || header.intercept == 0;
    const std::int64_t rows_per_chunk = std::max<std::int64_t>(1, chunk_bytes / row_bytes_);
    Bytes chunk(static_cast<std::size_t>(rows_per_chunk * row_bytes_) + read_slack);
    for (std::int64_t volume = 0; volume < volumes_; ++volume) {
      for (std::int64_t row = 0; row < shape_.extent.rows(); row += rows_per_chunk) {
        const std::int64_t rows = std::min(rows_per_chunk, shape_.extent.rows() - row);
        FIDUCIAL_TRY_DONE(
            stream_.read_voxels(std::span(chunk).first(static_cast<std::size_t>(rows * row_bytes_))));
        for (std::int64_t i = 0; i < rows; ++i) {
          const std::byte* data = chunk.data() + i * row_bytes_;
          if (zero_is_background && all_zero(data, static_cast<std::size_t>(row_bytes_))) continue;
          FIDUCIAL_TRY_DONE(decoder_.decode(
              {data, static_cast<std::int32_t>(row + i), static_cast<std::int32_t>(shape_.extent.x),
               static_cast<std::int32_t>(interleaved_)},
              builders_.data() + volume));
        }
        FIDUCIAL_TRY_DONE(check_runs());
      }
    }
    return stream_.finish();
  }

  std::vector<LabelMap> take(const Grid& grid) {
    std::vector<LabelMap> out;
    out.reserve(builders_.size());
    for (RunBuilder& builder : builders_) out.emplace_back(grid, builder.take());
    return out;
  }

 private:
  Outcome check_decoded_bytes() const {
    const std::int64_t mib = row_bytes_ * shape_.extent.rows() / (std::int64_t{1} << 20) * volumes_;
    if (mib <= limits_.decoded_mib) return done();
    return invalid_data("voxels of " + decimal(mib) + " MiB; at most " + decimal(limits_.decoded_mib) +
                        " are decoded (--max-decoded-mib)");
  }
  Outcome check_runs() const {
    if (runs_left_ >= 0) return done();
    const bool is_dense = densest_runs() < limits_.runs;
    return invalid_data("labels change more than " + decimal(std::min(limits_.runs, densest_runs())) +
                        " times along the rows" + (is_dense ? " of " + decimal(voxels()) + " voxels" : "") +
                        ", which no mask of a structure does" + (is_dense ? "" : " (--max-runs)"));
  }
  std::int64_t voxels() const { return shape_.extent.rows() * shape_.extent.x * shape_.channels; }
  std::int64_t densest_runs() const { return std::max(runs_of_any_file, voxels() / voxels_a_run); }

  CaseLimits limits_ = CaseBudget::limits();
  std::int64_t runs_left_ = 0;
  NiftiStream& stream_;
  ChannelShape shape_;
  std::int64_t interleaved_;
  std::int64_t volumes_;
  std::int64_t row_bytes_;
  RowDecoder& decoder_;
  std::vector<RunBuilder> builders_;
};

}  // namespace

std::string ChannelShape::text() const {
  return decimal(channels) + (channels == 1 ? " finding of " : " findings of ") + extent.text();
}

Result<ChannelShape> channel_shape(const NiftiHeader& header, ChannelAxis axis) {
  const int wanted = axis == ChannelAxis::none ? 3 : 4;
  for (std::size_t i = static_cast<std::size_t>(wanted) + 1; i < 8; ++i) {
    if (header.dim[i] != 1) {
      return invalid_data("array of shape " + header.shape_text() + "; expected " + decimal(wanted) +
                          " axes");
    }
  }
  const bool is_flat = header.rank() == 2 && axis == ChannelAxis::none;  // one slice
  if (header.rank() < wanted && !is_flat) {
    return invalid_data("array of shape " + header.shape_text() + "; expected " + decimal(wanted) + " axes");
  }
  const auto& dim = header.dim;
  if (axis == ChannelAxis::first) return ChannelShape{dim[1], {dim[2], dim[3], dim[4]}};
  return ChannelShape{axis == ChannelAxis::last ? dim[4] : 1, {dim[1], dim[2], dim[3]}};
}

Result<LabelStack> decode_labels(NiftiStream& stream, ChannelAxis axis) {
  FIDUCIAL_TRY(const ChannelShape shape, channel_shape(stream.header(), axis));
  FIDUCIAL_TRY_DONE(check_mask_extent(shape.extent));
  if (shape.channels > 65536)
    return invalid_data(decimal(shape.channels) + " channels; at most 65536 are read");
  FIDUCIAL_TRY(std::unique_ptr<RowDecoder> decoder, make_row_decoder(stream.header()));
  LabelReader reader(stream, shape, axis, *decoder);
  FIDUCIAL_TRY_DONE(reader.read());
  const Grid grid{shape.extent, stream.header().affine};
  LabelStack stack{grid, reader.take(grid), decoder->facts(), stream.header().notes};
  // Whole numbers lose nothing to truncation, so the runs know their count and the fast path need not.
  if (is_integer(stream.header().type) && !stream.header().scales()) {
    for (const LabelMap& channel : stack.channels) stack.values.foreground += channel.count();
  }
  return stack;
}

}  // namespace fiducial
