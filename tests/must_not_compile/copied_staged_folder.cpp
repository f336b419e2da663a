// error: use of deleted function
#include "fiducial/base/file.h"

fiducial::StagedFolder second(fiducial::StagedFolder& folder) {
#ifdef MUST_COMPILE
  return std::move(folder);
#else
  return folder;
#endif
}
