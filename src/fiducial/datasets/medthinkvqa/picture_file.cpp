#include "fiducial/datasets/medthinkvqa/picture_file.h"

#include <libdeflate.h>

#include "fiducial/base/number_text.h"

namespace fiducial::medthinkvqa {

namespace {

std::uint8_t at(ByteView bytes, std::size_t offset) { return std::to_integer<std::uint8_t>(bytes[offset]); }

std::uint32_t big_endian_32(ByteView bytes, std::size_t offset) {
  return load<std::uint32_t>(bytes, offset, std::endian::native == std::endian::little);
}

std::string ends_early(std::size_t offset) {
  return "the file ends at byte " + decimal(offset) + ", too early";
}

// Walks the markers of a JPEG file (ITU-T T.81, annex B).
class JpegWalk {
 public:
  explicit JpegWalk(ByteView bytes) : bytes_(bytes) {}

  std::optional<std::string> damage() {
    offset_ = 2;  // after the start of image
    while (true) {
      if (!find_marker()) return ends_early(bytes_.size());
      const std::uint8_t marker = at(bytes_, offset_++);
      if (marker == end_of_image)
        return has_scan_ ? std::nullopt : std::optional<std::string>("no scan before its end");
      if (is_alone(marker)) continue;
      if (auto broken = skip_segment(marker)) return broken;
    }
  }

 private:
  static constexpr std::uint8_t end_of_image = 0xD9;
  static constexpr std::uint8_t start_of_scan = 0xDA;

  static bool is_alone(std::uint8_t marker) { return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8); }
  static bool is_frame(std::uint8_t marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
  }

  // Moves to the code of the next marker, over coded data, stuffed zeros and fill bytes.
  bool find_marker() {
    while (offset_ + 1 < bytes_.size()) {
      const std::uint8_t next = at(bytes_, offset_ + 1);
      if (at(bytes_, offset_++) == 0xFF && next != 0x00 && next != 0xFF) return true;
    }
    return false;
  }

  std::optional<std::string> skip_segment(std::uint8_t marker) {
    if (offset_ + 2 > bytes_.size()) return ends_early(bytes_.size());
    const std::size_t length = at(bytes_, offset_) * std::size_t{256} + at(bytes_, offset_ + 1);
    if (length < 2) return "a segment of " + decimal(length) + " bytes at byte " + decimal(offset_);
    if (offset_ + length > bytes_.size()) return ends_early(bytes_.size());
    offset_ += length;
    if (is_frame(marker)) has_frame_ = true;
    if (marker != start_of_scan) return std::nullopt;
    if (!has_frame_) return "a scan before any frame";
    has_scan_ = true;
    return std::nullopt;
  }

  ByteView bytes_;
  std::size_t offset_ = 0;
  bool has_frame_ = false;
  bool has_scan_ = false;
};

std::optional<std::string> png_damage(ByteView bytes) {
  constexpr std::size_t frame = 12;  // length, type and checksum of a chunk
  bool has_pixels = false;
  for (std::size_t offset = 8; true;) {
    if (bytes.size() - offset < frame) return ends_early(bytes.size());
    const std::size_t length = big_endian_32(bytes, offset);
    if (length > bytes.size() - offset - frame) return ends_early(bytes.size());
    const std::string_view type = as_text(bytes.subspan(offset + 4, 4));
    if (big_endian_32(bytes, offset + 8 + length) !=
        libdeflate_crc32(0, bytes.data() + offset + 4, length + 4)) {
      return "the checksum of the chunk at byte " + decimal(offset) + " does not agree";
    }
    if (offset == 8 && (type != "IHDR" || length != 13)) return "the first chunk is no IHDR of 13 bytes";
    if (type == "IDAT") has_pixels = true;
    if (type == "IEND") return has_pixels ? std::nullopt : std::optional<std::string>("it has no IDAT chunk");
    offset += frame + length;
  }
}

}  // namespace

std::string_view to_string(PictureFormat format) {
  constexpr std::string_view names[] = {"JPEG", "PNG", "GIF", "BMP", "WebP", "TIFF", "no picture we know"};
  return names[static_cast<std::size_t>(format)];
}

PictureFormat sniffed_format(ByteView bytes) {
  using namespace std::string_view_literals;
  const std::string_view text = as_text(bytes);
  if (text.starts_with("\xFF\xD8\xFF"sv)) return PictureFormat::jpeg;
  if (text.starts_with("\x89PNG\r\n\x1A\n"sv)) return PictureFormat::png;
  if (text.starts_with("GIF87a"sv) || text.starts_with("GIF89a"sv)) return PictureFormat::gif;
  if (text.starts_with("RIFF"sv) && text.size() >= 12 && text.substr(8, 4) == "WEBP"sv)
    return PictureFormat::webp;
  if (text.starts_with("II*\0"sv) || text.starts_with("MM\0*"sv)) return PictureFormat::tiff;
  if (text.starts_with("BM"sv)) return PictureFormat::bmp;
  return PictureFormat::unknown;
}

std::optional<std::string> picture_damage(ByteView bytes) {
  switch (sniffed_format(bytes)) {
    case PictureFormat::jpeg:
      return JpegWalk(bytes).damage();
    case PictureFormat::png:
      return png_damage(bytes);
    case PictureFormat::unknown:
      return bytes.empty() ? "the file is empty" : "its bytes are those of no picture we know";
    default:
      return std::nullopt;
  }
}

}  // namespace fiducial::medthinkvqa
