// error: ignoring return
#include "fiducial/base/result.h"

fiducial::Result<int> answer();

void ask() {
#ifdef MUST_COMPILE
  static_cast<void>(answer());
#else
  answer();
#endif
}
