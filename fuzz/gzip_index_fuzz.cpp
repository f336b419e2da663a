// An index beside a gzip file. Four bytes say how long the file is; what follows it is the index. It is read
// as it is, and once more with the hash of its table put right, which no change survives: then it may lie
// about everything, and reading stays within its bounds. The index that we make of the file, where one can be
// made, gives the bytes of the file anywhere.
#include <algorithm>

#include "fiducial/base/inflate.h"
#include "fiducial/base/sha256.h"
#include "fiducial/image/gzip_index.h"
#include "fiducial/image/gzip_index_format.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

constexpr std::size_t most = std::size_t{1} << 22;

// What a gzip file holds; nothing where it is broken or too long to be looked at.
std::optional<Bytes> inflated(ByteView gzip) {
  InflateStream stream(std::make_unique<MemoryStream>(gzip), DeflateWrapper::gzip);
  Bytes out(most);
  const Result<std::size_t> got = stream.read(out);
  if (!got.ok() || *got == most) return std::nullopt;
  out.resize(*got);
  return out;
}

// The index with the hash of its table put right.
Bytes with_right_hash(ByteView index) {
  using namespace gzidx;
  Bytes out(index.begin(), index.end());
  if (out.size() < head_bytes + binding_bytes) return out;
  const std::uint64_t count = load<std::uint32_t>(out, 31);
  const std::uint64_t head = head_bytes + count * place_bytes;
  const std::uint64_t binding = binding_bytes + count * sizeof(std::uint32_t);
  if (count > out.size() || head + binding > out.size()) return out;
  Sha256 table;
  table.update(ByteView(out).first(static_cast<std::size_t>(head)));
  table.update(
      ByteView(out).last(static_cast<std::size_t>(binding)).first(static_cast<std::size_t>(binding - 32)));
  const Digest sum = table.digest();
  std::ranges::copy(std::as_bytes(std::span(sum.bytes)), out.end() - 32);
  return out;
}

void read_by(ByteView gzip, ByteView index, const std::optional<Bytes>& truth) {
  const auto source =
      IndexedGzip::open(std::make_shared<MemorySource>(gzip), std::make_shared<MemorySource>(index));
  if (!source.ok()) return;
  const std::uint64_t size = (*source)->size();
  for (const std::uint64_t offset : {std::uint64_t{0}, size / 3, size - size / 7}) {
    if (size - offset > most) continue;
    Bytes out(static_cast<std::size_t>(std::min<std::uint64_t>(size - offset, 100'000)));
    const Result<std::size_t> got = (*source)->read_at(offset, out);
    if (!got.ok()) continue;
    require(*got == out.size());
    if (truth) {
      require(offset + out.size() <= truth->size());
      require(std::equal(out.begin(), out.end(), truth->begin() + static_cast<std::ptrdiff_t>(offset)));
    }
  }
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const ByteView input = fuzz::view(bytes, size);
  if (size < 4) return 0;
  const std::uint64_t length = load<std::uint32_t>(input, 0);
  if (length > size - 4) return 0;
  const ByteView gzip = input.subspan(4, static_cast<std::size_t>(length));
  const ByteView index = input.subspan(4 + static_cast<std::size_t>(length));
  fuzz::read_by(gzip, index, std::nullopt);
  fuzz::read_by(gzip, fuzz::with_right_hash(index), std::nullopt);
  const std::optional<Bytes> truth = fuzz::inflated(gzip);
  const Result<Bytes> made = make_gzip_index(MemorySource(gzip), 1);
  if (made.ok() && truth) fuzz::read_by(gzip, *made, truth);
  return 0;
}
