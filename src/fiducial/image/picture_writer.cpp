#include "fiducial/image/picture_writer.h"

#include <cstdio>  // jpeglib.h needs it
#include <cstdlib>
#include <span>

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

namespace fiducial {

namespace {

// Nothing about a picture in memory can fail but memory itself.
[[noreturn]] void give_up(j_common_ptr) { assertion_failed("a JPEG can be written", __FILE__, __LINE__); }

void check_shape(const Picture& picture) {
  const auto values = static_cast<std::size_t>(picture.width * picture.height * picture.channels);
  FIDUCIAL_ASSERT(picture.width > 0 && picture.height > 0 && picture.values.size() == values);
}

}  // namespace

Bytes jpeg_file(const Picture& picture, int quality) {
  check_shape(picture);
  FIDUCIAL_ASSERT(picture.channels == 1 || picture.channels == 3);
  jpeg_error_mgr errors{};
  jpeg_compress_struct codec{};
  codec.err = jpeg_std_error(&errors);
  errors.error_exit = give_up;
  jpeg_create_compress(&codec);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &buffer, &size);
  codec.image_width = static_cast<JDIMENSION>(picture.width);
  codec.image_height = static_cast<JDIMENSION>(picture.height);
  codec.input_components = picture.channels;
  codec.in_color_space = picture.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&codec);
  codec.dct_method = JDCT_ISLOW;  // integers: the same bytes with and without vector instructions
  jpeg_set_quality(&codec, quality, TRUE);
  jpeg_start_compress(&codec, TRUE);
  const auto row_bytes = static_cast<std::size_t>(picture.width * picture.channels);
  std::vector<std::uint8_t> row(row_bytes);
  while (codec.next_scanline < codec.image_height) {
    const auto* const begin = picture.values.data() + codec.next_scanline * row_bytes;
    row.assign(begin, begin + row_bytes);
    JSAMPROW rows[1] = {row.data()};
    jpeg_write_scanlines(&codec, rows, 1);
  }
  jpeg_finish_compress(&codec);
  const auto written = std::as_bytes(std::span(buffer, size));
  Bytes out(written.begin(), written.end());
  jpeg_destroy_compress(&codec);
  std::free(buffer);  // NOLINT: libjpeg allocates it with malloc
  return out;
}

Bytes png_picture_file(const Picture& picture) {
  check_shape(picture);
  FIDUCIAL_ASSERT(zlibVersion()[0] == ZLIB_VERSION[0]);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = picture.channels == 1   ? PNG_FORMAT_GRAY
                 : picture.channels == 3 ? PNG_FORMAT_RGB
                                         : PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  Bytes out(size);
  const int written =
      png_image_write_to_memory(&image, out.data(), &size, 0, picture.values.data(), 0, nullptr);
  FIDUCIAL_ASSERT(written != 0);
  out.resize(size);
  return out;
}

}  // namespace fiducial
