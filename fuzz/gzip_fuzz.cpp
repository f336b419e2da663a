// InflateStream against libdeflate. The first byte chooses the wrapper, the size of the pieces that are read,
// and one of two promises about the rest. Either it is compressed data: what we accept, libdeflate accepts
// with the same bytes (it also lets some invalid codes pass that we and zlib refuse). Or it is content:
// compressed by libdeflate, it comes back as it was.
#include <libdeflate.h>

#include "fiducial/base/inflate.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

constexpr std::size_t most = std::size_t{1} << 17;

struct Inflated {
  Bytes bytes;
  std::uint64_t consumed = 0;
};

// Nothing when the data are rejected; data that would exceed the limit stop there.
std::optional<Inflated> streamed(ByteView data, DeflateWrapper wrapper, std::size_t piece) {
  InflateStream stream(std::make_unique<MemoryStream>(data), wrapper);
  Inflated out;
  for (;;) {
    const std::size_t before = out.bytes.size();
    out.bytes.resize(before + piece);
    const Result<std::size_t> got = stream.read(std::span(out.bytes).subspan(before));
    if (!got.ok()) return std::nullopt;
    out.bytes.resize(before + *got);
    if (*got < piece || out.bytes.size() > most) break;
  }
  out.consumed = stream.consumed();
  return out;
}

using Decompressor = std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>;

// One gzip member or one bare stream at the front of the data.
std::optional<Inflated> whole(const Decompressor& decompressor, ByteView data, DeflateWrapper wrapper) {
  Inflated out{Bytes(most), 0};
  std::size_t in = 0;
  std::size_t size = 0;
  const auto run =
      wrapper == DeflateWrapper::gzip ? libdeflate_gzip_decompress_ex : libdeflate_deflate_decompress_ex;
  if (run(decompressor.get(), data.data(), data.size(), out.bytes.data(), most, &in, &size) !=
      LIBDEFLATE_SUCCESS) {
    return std::nullopt;
  }
  out.bytes.resize(size);
  out.consumed = in;
  return out;
}

// The data with the reserved bits of a member's flags cleared: libdeflate refuses them, we ignore them.
Bytes without_reserved_flags(ByteView member) {
  Bytes out(member.begin(), member.end());
  if (out.size() > 3) out[3] &= std::byte{0x1F};
  return out;
}

// All members, with zero bytes allowed behind each.
std::optional<Inflated> whole_file(ByteView data, DeflateWrapper wrapper) {
  const Decompressor decompressor(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (wrapper == DeflateWrapper::none) return whole(decompressor, data, wrapper);
  std::optional<Inflated> all = whole(decompressor, without_reserved_flags(data), wrapper);
  if (!all) return all;
  for (;;) {
    while (all->consumed < data.size() && data[all->consumed] == std::byte{0}) ++all->consumed;
    if (all->consumed == data.size()) return all;
    const auto next = whole(decompressor, without_reserved_flags(data.subspan(all->consumed)), wrapper);
    if (!next) return std::nullopt;
    all->bytes.insert(all->bytes.end(), next->bytes.begin(), next->bytes.end());
    all->consumed += next->consumed;
  }
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  if (size == 0) return 0;
  const DeflateWrapper wrapper = (bytes[0] & 1) != 0 ? DeflateWrapper::gzip : DeflateWrapper::none;
  const std::size_t piece = std::size_t{1} << (bytes[0] >> 4U);
  const ByteView data = fuzz::view(bytes, size).subspan(1);
  if ((bytes[0] & 2) != 0) {
    const auto back =
        fuzz::streamed(gzip_compressed(data, 1 + (bytes[0] >> 2U) % 9), DeflateWrapper::gzip, piece);
    fuzz::require(back && std::equal(back->bytes.begin(), back->bytes.end(), data.begin(), data.end()));
    return 0;
  }
  const auto ours = fuzz::streamed(data, wrapper, piece);
  if (!ours || ours->bytes.size() > fuzz::most) return 0;
  const auto theirs = fuzz::whole_file(data, wrapper);
  fuzz::require(theirs && ours->bytes == theirs->bytes && ours->consumed == theirs->consumed);
  return 0;
}
