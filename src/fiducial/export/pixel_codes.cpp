#include "fiducial/export/pixel_codes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::int64_t channels = 4;
constexpr std::array<int, 4> length_bits{3, 4, 8, 16};
constexpr std::uint8_t opaque = 255;
constexpr std::uint32_t half_opaque = 128;

// Bits, the highest of a byte first.
class BitWriter {
 public:
  void put(std::uint32_t value, int bits) {
    for (int bit = bits - 1; bit >= 0; --bit) {
      if (used_ % 8 == 0) bytes_.push_back(0);
      if ((value >> static_cast<unsigned>(bit) & 1U) != 0)
        bytes_.back() |= static_cast<std::uint8_t>(0x80U >> static_cast<unsigned>(used_ % 8));
      ++used_;
    }
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t used_ = 0;
};

class BitReader {
 public:
  explicit BitReader(ByteView bytes) : bytes_(bytes) {}

  Result<std::uint32_t> take(int bits) {
    if (at_ + static_cast<std::size_t>(bits) > bytes_.size() * 8)
      return invalid_data("the brush code ends in the middle of a run");
    std::uint32_t out = 0;
    for (int i = 0; i < bits; ++i, ++at_) {
      const auto byte = static_cast<std::uint32_t>(bytes_[at_ / 8]);
      out = out << 1U | (byte >> (7U - at_ % 8) & 1U);
    }
    return out;
  }

 private:
  ByteView bytes_;
  std::size_t at_ = 0;
};

void put_run(BitWriter& out, std::int64_t length, std::uint8_t value) {
  constexpr std::int64_t longest = std::int64_t{1} << 16;
  while (length > 0) {
    const std::int64_t now = std::min(length, longest);
    std::size_t size = 0;
    while (now > std::int64_t{1} << length_bits[size]) ++size;
    out.put(1, 1);
    out.put(static_cast<std::uint32_t>(size), 2);
    out.put(static_cast<std::uint32_t>(now - 1), length_bits[size]);
    out.put(value, 8);
    length -= now;
  }
}

struct BrushHead {
  std::array<int, 4> sizes{};
};

Result<BrushHead> read_head(BitReader& bits, std::int64_t values) {
  FIDUCIAL_TRY(const std::uint32_t promised, bits.take(32));
  if (promised != values)
    return invalid_data("the brush code is of " + decimal(std::int64_t{promised}) + " values, expected " +
                        decimal(values) + " of its picture");
  FIDUCIAL_TRY(const std::uint32_t word, bits.take(5));
  if (word != 7) return invalid_data("the brush code has values of another size than 8 bits");
  BrushHead out;
  for (int& size : out.sizes) {
    FIDUCIAL_TRY(const std::uint32_t bits_of_it, bits.take(4));
    size = static_cast<int>(bits_of_it) + 1;
  }
  return out;
}

}  // namespace

PixelMask PixelMask::empty_of(std::int64_t width, std::int64_t height) {
  return {.width = width,
          .height = height,
          .inside = std::vector<std::uint8_t>(static_cast<std::size_t>(width * height))};
}

std::int64_t PixelMask::count() const {
  return std::accumulate(inside.begin(), inside.end(), std::int64_t{0});
}

std::vector<std::int64_t> coco_runs(const PixelMask& mask) {
  std::vector<std::int64_t> out{0};
  std::uint8_t now = 0;
  for (std::int64_t column = 0; column < mask.width; ++column) {
    for (std::int64_t row = 0; row < mask.height; ++row) {
      if (mask.at(column, row) != now) {
        out.push_back(0);
        now = mask.at(column, row);
      }
      ++out.back();
    }
  }
  return out;
}

Result<PixelMask> from_coco_runs(std::span<const std::int64_t> runs, std::int64_t width,
                                 std::int64_t height) {
  std::int64_t left = width * height;
  for (const std::int64_t run : runs) {
    if (run < 0 || run > left) return invalid_data("the runs do not add up to the picture");
    left -= run;
  }
  if (left != 0) return invalid_data("the runs do not add up to the picture");
  PixelMask out = PixelMask::empty_of(width, height);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const std::int64_t end = at + runs[i]; at < end; ++at) {
      if (i % 2 == 1) out.at(at / height, at % height) = 1;
    }
  }
  return out;
}

// Each number is the difference to the one before the last, in digits of five bits, the lowest first; the
// sixth bit of a digit says that more follow.
std::string coco_text(std::span<const std::int64_t> runs) {
  std::string out;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::int64_t value = i > 2 ? runs[i] - runs[i - 2] : runs[i];
    bool has_more = true;
    while (has_more) {
      std::int64_t digit = value & 31;
      value >>= 5;
      has_more = (digit & 16) != 0 ? value != -1 : value != 0;
      if (has_more) digit |= 32;
      out += static_cast<char>('0' + digit);
    }
  }
  return out;
}

Result<std::vector<std::int64_t>> parse_coco_text(std::string_view text) {
  constexpr unsigned most_bits = 35;
  std::vector<std::int64_t> out;
  std::int64_t value = 0;
  unsigned bits = 0;
  for (const char letter : text) {
    const int digit = letter - '0';
    if (digit < 0 || digit > 63) return invalid_data("the counts hold a letter that is no digit of COCO's");
    if (bits >= most_bits) return invalid_data("the counts hold a number that no picture has");
    value |= static_cast<std::int64_t>(digit & 31) << bits;
    bits += 5;
    if ((digit & 32) != 0) continue;
    if ((digit & 16) != 0) value -= std::int64_t{1} << bits;
    if (out.size() > 2) value += out[out.size() - 2];
    if (value < 0 || value > std::numeric_limits<std::int32_t>::max())
      return invalid_data("the counts hold a number that no picture has");
    out.push_back(value);
    value = 0;
    bits = 0;
  }
  if (bits != 0) return invalid_data("the counts end in the middle of a number");
  return out;
}

std::vector<std::uint8_t> brush_code(const PixelMask& mask) {
  BitWriter out;
  out.put(static_cast<std::uint32_t>(mask.width * mask.height * channels), 32);
  out.put(7, 5);
  for (const int bits : length_bits) out.put(static_cast<std::uint32_t>(bits - 1), 4);
  for (auto from = mask.inside.begin(); from != mask.inside.end();) {
    const auto to = std::find(from, mask.inside.end(), static_cast<std::uint8_t>(1 - *from));
    put_run(out, channels * (to - from), *from == 1 ? opaque : std::uint8_t{0});
    from = to;
  }
  return out.take();
}

Result<PixelMask> parse_brush_code(ByteView code, std::int64_t width, std::int64_t height) {
  const std::int64_t values = width * height * channels;
  BitReader bits(code);
  FIDUCIAL_TRY(const BrushHead head, read_head(bits, values));
  PixelMask out = PixelMask::empty_of(width, height);
  for (std::int64_t at = 0; at < values;) {
    FIDUCIAL_TRY(const std::uint32_t repeats, bits.take(1));
    FIDUCIAL_TRY(const std::uint32_t size, bits.take(2));
    FIDUCIAL_TRY(const std::uint32_t length, bits.take(head.sizes[size]));
    const std::int64_t end = at + std::int64_t{length} + 1;
    if (end > values) return invalid_data("a run of the brush code leads beyond its picture");
    std::uint32_t value = 0;
    for (const std::int64_t first = at; at < end; ++at) {
      if (at == first || repeats == 0) {
        FIDUCIAL_TRY(value, bits.take(8));
      }
      if (at % channels == channels - 1 && value >= half_opaque)
        out.inside[static_cast<std::size_t>(at / channels)] = 1;
    }
  }
  return out;
}

}  // namespace fiducial
