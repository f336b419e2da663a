// ZipReader on any bytes: what opens has plain, distinct names, and every entry that reads to its end has the
// size and checksum it promised.
#include <memory>
#include <set>

#include <libdeflate.h>

#include "fiducial/archive/zip_name.h"
#include "fiducial/archive/zip_reader.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 20;

void read_entry(const ZipReader& reader, std::size_t index) {
  const ZipEntry& entry = reader.entries()[index];
  Result<std::unique_ptr<ByteStream>> stream = reader.open_entry(index);
  require(stream.ok());
  Bytes piece(4096);
  std::uint64_t total = 0;
  std::uint32_t crc = 0;
  while (total < most) {
    const Result<std::size_t> got = stream.value()->read(piece);
    if (!got.ok()) return;
    total += *got;
    crc = libdeflate_crc32(crc, piece.data(), *got);
    require(total <= entry.size);
    if (*got < piece.size()) {
      require(total == entry.size && crc == entry.crc32);
      return;
    }
  }
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<ZipReader> reader = ZipReader::open(std::make_shared<MemorySource>(fuzz::view(bytes, size)));
  if (!reader.ok()) return 0;
  std::set<std::string> names;
  std::uint64_t stored = 0;
  for (std::size_t i = 0; i < reader->entries().size(); ++i) {
    const ZipEntry& entry = reader->entries()[i];
    fuzz::require(!zip_name_objection(entry.name) && names.insert(entry.name).second);
    stored += entry.compressed_size;
    if (i < 8) fuzz::read_entry(*reader, i);
  }
  fuzz::require(stored <= size);
  return 0;
}
