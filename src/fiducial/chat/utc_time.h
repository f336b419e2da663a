#pragma once

#include <cstdint>
#include <string>

namespace fiducial {

// The time of day, in UTC: "2026-03-01T12:00:00.000Z".
std::string utc_now();
std::int64_t unix_seconds_now();

}  // namespace fiducial
