#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// The sizes of a release's files, by their paths in it, as its host lists them.
class FileListing {
 public:
  // JSON of the Hugging Face Hub, a list of objects with "path" and "size" (its /tree/) or an object whose
  // "siblings" have "rfilename" and "size" (a repository with blobs=true); or CSV with columns path and size.
  // Objects without a size, folders among them, are passed over; a path with two sizes is refused.
  static Result<FileListing> parse(std::string_view text);
  static Result<FileListing> read(const Path& file);

  std::optional<std::uint64_t> size_of(const std::string& path) const;
  // Takes in another listing; the same path with another size is refused.
  Outcome add(const FileListing& other);

 private:
  Outcome add(const std::string& path, std::uint64_t bytes);

  std::map<std::string, std::uint64_t> sizes_;
};

}  // namespace fiducial
