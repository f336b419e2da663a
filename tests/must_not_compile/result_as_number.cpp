// error: cannot convert
#include "fiducial/base/result.h"

fiducial::Result<int> answer();

int ask() {
#ifdef MUST_COMPILE
  return answer().value();
#else
  return answer();
#endif
}
