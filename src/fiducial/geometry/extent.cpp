#include "fiducial/geometry/extent.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

std::string Extent::text() const { return decimal(x) + " x " + decimal(y) + " x " + decimal(z); }

}  // namespace fiducial
