// error: use of deleted function
#include "fiducial/base/file.h"

fiducial::MappedFile second(fiducial::MappedFile& file) {
#ifdef MUST_COMPILE
  return std::move(file);
#else
  return file;
#endif
}
