#include <algorithm>
#include <array>
#include <limits>

#include <libdeflate.h>
#include <zlib.h>

#include "fiducial/base/inflate.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/image/gzip_index.h"
#include "fiducial/image/gzip_index_format.h"

namespace fiducial {

namespace {

constexpr std::size_t input_piece = std::size_t{256} << 10;
constexpr int any_member = 15 + 16;  // zlib: a window of 32 KiB, gzip

struct FoundPlace {
  std::uint64_t stored = 0;
  std::uint64_t inflated = 0;
  int bits = 0;
  bool has_window = false;
  std::uint32_t crc32 = 0;
};

template <typename T>
void put(Bytes& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof(T));
  store(std::span(out), at, value);
}

void put_text(Bytes& out, std::string_view text) {
  out.insert(out.end(), as_bytes(text).begin(), as_bytes(text).end());
}

// Inflates a gzip file block by block and notes places between the blocks.
class PlaceFinder {
 public:
  PlaceFinder(const ByteSource& gzip, std::uint64_t spacing) : gzip_(gzip), spacing_(spacing) {}
  ~PlaceFinder() {
    if (is_open_) inflateEnd(&zlib_);
  }
  PlaceFinder(const PlaceFinder&) = delete;
  PlaceFinder& operator=(const PlaceFinder&) = delete;

  Outcome run() {
    if (inflateInit2(&zlib_, any_member) != Z_OK) return Error(ErrorCode::internal, "zlib does not start");
    is_open_ = true;
    places_.push_back({});
    while (true) {
      if (call_given_up()) return given_up();
      if (zlib_.avail_in == 0) {
        FIDUCIAL_TRY(const bool more, refill());
        if (!more) return broken("compressed data end in the middle of a stream");
      }
      FIDUCIAL_TRY(const int status, step());
      if (status != Z_STREAM_END) continue;
      FIDUCIAL_TRY(const bool more, next_member());
      if (!more) break;
    }
    places_.back().crc32 = crc_;
    return done();
  }

  // The file of the index; call it after run().
  Bytes index() {
    while (!is_hashed_) {  // padding that was not looked at
      if (!refill().ok() || filled_ == 0) is_hashed_ = true;
    }
    Bytes head;
    put_text(head, gzidx::magic);
    put(head, gzip_.size());
    put(head, inflated_);
    put(head, static_cast<std::uint32_t>(std::min<std::uint64_t>(spacing_, UINT32_MAX)));
    put(head, static_cast<std::uint32_t>(gzidx::window_bytes));
    put(head, static_cast<std::uint32_t>(places_.size()));
    for (const FoundPlace& place : places_) {
      put(head, place.stored);
      put(head, place.inflated);
      put(head, static_cast<std::uint8_t>(place.bits));
      put(head, static_cast<std::uint8_t>(place.has_window ? 1 : 0));
    }
    Bytes binding;
    put_text(binding, gzidx::binding_magic);
    binding.insert(binding.end(), last_bytes_.begin(), last_bytes_.end());
    const Digest file = hash_.digest();
    const ByteView digest = std::as_bytes(std::span(file.bytes));
    binding.insert(binding.end(), digest.begin(), digest.end());
    for (const FoundPlace& place : places_) put(binding, place.crc32);
    Sha256 table;
    table.update(head);
    table.update(binding);
    const Digest sum = table.digest();
    const ByteView last = std::as_bytes(std::span(sum.bytes));
    Bytes out = std::move(head);
    out.insert(out.end(), windows_.begin(), windows_.end());
    out.insert(out.end(), binding.begin(), binding.end());
    out.insert(out.end(), last.begin(), last.end());
    return out;
  }

 private:
  Error broken(std::string message) const {
    return {ErrorCode::invalid_data, std::move(message), Place{.byte = stored_ - zlib_.avail_in}};
  }

  // The next piece of the gzip file; whether there is one.
  Result<bool> refill() {
    FIDUCIAL_TRY(filled_, gzip_.read_at(stored_, input_));
    const ByteView got = ByteView(input_).first(filled_);
    hash_.update(got);
    for (const std::byte byte : got.last(std::min(got.size(), gzidx::gzip_end_bytes))) {
      std::rotate(last_bytes_.begin(), last_bytes_.begin() + 1, last_bytes_.end());
      last_bytes_.back() = byte;
    }
    stored_ += filled_;
    zlib_.next_in = reinterpret_cast<Bytef*>(input_.data());
    zlib_.avail_in = static_cast<uInt>(filled_);
    return filled_ > 0;
  }

  // Inflates to the end of a block, of the window or of what was read.
  Result<int> step() {
    if (window_at_ == window_.size()) window_at_ = 0;
    zlib_.next_out = reinterpret_cast<Bytef*>(window_.data() + window_at_);
    zlib_.avail_out = static_cast<uInt>(window_.size() - window_at_);
    const uInt room = zlib_.avail_out;
    const int status = inflate(&zlib_, Z_BLOCK);
    const std::size_t made = room - zlib_.avail_out;
    crc_ = libdeflate_crc32(crc_, window_.data() + window_at_, made);
    window_at_ += made;
    inflated_ += made;
    of_member_ += made;
    if (status == Z_DATA_ERROR || status == Z_NEED_DICT)
      return broken(zlib_.msg != nullptr ? zlib_.msg : "deflate data cannot be decoded");
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      return Error(ErrorCode::internal, "zlib fails with " + decimal(status));
    constexpr int at_block_end = 128;
    constexpr int in_last_block = 64;
    const bool is_between = (zlib_.data_type & at_block_end) != 0 && (zlib_.data_type & in_last_block) == 0;
    if (status == Z_OK && is_between && inflated_ - places_.back().inflated >= spacing_) note_place();
    return status;
  }

  void note_place() {
    places_.back().crc32 = std::exchange(crc_, libdeflate_crc32(0, nullptr, 0));
    places_.push_back({.stored = stored_ - zlib_.avail_in,
                       .inflated = inflated_,
                       .bits = zlib_.data_type & 7,
                       .has_window = true});
    // What a member has not is never referred to.
    Bytes window(gzidx::window_bytes);
    std::copy(window_.begin() + static_cast<std::ptrdiff_t>(window_at_), window_.end(), window.begin());
    std::copy(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(window_at_),
              window.end() - static_cast<std::ptrdiff_t>(window_at_));
    if (of_member_ < window.size())
      std::fill(window.begin(), window.end() - static_cast<std::ptrdiff_t>(of_member_), std::byte{0});
    windows_.insert(windows_.end(), window.begin(), window.end());
  }

  // Behind the end of a member: skips zero padding; whether another member follows.
  Result<bool> next_member() {
    while (true) {
      if (zlib_.avail_in == 0) {
        FIDUCIAL_TRY(const bool more, refill());
        if (!more) {
          is_hashed_ = true;
          return false;
        }
      }
      if (*zlib_.next_in != 0) break;
      ++zlib_.next_in;
      --zlib_.avail_in;
    }
    inflateReset(&zlib_);
    of_member_ = 0;
    return true;
  }

  const ByteSource& gzip_;
  std::uint64_t spacing_;
  z_stream zlib_{};
  bool is_open_ = false;
  bool is_hashed_ = false;  // whether all of the file went through the hash
  Bytes input_ = Bytes(input_piece);
  std::size_t filled_ = 0;
  std::uint64_t stored_ = 0;  // read of the gzip file
  Sha256 hash_;
  std::array<std::byte, gzidx::gzip_end_bytes> last_bytes_{};
  Bytes window_ = Bytes(gzidx::window_bytes);  // a ring of what was inflated last
  std::size_t window_at_ = 0;
  std::uint64_t inflated_ = 0;
  std::uint64_t of_member_ = 0;
  std::uint32_t crc_ = 0;
  std::vector<FoundPlace> places_;
  Bytes windows_;
};

}  // namespace

Result<Bytes> make_gzip_index(const ByteSource& gzip, std::uint64_t spacing) {
  PlaceFinder finder(gzip, std::max<std::uint64_t>(spacing, gzidx::window_bytes));
  FIDUCIAL_TRY_DONE(finder.run());
  return finder.index();
}

Result<bool> write_gzip_index(const Path& gzip, bool overwrite) {
  const Path target = gzip.string() + gzip_index_ending;
  if (is_file(target)) {
    const Result<std::shared_ptr<const ByteSource>> earlier = open_indexed_gzip(gzip);
    if (earlier.ok() && *earlier != nullptr) return false;
    if (!overwrite)
      return Error(
          ErrorCode::bad_usage,
          "output exists, and is no index of " + gzip.filename().string() + "; --overwrite replaces it",
          Place{.path = target.string()});
  }
  FIDUCIAL_TRY(const bool is_gzip, is_gzip_file(gzip));
  if (!is_gzip)
    return Error(ErrorCode::bad_usage, "is not compressed; its slices are read without an index",
                 Place{.path = gzip.string()});
  FIDUCIAL_TRY(const std::unique_ptr<FileSource> source, FileSource::open(gzip));
  FIDUCIAL_TRY(const Bytes index, make_gzip_index(*source).in_file(gzip.string()));
  FIDUCIAL_TRY_DONE(write_file(target, index));
  return true;
}

}  // namespace fiducial
