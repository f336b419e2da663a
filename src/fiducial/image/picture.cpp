#include "fiducial/image/picture.h"

#include "fiducial/base/number_text.h"
#include "fiducial/image/picture_codecs.h"

namespace fiducial {

namespace {

// Deflate expands at most about 1032 times, to pixels of at least one bit.
constexpr std::int64_t max_pixels_a_byte = std::int64_t{1032} * 8;

Outcome check_size(std::int64_t width, std::int64_t height, std::size_t bytes) {
  const std::string size = decimal(width) + " x " + decimal(height) + " pixels";
  if (width < 1 || height < 1) return invalid_data("it has " + size);
  if (height > max_picture_pixels / width) {
    return invalid_data("it has " + size + ", more than the limit of " + decimal(max_picture_pixels));
  }
  if (width * height / max_pixels_a_byte > static_cast<std::int64_t>(bytes)) {
    return invalid_data("it promises " + size + ", more than its " + decimal(bytes) + " bytes can hold");
  }
  return done();
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

Result<Picture> decode_picture(ByteView bytes) {
  switch (sniffed_format(bytes)) {
    case PictureFormat::jpeg:
      return picture_codecs::decode_jpeg(bytes, check_size);
    case PictureFormat::png:
      return picture_codecs::decode_png(bytes, check_size);
    case PictureFormat::unknown:
      return invalid_data(bytes.empty() ? "it is empty" : "its bytes are those of no picture we know");
    default:
      return Error(ErrorCode::unavailable,
                   std::string(to_string(sniffed_format(bytes))) + " pictures are not decoded here");
  }
}

std::string picture_decoders() { return picture_codecs::versions(); }

}  // namespace fiducial
