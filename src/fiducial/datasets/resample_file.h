#pragma once

#include <optional>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/note.h"
#include "fiducial/image/resample.h"
#include "fiducial/image/transform_record.h"

namespace fiducial {

// Which image goes onto which grid.
struct ResampleRequest {
  Path source;                                 // NIfTI, or a folder with a DICOM series
  std::optional<Path> like;                    // an image whose grid it takes: NIfTI or DICOM
  std::optional<Path> transform;               // or a recorded transform
  bool inverse = false;                        // from where the record leads back to where it began
  std::optional<Interpolation> interpolation;  // none: what the values look like
  std::string channels;                        // of a 4D image: "first", "last" or "" for what its shape says
  std::optional<double> outside;               // none: 0 of labels, the least value of volumes
  int threads = 0;
};

struct ResampledFile {
  NiftiImage image;
  Interpolation interpolation = Interpolation::nearest;
  TransformRecord record;  // what was done, as it can be done to other images or be undone
  Notes notes;
};

// An image whose header says no place is taken to lie on the grid of the reference, or where the record
// begins, if it has that shape; one that says another place than the record is refused, and so is one that
// shares no place with the target: it is of another patient or series.
Result<ResampledFile> resample_file(const ResampleRequest& request);

}  // namespace fiducial
