#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/dicom/reader_process.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// Which series of a folder to read, and by whom.
struct SeriesOptions {
  std::optional<std::string> series;  // SeriesInstanceUID, or "none" for files without one
  Path reader = installed_reader();
  ReaderLimits limits;
};

// The CT of a folder of DICOM files, as an image in Hounsfield units on a grid in NIfTI's RAS+ world.
//
// Files are read below the folder at any depth, by a process of their own. Slices are sorted by their places,
// which alone give the spacing between them; slope and intercept of each slice are applied once. Several
// series are an error that lists them unless one is chosen; so is a file that is cut off or cannot be
// decoded. What was skipped, and what is odd but usable, is in the notes of the header.
Result<NiftiImage> read_series(const Path& folder, const SeriesOptions& options = {});

// The same without pixels: grid and notes. No file is decoded, but every file is followed to its end.
Result<NiftiHeader> read_series_header(const Path& folder, const SeriesOptions& options = {});

// The files of a series in the order of their slices along the third axis of the grid.
struct SeriesFiles {
  Grid grid;
  std::vector<std::string> files;
};

// Refuses series with several slices in one file.
Result<SeriesFiles> read_series_files(const Path& folder, const SeriesOptions& options = {});

}  // namespace fiducial
