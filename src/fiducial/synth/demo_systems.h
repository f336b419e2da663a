#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fiducial/image/label_map.h"
#include "fiducial/synth/demo_case.h"

namespace fiducial {

// Invented segmentation systems whose strengths and faults are known.
enum class DemoSystem {
  good,     // ragged edges, an entity missed here and there
  weak,     // misplaced, incomplete, with false alarms, specks and empty channels
  flipped,  // the good one with x and y reversed: an LPS/RAS mix-up
};

inline constexpr std::array<DemoSystem, 3> all_demo_systems{DemoSystem::good, DemoSystem::weak,
                                                            DemoSystem::flipped};

std::string_view to_string(DemoSystem system);

// One mask of ones per finding of the case, on the identity grid of its truth.
std::vector<LabelMap> predicted(DemoSystem system, std::uint64_t seed, const DemoCasePlan& plan,
                                const DemoCase& truth);

}  // namespace fiducial
