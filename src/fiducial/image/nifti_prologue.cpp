#include "fiducial/image/nifti_prologue.h"

#include "fiducial/base/inflate.h"

namespace fiducial {

Result<NiftiBytes> inflated_nifti(std::unique_ptr<ByteStream> stored) {
  Bytes start(2);
  FIDUCIAL_TRY(const std::size_t got, stored->read(start));
  start.resize(got);
  if (got == 0) return invalid_data("file is empty");
  const bool compressed = got == 2 && start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b};
  std::unique_ptr<ByteStream> bytes = std::make_unique<PrefixedStream>(std::move(start), std::move(stored));
  if (compressed) bytes = std::make_unique<InflateStream>(std::move(bytes), DeflateWrapper::gzip);
  return NiftiBytes{std::move(bytes), compressed};
}

Result<NiftiHeader> read_nifti_header(ByteStream& bytes) {
  Bytes raw(nifti2_header_bytes);
  FIDUCIAL_TRY(const std::size_t first, bytes.read(std::span(raw).first(8)));
  FIDUCIAL_TRY(const std::size_t size, nifti_header_size(ByteView(raw).first(first)));
  FIDUCIAL_TRY(const std::size_t rest, bytes.read(std::span(raw).subspan(first, size - first)));
  return parse_nifti_header(ByteView(raw).first(first + rest));
}

}  // namespace fiducial
