#include "fiducial/report/png_image.h"

#include <cstdlib>
#include <memory>
#include <string_view>

#include <libdeflate.h>

#include "fiducial/base/error.h"

namespace fiducial {

namespace {

constexpr int compression_level = 9;

struct CompressorDeleter {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};

void append_big_endian(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(value >> shift & 0xFFU));
}

void append_chunk(Bytes& out, std::string_view type, ByteView content) {
  append_big_endian(out, static_cast<std::uint32_t>(content.size()));
  const std::size_t begin = out.size();
  const ByteView name = as_bytes(type);
  out.insert(out.end(), name.begin(), name.end());
  out.insert(out.end(), content.begin(), content.end());
  append_big_endian(out, libdeflate_crc32(0, out.data() + begin, out.size() - begin));
}

Bytes header_chunk(const Raster& picture) {
  Bytes out;
  append_big_endian(out, static_cast<std::uint32_t>(picture.width));
  append_big_endian(out, static_cast<std::uint32_t>(picture.height));
  // Eight bits, greyscale, DEFLATE, adaptive filters, not interlaced.
  for (const int value : {8, 0, 0, 0, 0}) out.push_back(static_cast<std::byte>(value));
  return out;
}

// The predictor of the PNG specification, section 9.4.
int paeth(int left, int above, int above_left) {
  const int estimate = left + above - above_left;
  const int to_left = std::abs(estimate - left);
  const int to_above = std::abs(estimate - above);
  const int to_above_left = std::abs(estimate - above_left);
  if (to_left <= to_above && to_left <= to_above_left) return left;
  return to_above <= to_above_left ? above : above_left;
}

Bytes filtered(const Raster& picture) {
  constexpr std::byte paeth_filter{4};
  Bytes out;
  out.reserve(picture.pixels.size() + static_cast<std::size_t>(picture.height));
  for (std::int64_t y = 0; y < picture.height; ++y) {
    out.push_back(paeth_filter);
    for (std::int64_t x = 0; x < picture.width; ++x) {
      const int left = x > 0 ? picture.at(x - 1, y) : 0;
      const int above = y > 0 ? picture.at(x, y - 1) : 0;
      const int above_left = x > 0 && y > 0 ? picture.at(x - 1, y - 1) : 0;
      out.push_back(static_cast<std::byte>(picture.at(x, y) - paeth(left, above, above_left)));
    }
  }
  return out;
}

Bytes zlib_compressed(ByteView bytes) {
  const std::unique_ptr<libdeflate_compressor, CompressorDeleter> compressor(
      libdeflate_alloc_compressor(compression_level));
  FIDUCIAL_ASSERT(compressor != nullptr);
  Bytes out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
  const std::size_t size =
      libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size());
  FIDUCIAL_ASSERT(size > 0);
  out.resize(size);
  return out;
}

}  // namespace

Bytes png_file(const Raster& picture) {
  FIDUCIAL_ASSERT(picture.width > 0 && picture.height > 0);
  const ByteView signature = as_bytes("\x89PNG\r\n\x1A\n");
  Bytes out(signature.begin(), signature.end());
  append_chunk(out, "IHDR", header_chunk(picture));
  append_chunk(out, "IDAT", zlib_compressed(filtered(picture)));
  append_chunk(out, "IEND", {});
  return out;
}

std::string base64(ByteView bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? alphabet[group >> (18 - 6 * k) & 0x3FU] : '=';
    }
  }
  return out;
}

std::string png_data_uri(const Raster& picture) {
  return "data:image/png;base64," + base64(png_file(picture));
}

}  // namespace fiducial
