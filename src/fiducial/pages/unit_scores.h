#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// The score of a unit; nothing where it has none.
std::optional<double> unit_value(const ScoreColumn& column, std::size_t unit);

// Whether a prediction of the unit was scored: neither missing nor refused.
bool is_scored(const ScoreRun& run, const ScoreColumn& column, std::size_t unit);

// The column behind a slot by the rules of the summary's "metrics"; nullptr where there is none.
const ScoreColumn* column_of(const ScoreRun& run, std::string_view slot);
// The same where it is worth drawing unit by unit: means whose units are not right or wrong.
const ScoreColumn* dotted_column(const ScoreRun& run, std::string_view slot);
// The column of a scorer whose contract's id begins so.
const ScoreColumn* find_column(const ScoreRun& run, std::string_view contract, Scorer scorer);

const LabelledUnits* find_group(const ScoreRun& run, std::string_view kind, std::string_view label);

// "valid_3_a_1.nii.gz, finding 2", and what of it fits beside a dot: "valid_3_a_1 · 2".
std::string unit_name(const ScoreRun& run, std::size_t unit, std::string_view what);
std::string short_unit_name(const ScoreRun& run, std::size_t unit, std::string_view what);

}  // namespace fiducial
