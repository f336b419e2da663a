#pragma once

#include <cstdint>
#include <string_view>

namespace fiducial {

// Which Hounsfield units are drawn from black to white.
struct IntensityWindow {
  std::string_view name;
  double centre_hu = 0;
  double width_hu = 1;

  std::uint8_t grey(float hu) const;  // black for values that are no number
};

inline constexpr IntensityWindow lung_window{"lung window", -600, 1500};
inline constexpr IntensityWindow soft_tissue_window{"soft tissue window", 40, 400};

// The window a radiologist would look at findings of a category with.
IntensityWindow window_of(std::string_view category);

}  // namespace fiducial
