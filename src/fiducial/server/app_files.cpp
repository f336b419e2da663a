#include "fiducial/server/app_files.h"

#include <algorithm>
#include <memory>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/inflate.h"

namespace fiducial {

const EmbeddedFile* find_app_file(std::string_view path) {
  const std::span<const EmbeddedFile> files = embedded_app();
  const auto found = std::ranges::find(files, path, &EmbeddedFile::path);
  return found == files.end() ? nullptr : &*found;
}

Result<std::string> file_text(const EmbeddedFile& file) {
  InflateStream stream(std::make_unique<MemoryStream>(file.gzip), DeflateWrapper::gzip);
  std::string out;
  while (true) {
    Bytes piece(std::size_t{64} << 10);
    FIDUCIAL_TRY(const std::size_t got, stream.read(piece));
    out += as_text(ByteView(piece).first(got));
    if (got < piece.size()) return out;
  }
}

}  // namespace fiducial
