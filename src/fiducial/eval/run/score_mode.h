#pragma once

#include <string_view>

#include "fiducial/base/result.h"

namespace fiducial {

// By whose rules a run is scored: ours, those of the benchmark's published scorer, or both in one pass.
enum class ScoreMode { both, strict, official };
std::string_view to_string(ScoreMode mode);
Result<ScoreMode> parse_score_mode(std::string_view text);

}  // namespace fiducial
