// The answer of the DICOM reader and the structure of a DICOM file, on any bytes.
#include <cmath>
#include <string>
#include <vector>

#include "fiducial/dicom/file_structure.h"
#include "fiducial/dicom/reader_records.h"
#include "fiducial/dicom/series_grid.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

void check_structure(ByteView bytes) {
  const auto found = read_dicom_structure(MemorySource(bytes));
  if (!found.ok() || !found->has_value() || !(*found)->pixel_data_at) return;
  require(*(*found)->pixel_data_at < bytes.size());
}

void check_headers(ByteView bytes, const std::vector<std::string>& files) {
  MemoryStream stream(bytes);
  const auto records = RecordReader(stream, files).read_headers();
  if (!records.ok()) return;
  std::vector<SliceHeader> usable;
  for (const SliceHeader& slice : records->slices) {
    require(slice.file < files.size() && slice.rows > 0 && slice.columns > 0);
    if (slice.refusal.empty()) usable.push_back(slice);
  }
  if (usable.empty()) return;
  const auto grid = make_series_grid(usable, files);
  if (!grid.ok()) return;
  require(grid->grid.affine.finite() && std::abs(grid->grid.affine.determinant()) > 0);
  require(grid->order.size() == usable.size());
}

void check_pixels(ByteView bytes, const std::vector<std::string>& files) {
  MemoryStream stream(bytes);
  const std::vector<FileSlices> expected(files.size(), {.frames = 2, .values = 6});
  const auto sink = [](const StoredSlice& slice) -> Outcome {
    require(slice.bytes.size() == 6 * static_cast<std::size_t>(slice.bytes_per_value));
    require(slice.bits_stored >= 1 && slice.bits_stored <= 8 * slice.bytes_per_value);
    return done();
  };
  static_cast<void>(RecordReader(stream, files).read_pixels(expected, sink).ok());
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* raw, std::size_t size) {
  using namespace fiducial;
  const ByteView bytes = fuzz::view(raw, size);
  const std::vector<std::string> files = {"a", "b"};
  fuzz::check_structure(bytes);
  fuzz::check_headers(bytes, files);
  fuzz::check_pixels(bytes, files);
  return 0;
}
