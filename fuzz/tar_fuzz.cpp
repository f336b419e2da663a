// TarReader on any bytes: names are plain, and no member gives more bytes than it promises.
#include <memory>

#include "fiducial/archive/tar_reader.h"
#include "fiducial/archive/zip_name.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  Result<TarReader> reader = TarReader::open(std::make_unique<MemoryStream>(fuzz::view(bytes, size)));
  if (!reader.ok()) return 0;
  Bytes piece(4096);
  for (int members = 0; members < 1000; ++members) {
    const Result<std::optional<TarMember>> member = reader->next();
    if (!member.ok() || !*member) return 0;
    fuzz::require(!zip_name_objection((*member)->name));
    const Result<std::size_t> got = reader->content().read(piece);
    if (!got.ok()) return 0;
    fuzz::require(*got <= (*member)->size && (*got == piece.size() || *got == (*member)->size));
  }
  return 0;
}
