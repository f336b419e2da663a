#include "fiducial/image/detached_file.h"

#include <optional>

#include "fiducial/base/printable.h"
#include "fiducial/base/store.h"

namespace fiducial {

Result<std::unique_ptr<FileStream>> open_detached(const std::optional<Path>& header_file,
                                                  const std::string& name) {
  const std::string told = "\"" + printable(name) + "\"";
  if (!header_file || is_url(*header_file)) {
    return invalid_data("the voxels lie in another file, " + told +
                        ", which is not read from here; expected " + "them behind the header");
  }
  const bool plain = !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
                     name.find('\\') == std::string::npos && name.find('\0') == std::string::npos;
  if (!plain) {
    return Error(ErrorCode::refused, "the voxels lie outside the header's folder: " + told +
                                         "; only a file beside the header is opened");
  }
  const Path folder = header_file->parent_path().empty() ? Path(".") : header_file->parent_path();
  std::error_code failure;
  const Path home = std::filesystem::canonical(folder, failure);
  const Path target = failure ? Path() : std::filesystem::weakly_canonical(folder / name, failure);
  if (failure || target.parent_path() != home) {
    return Error(ErrorCode::refused,
                 "the voxels lie outside the header's folder: " + told + " is a link that leads out of it");
  }
  if (!is_file(target)) return path_missing("no such file of voxels", (folder / name).string());
  return FileStream::open(target);
}

}  // namespace fiducial
