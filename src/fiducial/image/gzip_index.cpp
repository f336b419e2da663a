#include "fiducial/image/gzip_index.h"

#include <algorithm>

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include "fiducial/base/inflate.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/image/gzip_index_format.h"

namespace fiducial {

namespace {

constexpr std::size_t stored_piece = std::size_t{64} << 10;
constexpr std::uint64_t most_kept = std::uint64_t{16} << 20;
constexpr std::size_t inflated_piece = std::size_t{256} << 10;

Error index_broken(std::string message) { return invalid_data("index: " + std::move(message)); }
Error index_of_another(std::string message) { return {ErrorCode::integrity, "index: " + std::move(message)}; }

Outcome read_fully(const ByteSource& source, std::uint64_t offset, std::span<std::byte> out) {
  FIDUCIAL_TRY(const std::size_t got, source.read_at(offset, out));
  return got == out.size() ? done() : Outcome(index_broken("ends early"));
}

// DEFLATE data from a place inside a gzip file, over the ends of its members.
class PlacedInflater {
 public:
  PlacedInflater(const ByteSource& gzip, std::uint64_t from, std::uint64_t end)
      : gzip_(gzip), next_(from), end_(end) {
    start(ISAL_GZIP);
  }

  // Says that the data begin within a block's bits, and what was before them.
  Outcome resume(std::uint8_t bits, Bytes& window) {
    start(ISAL_DEFLATE);
    if (bits > 0) {
      std::array<std::byte, 1> before{};
      FIDUCIAL_TRY_DONE(read_fully(gzip_, next_ - 1, before));
      decoder_.read_in = std::to_integer<std::uint64_t>(before[0]) >> (8U - bits);
      decoder_.read_in_length = bits;
    }
    const int status = isal_inflate_set_dict(&decoder_, reinterpret_cast<std::uint8_t*>(window.data()),
                                             static_cast<std::uint32_t>(window.size()));
    return status == ISAL_DECOMP_OK ? done() : Outcome(index_broken("its window cannot be used"));
  }

  // Fills out, or fails.
  Outcome inflate(std::span<std::byte> out) {
    std::size_t written = 0;
    while (written < out.size()) {
      if (call_given_up()) return given_up();
      if (decoder_.avail_in == 0) FIDUCIAL_TRY_DONE(refill());
      decoder_.next_out = reinterpret_cast<std::uint8_t*>(out.data() + written);
      decoder_.avail_out = static_cast<std::uint32_t>(out.size() - written);
      const std::uint32_t stored_before = decoder_.avail_in;
      const int status = isal_inflate(&decoder_);
      const std::size_t produced = out.size() - written - decoder_.avail_out;
      if (status < 0 || status > ISAL_OUT_OVERFLOW) return unfit();
      written += produced;
      if (decoder_.block_state == ISAL_BLOCK_FINISH) {
        if (written == out.size()) break;
        FIDUCIAL_TRY_DONE(next_member());
      } else if (produced == 0 && decoder_.avail_in == stored_before && next_ >= end_) {
        return unfit();
      }
    }
    return done();
  }

 private:
  static Error unfit() { return index_of_another("the file does not inflate from its places"); }

  void start(std::uint32_t wrapper) {
    isal_inflate_init(&decoder_);
    decoder_.crc_flag = wrapper;
    decoder_.avail_in = 0;
    is_raw_ = wrapper == ISAL_DEFLATE;
  }

  Outcome refill() {
    const std::uint64_t left = end_ > next_ ? end_ - next_ : 0;
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, input_.size()));
    FIDUCIAL_TRY(const std::size_t got, gzip_.read_at(next_, std::span(input_).first(wanted)));
    next_ += got;
    decoder_.next_in = reinterpret_cast<std::uint8_t*>(input_.data());
    decoder_.avail_in = static_cast<std::uint32_t>(got);
    if (got == 0) end_ = next_;
    return done();
  }

  // Goes on behind the end of a member and the zeros that may pad it.
  Outcome next_member() {
    constexpr std::uint64_t trailer_bytes = 8;
    next_ -= decoder_.avail_in;
    if (is_raw_) next_ += trailer_bytes - static_cast<std::uint64_t>(decoder_.read_in_length / 8);
    start(ISAL_GZIP);
    while (true) {
      if (decoder_.avail_in == 0) FIDUCIAL_TRY_DONE(refill());
      if (decoder_.avail_in == 0) return unfit();
      if (*decoder_.next_in != 0) return done();
      ++decoder_.next_in;
      --decoder_.avail_in;
    }
  }

  const ByteSource& gzip_;
  std::uint64_t next_;  // byte of the gzip file to be read
  std::uint64_t end_;   // none behind it
  bool is_raw_ = false;
  inflate_state decoder_{};
  Bytes input_ = Bytes(stored_piece);
};

}  // namespace

Result<std::shared_ptr<const IndexedGzip>> IndexedGzip::open(std::shared_ptr<const ByteSource> gzip,
                                                             std::shared_ptr<const ByteSource> index) {
  std::shared_ptr<IndexedGzip> out(new IndexedGzip());
  out->gzip_ = std::move(gzip);
  out->index_ = std::move(index);
  FIDUCIAL_TRY_DONE(out->read_table(out->index_->size()));
  return std::shared_ptr<const IndexedGzip>(std::move(out));
}

Result<std::shared_ptr<const ByteSource>> open_indexed_gzip(const Path& gzip) {
  const Path beside = gzip.string() + gzip_index_ending;
  if (!is_file(beside)) return std::shared_ptr<const ByteSource>();
  FIDUCIAL_TRY(std::shared_ptr<const ByteSource> stored, FileSource::open(gzip));
  FIDUCIAL_TRY(std::shared_ptr<const ByteSource> index, FileSource::open(beside));
  Result<std::shared_ptr<const IndexedGzip>> out = IndexedGzip::open(std::move(stored), std::move(index));
  if (!out.ok()) return std::move(out).error().in_file(beside.string());
  return std::shared_ptr<const ByteSource>(*std::move(out));
}

Outcome IndexedGzip::read_table(std::uint64_t size) {
  using namespace gzidx;
  Bytes head(head_bytes);
  FIDUCIAL_TRY_DONE(read_fully(*index_, 0, head));
  if (as_text(ByteView(head).first(magic.size())) != magic) return index_broken("does not begin as one");
  const auto stored_size = load<std::uint64_t>(head, 7);
  inflated_bytes_ = load<std::uint64_t>(head, 15);
  const auto window_size = load<std::uint32_t>(head, 27);
  const std::uint64_t count = load<std::uint32_t>(head, 31);
  if (stored_size != gzip_->size())
    return index_of_another("was made of a file of " + decimal(stored_size) + " bytes; this one has " +
                            decimal(gzip_->size()));
  if (window_size != window_bytes || count == 0 || count > size / (place_bytes + sizeof(std::uint32_t)))
    return index_broken("promises " + decimal(count) + " places in " + decimal(size) + " bytes");
  head.resize(head_bytes + static_cast<std::size_t>(count) * place_bytes);
  FIDUCIAL_TRY_DONE(read_fully(*index_, head_bytes, std::span(head).subspan(head_bytes)));
  FIDUCIAL_TRY_DONE(take_places(head));
  const std::uint64_t windows = static_cast<std::uint64_t>(
      std::ranges::count_if(places_, [](const Place& place) { return place.window != 0; }));
  Bytes binding(binding_bytes + static_cast<std::size_t>(count) * sizeof(std::uint32_t));
  return check_binding(head, head.size() + windows * window_bytes, std::move(binding));
}

// The places by their table, each behind the one before it.
Outcome IndexedGzip::take_places(ByteView head) {
  using namespace gzidx;
  const std::uint64_t stored_size = gzip_->size();
  std::uint64_t window = head.size();
  const std::size_t count = (head.size() - head_bytes) / place_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = head_bytes + i * place_bytes;
    Place place{.stored = load<std::uint64_t>(head, at),
                .inflated = load<std::uint64_t>(head, at + 8),
                .bits = load<std::uint8_t>(head, at + 16)};
    if (load<std::uint8_t>(head, at + 17) != 0) {
      place.window = window;
      window += window_bytes;
    }
    const bool is_first = i == 0;
    const bool follows = is_first || (place.stored > places_.back().stored &&
                                      place.inflated > places_.back().inflated && place.window != 0);
    const bool fits = place.bits < 8 && place.stored < stored_size && place.inflated <= inflated_bytes_ &&
                      (!is_first || (place.stored == 0 && place.inflated == 0 && place.window == 0));
    if (!follows || !fits || place.bits > 8 * place.stored)
      return index_broken("place " + decimal(i) + " does not follow the one before it");
    places_.push_back(place);
  }
  return done();
}

// What binds the table to its file: `binding` has its size, and lies behind the windows.
Outcome IndexedGzip::check_binding(ByteView head, std::uint64_t window, Bytes binding) {
  using namespace gzidx;
  const std::uint64_t stored_size = gzip_->size();
  const std::uint64_t size = index_->size();
  if (window + binding.size() != size)
    return index_broken("has " + decimal(size) +
                        " bytes; what binds it to its file is missing or more follows");
  FIDUCIAL_TRY_DONE(read_fully(*index_, window, binding));
  if (as_text(ByteView(binding).first(binding_magic.size())) != binding_magic)
    return index_broken("nothing binds it to its file: it was made by another tool");
  const ByteView told = ByteView(binding).last(sizeof(Digest::bytes));
  Sha256 table;
  table.update(head);
  table.update(ByteView(binding).first(binding.size() - told.size()));
  const Digest sum = table.digest();
  if (!std::ranges::equal(std::as_bytes(std::span(sum.bytes)), told))
    return index_broken("its table is not the one that was written");
  Bytes end(gzip_end_bytes);
  FIDUCIAL_TRY_DONE(read_fully(*gzip_, stored_size - std::min<std::uint64_t>(stored_size, end.size()), end));
  if (!std::ranges::equal(end, ByteView(binding).subspan(binding_magic.size(), gzip_end_bytes)))
    return index_of_another("was made of a file with another end");
  Digest file;
  const std::size_t digest_at = binding_magic.size() + gzip_end_bytes;
  std::ranges::copy(ByteView(binding).subspan(digest_at, sizeof(file.bytes)),
                    std::as_writable_bytes(std::span(file.bytes)).begin());
  digest_ = file.hex();
  for (std::size_t i = 0; i < places_.size(); ++i)
    places_[i].crc32 =
        load<std::uint32_t>(binding, digest_at + sizeof(file.bytes) + i * sizeof(std::uint32_t));
  return done();
}

std::uint64_t IndexedGzip::end_of(std::size_t place) const {
  return place + 1 < places_.size() ? places_[place + 1].inflated : inflated_bytes_;
}

Outcome IndexedGzip::inflate_span(std::size_t at, std::uint64_t offset, std::span<std::byte> out) const {
  const Place& place = places_[at];
  const std::uint64_t end = end_of(at);
  const std::uint64_t stored_end = at + 1 < places_.size() ? places_[at + 1].stored : gzip_->size();
  PlacedInflater inflater(*gzip_, place.stored, stored_end);
  if (place.window != 0) {
    Bytes window(gzidx::window_bytes);
    FIDUCIAL_TRY_DONE(read_fully(*index_, place.window, window));
    FIDUCIAL_TRY_DONE(inflater.resume(place.bits, window));
  }
  Bytes piece(static_cast<std::size_t>(std::min<std::uint64_t>(inflated_piece, end - place.inflated)));
  std::uint32_t crc = libdeflate_crc32(0, nullptr, 0);
  for (std::uint64_t first = place.inflated; first < end;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), end - first));
    const std::span<std::byte> made = std::span(piece).first(count);
    FIDUCIAL_TRY_DONE(inflater.inflate(made));
    crc = libdeflate_crc32(crc, made.data(), made.size());
    const std::uint64_t low = std::max(first, offset);
    const std::uint64_t high = std::min(first + count, offset + out.size());
    if (low < high)
      std::copy_n(made.begin() + static_cast<std::ptrdiff_t>(low - first), high - low,
                  out.begin() + static_cast<std::ptrdiff_t>(low - offset));
    first += count;
  }
  if (crc != place.crc32) return index_of_another("the file does not hold what it was made of");
  return done();
}

Outcome IndexedGzip::read_span(std::size_t at, std::uint64_t offset, std::span<std::byte> out) const {
  const std::uint64_t first = places_[at].inflated;
  const std::uint64_t bytes = end_of(at) - first;
  if (bytes > most_kept) return inflate_span(at, offset, out);
  std::shared_ptr<const Kept> kept;
  {
    const std::lock_guard lock(mutex_);
    kept = kept_;
  }
  if (kept == nullptr || kept->place != at) {
    auto made = std::make_shared<Kept>(Kept{at, Bytes(static_cast<std::size_t>(bytes))});
    FIDUCIAL_TRY_DONE(inflate_span(at, first, made->bytes));
    kept = made;
    const std::lock_guard lock(mutex_);
    kept_ = kept;
  }
  const std::uint64_t low = std::max(first, offset);
  const std::uint64_t high = std::min(first + bytes, offset + out.size());
  std::copy_n(kept->bytes.begin() + static_cast<std::ptrdiff_t>(low - first), high - low,
              out.begin() + static_cast<std::ptrdiff_t>(low - offset));
  return done();
}

Result<std::size_t> IndexedGzip::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset >= inflated_bytes_) return std::size_t{0};
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), inflated_bytes_ - offset));
  const std::span<std::byte> wanted = out.first(count);
  const auto behind = std::ranges::upper_bound(places_, offset, {}, &Place::inflated);
  for (auto at = static_cast<std::size_t>(behind - places_.begin()) - 1;
       at < places_.size() && places_[at].inflated < offset + count; ++at) {
    FIDUCIAL_TRY_DONE(read_span(at, offset, wanted));
  }
  return count;
}

}  // namespace fiducial
