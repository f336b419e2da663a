// error: has no member named
#include "fiducial/cases/inference_view.h"

std::size_t length(const fiducial::InferenceView& view) {
#ifdef MUST_COMPILE
  return view.history.size();
#else
  return view.discussion.size();
#endif
}
