#pragma once

#include "fiducial/base/json.h"

namespace fiducial {

// What stands where a name is not told.
inline constexpr const char* withheld = "withheld";

// Groups of fewer cases would tell about single ones.
inline constexpr int least_private_cases = 5;

// A summary that tells nothing about single cases: remarks are counted by their code, turned cases are
// counted but not named, and groups of few cases are left out, with as many others as it takes that the
// groups left out cannot be worked out from the rest.
Json private_summary(const Json& summary);

// A plan without the files it was applied to: neither names nor hashes of single cases.
Json private_plan(const Json& plan);

}  // namespace fiducial
