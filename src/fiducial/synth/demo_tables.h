#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Invented systems that answer the questions of tables in RadGenome-Chest CT's layout: "careful" is right in
// four of five rows, "blind" gives every question of a table its commonest answer.
inline constexpr const char* demo_table_systems[] = {"careful", "blind"};

// Writes FOLDER/SYSTEM/{presence,abnormality,...}.csv for every table of a folder.
Outcome write_demo_table_answers(const Path& tables, const Path& folder, std::uint64_t seed);

// Systems that write grounded reports of the demo's test cases: both say what the reference says, "right"
// with the good system's masks, "misplaced" with those that lie mirrored.
inline constexpr const char* demo_grounded_systems[] = {"right", "misplaced"};
Outcome write_demo_grounded_reports(const Path& demo, const Path& folder);

}  // namespace fiducial
