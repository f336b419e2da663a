// error: use of deleted function
#include "fiducial/image/nifti_file.h"

fiducial::NiftiImage second(fiducial::NiftiImage& image) {
#ifdef MUST_COMPILE
  return std::move(image);
#else
  return image;
#endif
}
