#include "fiducial/drawing/window.h"

#include <algorithm>
#include <cmath>

namespace fiducial {

std::uint8_t IntensityWindow::grey(float hu) const {
  const double share = (static_cast<double>(hu) - (centre_hu - width_hu / 2)) / width_hu;
  if (std::isnan(share)) return 0;
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255));
}

IntensityWindow window_of(std::string_view category) {
  // Pleural effusion and thickening border on the chest wall, which a lung window draws white.
  return category == "2e" ? soft_tissue_window : lung_window;
}

}  // namespace fiducial
