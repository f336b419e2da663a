#pragma once

#include <cstdint>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Invented systems that answer control prompts, with the good system's masks: "listens" heeds the words but
// for a slip here and there, "deaf" answers every prompt with all findings of the scan, "silent" answers
// none.
inline constexpr const char* demo_control_systems[] = {"listens", "deaf", "silent"};

// Where answers come from.
struct DemoControls {
  Path controls;  // what curate controls wrote
  Path masks;     // of the good system, a channel a finding
  std::uint64_t seed = 1;
};
Outcome write_demo_control_answers(const DemoControls& from, const Path& folder);

}  // namespace fiducial
