// The only place where errors travel by longjmp: libjpeg and libpng report them that way. No object with a
// destructor lives in a frame that is jumped over; buffers belong to the caller of the jumping function.

#include "fiducial/image/picture_codecs.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it

#include <jerror.h>
#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

#include "fiducial/base/number_text.h"

namespace fiducial::picture_codecs {

namespace {

constexpr int max_scans = 500;  // a progressive file may ask for any number of passes over its pixels

struct JpegState {
  jpeg_decompress_struct codec{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf failed{};
  char message[JMSG_LENGTH_MAX] = {};
};

JpegState& state_of(j_common_ptr codec) { return *static_cast<JpegState*>(codec->client_data); }

[[noreturn]] void fail_jpeg(j_common_ptr codec) {
  JpegState& state = state_of(codec);
  codec->err->format_message(codec, state.message);
  std::longjmp(state.failed, 1);
}

// Warnings that stand for lost pixels are failures; the others are odd but harmless.
void warn_jpeg(j_common_ptr codec, int level) {
  if (level >= 0) return;
  const int code = codec->err->msg_code;
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE ||
      code == JWRN_NOT_SEQUENTIAL) {
    fail_jpeg(codec);
  }
}

void limit_scans(j_common_ptr codec) {
  if (reinterpret_cast<j_decompress_ptr>(codec)->input_scan_number <= max_scans) return;
  JpegState& state = state_of(codec);
  constexpr char message[] = "it has too many scans";
  std::copy(std::begin(message), std::end(message), state.message);
  std::longjmp(state.failed, 1);
}

void begin_jpeg(JpegState& state) {
  state.codec.err = jpeg_std_error(&state.errors);
  state.errors.error_exit = fail_jpeg;
  state.errors.emit_message = warn_jpeg;
  state.errors.output_message = [](j_common_ptr) {};
  state.progress.progress_monitor = limit_scans;
  state.codec.client_data = &state;
}

// Reads the header; false with a message where that fails.
bool read_jpeg_header(JpegState& state, ByteView bytes) {
  if (setjmp(state.failed) != 0) return false;
  jpeg_create_decompress(&state.codec);
  state.codec.client_data = &state;
  state.codec.progress = &state.progress;
  jpeg_mem_src(&state.codec, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&state.codec, TRUE);
  const J_COLOR_SPACE stored = state.codec.jpeg_color_space;
  if (stored == JCS_GRAYSCALE) {
    state.codec.out_color_space = JCS_GRAYSCALE;
  } else {
    state.codec.out_color_space = stored == JCS_CMYK || stored == JCS_YCCK ? JCS_CMYK : JCS_RGB;
  }
  return true;
}

bool read_jpeg_rows(JpegState& state, std::uint8_t* rows, std::size_t row_bytes) {
  if (setjmp(state.failed) != 0) return false;
  jpeg_start_decompress(&state.codec);
  while (state.codec.output_scanline < state.codec.output_height) {
    JSAMPROW row = rows + state.codec.output_scanline * row_bytes;
    jpeg_read_scanlines(&state.codec, &row, 1);
  }
  jpeg_finish_decompress(&state.codec);
  return true;
}

// Adobe's files store the inks inverted.
std::vector<std::uint8_t> rgb_of_inks(const std::vector<std::uint8_t>& inks, bool inverted) {
  std::vector<std::uint8_t> out;
  out.reserve(inks.size() / 4 * 3);
  for (std::size_t i = 0; i + 3 < inks.size(); i += 4) {
    const unsigned flip = inverted ? 0U : 255U;
    const unsigned black = inks[i + 3] ^ flip;
    for (std::size_t c = 0; c < 3; ++c) {
      out.push_back(static_cast<std::uint8_t>(((inks[i + c] ^ flip) * black + 127U) / 255U));
    }
  }
  return out;
}

struct PngInput {
  ByteView rest;
  char message[256] = {};
};

[[noreturn]] void fail_png(png_structp png, png_const_charp message) {
  auto& input = *static_cast<PngInput*>(png_get_error_ptr(png));
  std::snprintf(input.message, sizeof(input.message), "%s", message);
  png_longjmp(png, 1);
}

void ignore_png_warning(png_structp, png_const_charp) {}

void read_png_bytes(png_structp png, png_bytep out, std::size_t size) {
  auto& input = *static_cast<PngInput*>(png_get_io_ptr(png));
  if (input.rest.size() < size) png_error(png, "the file ends too early");
  std::memcpy(out, input.rest.data(), size);
  input.rest = input.rest.subspan(size);
}

// The codec with its two structures, freed together.
struct PngCodec {
  png_structp png = nullptr;
  png_infop info = nullptr;

  PngCodec() = default;
  PngCodec(const PngCodec&) = delete;
  PngCodec& operator=(const PngCodec&) = delete;
  ~PngCodec() { png_destroy_read_struct(&png, &info, nullptr); }
};

bool read_png_header(PngCodec& codec, PngInput& input) {
  codec.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, fail_png, ignore_png_warning);
  if (codec.png == nullptr) return false;
  if (setjmp(png_jmpbuf(codec.png)) != 0) return false;
  codec.info = png_create_info_struct(codec.png);
  if (codec.info == nullptr) return false;
  png_set_crc_action(codec.png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
  png_set_chunk_malloc_max(codec.png, png_alloc_size_t{16} << 20U);
  png_set_read_fn(codec.png, &input, read_png_bytes);
  png_read_info(codec.png, codec.info);
  const bool has_alpha = (png_get_color_type(codec.png, codec.info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                         png_get_valid(codec.png, codec.info, PNG_INFO_tRNS) != 0;
  png_set_expand(codec.png);
  png_set_strip_16(codec.png);
  if (has_alpha) png_set_gray_to_rgb(codec.png);
  png_set_interlace_handling(codec.png);
  png_read_update_info(codec.png, codec.info);
  return true;
}

bool read_png_rows(const PngCodec& codec, png_bytepp rows) {
  if (setjmp(png_jmpbuf(codec.png)) != 0) return false;
  png_read_image(codec.png, rows);
  png_read_end(codec.png, nullptr);
  return true;
}

}  // namespace

Result<Picture> decode_jpeg(ByteView bytes, SizeCheck check) {
  JpegState state;
  begin_jpeg(state);
  struct Release {
    jpeg_decompress_struct& codec;
    ~Release() { jpeg_destroy_decompress(&codec); }
  } release{state.codec};
  if (!read_jpeg_header(state, bytes)) return invalid_data(state.message);
  Picture out{.width = state.codec.image_width, .height = state.codec.image_height};
  FIDUCIAL_TRY_DONE(check(out.width, out.height, bytes.size()));
  const bool has_inks = state.codec.out_color_space == JCS_CMYK;
  const bool inverted = state.codec.saw_Adobe_marker != FALSE;
  out.channels = has_inks ? 4 : state.codec.out_color_space == JCS_GRAYSCALE ? 1 : 3;
  const std::size_t row_bytes = static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.channels);
  out.values.resize(row_bytes * static_cast<std::size_t>(out.height));
  if (!read_jpeg_rows(state, out.values.data(), row_bytes)) return invalid_data(state.message);
  if (has_inks) {
    out.values = rgb_of_inks(out.values, inverted);
    out.channels = 3;
  }
  return out;
}

Result<Picture> decode_png(ByteView bytes, SizeCheck check) {
  PngInput input{.rest = bytes};
  PngCodec codec;
  if (!read_png_header(codec, input)) return invalid_data(input.message);
  Picture out{.width = png_get_image_width(codec.png, codec.info),
              .height = png_get_image_height(codec.png, codec.info),
              .channels = png_get_channels(codec.png, codec.info)};
  FIDUCIAL_TRY_DONE(check(out.width, out.height, bytes.size()));
  const std::size_t row_bytes = png_get_rowbytes(codec.png, codec.info);
  out.values.resize(row_bytes * static_cast<std::size_t>(out.height));
  std::vector<png_bytep> rows;
  for (std::size_t y = 0; y < static_cast<std::size_t>(out.height); ++y) {
    rows.push_back(out.values.data() + y * row_bytes);
  }
  if (!read_png_rows(codec, rows.data())) return invalid_data(input.message);
  return out;
}

std::string versions() {
  constexpr int number = LIBJPEG_TURBO_VERSION_NUMBER;
  return "libjpeg-turbo " + decimal(number / 1000000) + "." + decimal(number / 1000 % 1000) + "." +
         decimal(number % 1000) + ", libpng " + png_get_libpng_ver(nullptr) + ", zlib " + zlibVersion();
}

}  // namespace fiducial::picture_codecs
