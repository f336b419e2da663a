#include <array>
#include <cstdlib>

#include "fiducial/base/deflate.h"
#include "fiducial/image/picture_writer.h"

namespace fiducial {

namespace {

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1U) != 0 ? 0xEDB88320U ^ (value >> 1U) : value >> 1U;
    out[i] = value;
  }
  return out;
}

std::uint32_t crc32_of(ByteView bytes) {
  static constexpr std::array<std::uint32_t, 256> table = crc_table();
  std::uint32_t out = 0xFFFFFFFFU;
  for (const std::byte byte : bytes)
    out = table[(out ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU] ^ (out >> 8U);
  return out ^ 0xFFFFFFFFU;
}

void put_number(Bytes& out, std::uint32_t value) {
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    out.push_back(static_cast<std::byte>((value >> shift) & 0xFFU));
}

void put_chunk(Bytes& out, std::string_view type, ByteView content) {
  put_number(out, static_cast<std::uint32_t>(content.size()));
  const std::size_t begin = out.size();
  const ByteView name = as_bytes(type);
  out.insert(out.end(), name.begin(), name.end());
  out.insert(out.end(), content.begin(), content.end());
  put_number(out, crc32_of(ByteView(out).subspan(begin)));
}

int paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left);
  const int to_above = std::abs(guess - above);
  const int to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

// A row of a picture, and the one above it; null above the first.
struct PngRow {
  const std::uint8_t* values = nullptr;
  const std::uint8_t* above = nullptr;
  std::size_t bytes = 0;
  std::size_t step = 1;  // from a value to that of the next pixel
};

// A row as a filter of PNG writes it.
void filter_row(const PngRow& row, int filter, std::vector<std::uint8_t>& out) {
  for (std::size_t i = 0; i < row.bytes; ++i) {
    const int left = i < row.step ? 0 : row.values[i - row.step];
    const int up = row.above == nullptr ? 0 : row.above[i];
    const int corner = i < row.step || row.above == nullptr ? 0 : row.above[i - row.step];
    const std::array<int, 5> guess{0, left, up, (left + up) / 2, paeth(left, up, corner)};
    out[i] = static_cast<std::uint8_t>(row.values[i] - guess[static_cast<std::size_t>(filter)]);
  }
}

// How far a filtered row is from nothing: what is left is smaller the better the filter fits.
std::uint64_t remainder_of(const std::vector<std::uint8_t>& row) {
  std::uint64_t out = 0;
  for (const std::uint8_t value : row) out += value < 128 ? value : 256U - value;
  return out;
}

// The rows, each behind the filter that leaves least; of equals the first.
Bytes filtered_rows(const Picture& picture) {
  const auto step = static_cast<std::size_t>(picture.channels);
  const std::size_t row_bytes = static_cast<std::size_t>(picture.width) * step;
  Bytes out;
  out.reserve((row_bytes + 1) * static_cast<std::size_t>(picture.height));
  std::vector<std::uint8_t> tried(row_bytes);
  std::vector<std::uint8_t> best;
  for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
    const std::uint8_t* values = picture.values.data() + y * row_bytes;
    const PngRow row{
        .values = values, .above = y == 0 ? nullptr : values - row_bytes, .bytes = row_bytes, .step = step};
    std::uint64_t least = UINT64_MAX;
    int chosen = 0;
    for (int filter = 0; filter < 5; ++filter) {
      filter_row(row, filter, tried);
      const std::uint64_t remainder = remainder_of(tried);
      if (remainder >= least) continue;
      least = remainder;
      chosen = filter;
      best = tried;
    }
    out.push_back(static_cast<std::byte>(chosen));
    for (const std::uint8_t value : best) out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

}  // namespace

Bytes stable_png_file(const Picture& picture) {
  FIDUCIAL_ASSERT(picture.width > 0 && picture.height > 0 && picture.channels != 2);
  Bytes out;
  for (const unsigned value : {0x89U, 0x50U, 0x4EU, 0x47U, 0x0DU, 0x0AU, 0x1AU, 0x0AU})
    out.push_back(static_cast<std::byte>(value));
  Bytes header;
  put_number(header, static_cast<std::uint32_t>(picture.width));
  put_number(header, static_cast<std::uint32_t>(picture.height));
  const int colour = picture.channels == 1 ? 0 : picture.channels == 3 ? 2 : 6;
  for (const int value : {8, colour, 0, 0, 0}) header.push_back(static_cast<std::byte>(value));
  put_chunk(out, "IHDR", header);
  put_chunk(out, "IDAT", zlib_compressed(filtered_rows(picture)));
  put_chunk(out, "IEND", {});
  return out;
}

}  // namespace fiducial
