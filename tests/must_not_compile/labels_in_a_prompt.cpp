// error: has no member named
#include "fiducial/workflows/shown_case.h"

std::string words(const fiducial::ShownCase& shown) {
#ifdef MUST_COMPILE
  return shown.view.history;
#else
  return shown.view.discussion;
#endif
}
