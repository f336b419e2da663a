#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fiducial/archive/zip_reader.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial::medthinkvqa {

// A picture of more bytes is not read.
inline constexpr std::uint64_t max_picture_bytes = std::uint64_t{256} << 20;

// The images of a folder: files below images/, else members of images.zip, one at a time. Several threads may
// read at once.
class PictureFiles {
 public:
  PictureFiles() = default;  // none
  static Result<PictureFiles> open(const Path& folder);

  bool are_there() const { return has_folder_ || zip_ != nullptr; }

  // The bytes of a file; absent where there is none. The path must be one that keeps rule S06.
  Result<std::optional<std::string>> read(const std::string& path) const;

 private:
  Result<std::optional<std::string>> read_member(const std::string& path) const;

  Path folder_;
  bool has_folder_ = false;
  std::unique_ptr<ZipReader> zip_;
};

}  // namespace fiducial::medthinkvqa
