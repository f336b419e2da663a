#include "fiducial/base/scratch_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "fiducial/base/unfinished_paths.h"

namespace fiducial {

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code failure;
  const Path root = std::filesystem::temp_directory_path(failure);
  std::string name = (root / "fiducial-XXXXXX").string();
  if (failure || ::mkdtemp(name.data()) == nullptr) {
    return Error(ErrorCode::io, "cannot make a temporary folder", Place{.path = root.string()});
  }
  note_unfinished(name);
  return ScratchFolder(name);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (path_.empty()) return;
  std::filesystem::remove_all(path_, ignored);
  forget_unfinished(path_);
}

}  // namespace fiducial
