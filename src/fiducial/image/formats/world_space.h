#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "fiducial/geometry/affine.h"

namespace fiducial {

// Which way the axes of a file's world point: 1 where as in RAS+, -1 where the other way.
using WorldSigns = std::array<int, 3>;

inline constexpr WorldSigns lps_signs{-1, -1, 1};

// Columns (the step along each index axis) and an origin, given in a world of these signs, as an affine in
// RAS+; and back, which is the same operation. No zero becomes negative.
Affine affine_in_ras(const std::array<Vec3, 3>& steps, const Vec3& origin, const WorldSigns& signs);

}  // namespace fiducial
