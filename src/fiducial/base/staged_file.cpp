#include "fiducial/base/staged_file.h"

#include "fiducial/base/open_file.h"

namespace fiducial {

Outcome write_staged_file(const Path& path, std::string_view text) {
  FIDUCIAL_TRY(OpenFile file, OpenFile::create(path).in_file(path.string()));
  FIDUCIAL_TRY_DONE(file.write(as_bytes(text)).in_file(path.string()));
  return file.close().in_file(path.string());
}

Outcome flush_folder(const Path& folder) {
  FIDUCIAL_TRY(const OpenFile opened, OpenFile::open_folder(folder).in_file(folder.string()));
  return opened.flush_file_system().in_file(folder.string());
}

}  // namespace fiducial
