#pragma once

#include <optional>
#include <span>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// A CT volume as datasets keep them: an image file (image/volume_format.h), or a folder with a DICOM series.

// The volume of a case in the first of the folders that has it: the file of that name, else (in no folder
// such a file) the file of that name in another format, else the folder of that name without .nii.gz.
std::optional<Path> find_volume_file(std::span<const Path> folders, const std::string& name);

// Shape, grid and notes of a volume; of a series no pixel is decoded.
Result<NiftiHeader> read_volume_header(const Path& path);

// A volume opened at its first voxel; a series is held in memory for as long as the stream lives.
Result<NiftiStream> open_volume(const Path& path);

}  // namespace fiducial
