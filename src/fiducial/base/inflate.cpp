#include "fiducial/base/inflate.h"

#include <algorithm>

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include "fiducial/base/interruption.h"

namespace fiducial {

namespace {

constexpr std::size_t input_capacity = std::size_t{256} << 10;
constexpr std::size_t largest_input = std::size_t{4} << 20;  // a few milliseconds

const char* meaning(int status, DeflateWrapper wrapper) {
  switch (status) {
    case ISAL_INVALID_BLOCK:
      return "invalid deflate block";
    case ISAL_INVALID_SYMBOL:
      return "invalid deflate symbol";
    case ISAL_INVALID_LOOKBACK:
      return "deflate match reaches before the start of the data";
    case ISAL_INVALID_WRAPPER:
      return wrapper == DeflateWrapper::zlib ? "not a zlib header" : "not a gzip header";
    case ISAL_UNSUPPORTED_METHOD:
      return wrapper == DeflateWrapper::zlib ? "zlib header names a method other than deflate"
                                             : "gzip header names a method other than deflate";
    case ISAL_INCORRECT_CHECKSUM:
      return wrapper == DeflateWrapper::zlib ? "zlib checksum does not match the data"
                                             : "gzip checksum or length does not match the data";
    default:
      return "deflate data cannot be decoded";
  }
}

// Bits of a gzip header that RFC 1952 reserves: what they would mean is unknown, so they must be refused.
constexpr const char* reserved_flags = "gzip header sets flags that are reserved";

std::uint32_t checksum_of(DeflateWrapper wrapper) {
  if (wrapper == DeflateWrapper::gzip) return ISAL_GZIP;
  return wrapper == DeflateWrapper::zlib ? ISAL_ZLIB : ISAL_DEFLATE;
}

bool has_reserved_flags(const inflate_state& at_header) {
  constexpr std::size_t flags_at = 3;
  const std::uint8_t* header = at_header.next_in;
  const bool is_gzip = at_header.avail_in > flags_at && header[0] == 0x1f && header[1] == 0x8b;
  return is_gzip && (header[flags_at] & 0xE0U) != 0;
}

}  // namespace

struct InflateStream::State {
  inflate_state decoder{};
  Bytes input = Bytes(input_capacity);
  std::uint64_t consumed_before = 0;  // compressed bytes of earlier refills
  std::size_t filled = 0;
  bool input_ended = false;
  bool finished = false;

  std::uint64_t taken() const { return consumed_before + filled - decoder.avail_in; }
  // The decoder holds up to eight bytes that it has taken and not used.
  std::uint64_t used() const { return taken() - static_cast<std::uint64_t>(decoder.read_in_length / 8); }
};

InflateStream::InflateStream(std::unique_ptr<ByteStream> upstream, DeflateWrapper wrapper)
    : upstream_(std::move(upstream)), state_(std::make_unique<State>()), wrapper_(wrapper) {
  isal_inflate_init(&state_->decoder);
  state_->decoder.crc_flag = checksum_of(wrapper_);
}

InflateStream::~InflateStream() = default;

std::uint64_t InflateStream::consumed() const { return state_->used(); }

Error InflateStream::failure(const char* what) const {
  return {ErrorCode::invalid_data, what, Place{.byte = state_->taken()}};
}

Outcome InflateStream::refill() {
  State& state = *state_;
  state.consumed_before += state.filled;
  FIDUCIAL_TRY(state.filled, upstream_->read(state.input));
  state.input_ended = state.filled < state.input.size();
  state.decoder.next_in = reinterpret_cast<std::uint8_t*>(state.input.data());
  state.decoder.avail_in = static_cast<std::uint32_t>(state.filled);
  const bool is_first = state.consumed_before == 0 && wrapper_ == DeflateWrapper::gzip;
  if (is_first && has_reserved_flags(state.decoder)) return failure(reserved_flags);
  return done();
}

// After the end of a member: skips zero padding, and prepares the decoder if another member follows.
Result<bool> InflateStream::start_next_member() {
  State& state = *state_;
  if (wrapper_ != DeflateWrapper::gzip) return false;
  for (;;) {
    if (state.decoder.avail_in == 0) {
      if (state.input_ended) return false;
      FIDUCIAL_TRY_DONE(refill());
      continue;
    }
    if (*state.decoder.next_in != 0) break;
    ++state.decoder.next_in;
    --state.decoder.avail_in;
  }
  if (*state.decoder.next_in != 0x1f)
    return failure("bytes after the end of the gzip data are no gzip member");
  if (has_reserved_flags(state.decoder)) return failure(reserved_flags);
  std::uint8_t* const next_in = state.decoder.next_in;
  const std::uint32_t avail_in = state.decoder.avail_in;
  isal_inflate_reset(&state.decoder);
  state.decoder.crc_flag = ISAL_GZIP;
  state.decoder.next_in = next_in;
  state.decoder.avail_in = avail_in;
  return true;
}

Result<std::size_t> InflateStream::read(std::span<std::byte> out) {
  State& state = *state_;
  std::size_t written = 0;
  while (written < out.size() && !state.finished) {
    if (state.decoder.avail_in == 0 && !state.input_ended) FIDUCIAL_TRY_DONE(refill());
    if (call_given_up()) return given_up();
    const std::size_t room = std::min(out.size() - written, largest_input);
    state.decoder.next_out = reinterpret_cast<std::uint8_t*>(out.data() + written);
    state.decoder.avail_out = static_cast<std::uint32_t>(room);
    const std::uint32_t input_before = state.decoder.avail_in;
    const int status = isal_inflate(&state.decoder);
    if (status < 0) return failure(meaning(status, wrapper_));
    if (status > ISAL_OUT_OVERFLOW) return failure("gzip header asks for something unsupported");
    const std::size_t produced = room - state.decoder.avail_out;
    written += produced;
    if (state.decoder.block_state == ISAL_BLOCK_FINISH) {
      FIDUCIAL_TRY(const bool more, start_next_member());
      state.finished = !more;
    } else if (produced == 0 && state.decoder.avail_in == input_before && state.input_ended) {
      return failure("compressed data end in the middle of a stream");
    }
  }
  return written;
}

Result<Bytes> zlib_inflated(ByteView stored, std::size_t bytes) {
  Bytes out(bytes);
  libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
  FIDUCIAL_ASSERT(decompressor != nullptr);
  std::size_t used = 0;
  const libdeflate_result result = libdeflate_zlib_decompress_ex(decompressor, stored.data(), stored.size(),
                                                                 out.data(), out.size(), &used, nullptr);
  libdeflate_free_decompressor(decompressor);
  if (result == LIBDEFLATE_BAD_DATA)
    return invalid_data("zlib data cannot be decoded, or their checksum differs");
  if (result != LIBDEFLATE_SUCCESS || used != stored.size())
    return invalid_data("zlib data are not the number of bytes that was promised");
  return out;
}

Result<bool> is_gzip_file(const Path& path) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  Bytes magic(2);
  FIDUCIAL_TRY(const std::size_t got, file->read(magic));
  return got == magic.size() && magic == Bytes{std::byte{0x1f}, std::byte{0x8b}};
}

namespace {

using Compress = std::size_t (*)(libdeflate_compressor*, const void*, std::size_t, void*, std::size_t);
using Bound = std::size_t (*)(libdeflate_compressor*, std::size_t);

Bytes compressed(ByteView bytes, int level, Bound bound, Compress compress) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(level);
  FIDUCIAL_ASSERT(compressor != nullptr);
  Bytes out(bound(compressor, bytes.size()));
  const std::size_t size = compress(compressor, bytes.data(), bytes.size(), out.data(), out.size());
  libdeflate_free_compressor(compressor);
  FIDUCIAL_ASSERT(size > 0);
  out.resize(size);
  return out;
}

}  // namespace

Bytes gzip_compressed(ByteView bytes, int level) {
  return compressed(bytes, level, libdeflate_gzip_compress_bound, libdeflate_gzip_compress);
}

Bytes zlib_compressed(ByteView bytes, int level) {
  return compressed(bytes, level, libdeflate_zlib_compress_bound, libdeflate_zlib_compress);
}

}  // namespace fiducial
