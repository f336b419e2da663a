#include <set>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/number_text.h"
#include "fiducial/dicom/segmentation.h"
#include "fiducial/dicom/series.h"

namespace fiducial {

namespace {

constexpr std::uint64_t most_slice_bytes = std::uint64_t{512} << 20;

Result<DicomFile> read_slice_file(const Path& path) {
  FIDUCIAL_TRY(const std::string bytes, read_text_file(path, most_slice_bytes));
  return parse_dicom(as_bytes(bytes));
}

Outcome check_identity(const DicomDataSet& data) {
  if (data.text(0x00080016).empty() || data.text(0x00080018).empty()) {
    return invalid_data(
        "SOP Class UID or SOP Instance UID is empty: a DICOM segmentation must name the images it segments, "
        "and "
        "nobody could tell which this one is");
  }
  if (data.text(0x0020000D).empty() || data.text(0x00200052).empty()) {
    return invalid_data(
        "Study Instance UID or Frame of Reference UID is empty; a DICOM segmentation needs both");
  }
  return done();
}

}  // namespace

Result<SegmentedSeries> read_segmented_series(const Path& folder) {
  FIDUCIAL_TRY(const SeriesFiles files, read_series_files(folder));
  SegmentedSeries out{.grid = files.grid, .first = {}, .slices = {}};
  std::set<std::string> instances;
  for (std::size_t z = 0; z < files.files.size(); ++z) {
    const std::string& path = files.files[z];
    FIDUCIAL_TRY(DicomFile file, read_slice_file(path).in_file(path));
    FIDUCIAL_TRY_DONE(check_identity(file.data).in_file(path));
    SegmentedSeries::Slice slice{.media_class = file.data.text(0x00080016),
                                 .instance = file.data.text(0x00080018),
                                 .position = file.data.text(0x00200032)};
    if (!instances.insert(slice.instance).second) {
      return Error(ErrorCode::invalid_data,
                   "SOP Instance UID " + slice.instance + " is that of another file of the series, too",
                   Place{.path = path});
    }
    out.slices.push_back(std::move(slice));
    if (z == 0) out.first = std::move(file.data);
  }
  return out;
}

}  // namespace fiducial
