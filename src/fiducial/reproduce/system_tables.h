#pragma once

#include <vector>

#include "fiducial/reproduce/result_table.h"
#include "fiducial/reproduce/scored_systems.h"

namespace fiducial {

// The tables that ReXGroundingCT's leaderboard publishes: overall, focal and other findings, categories. By
// official rules where a folder has them.
std::vector<ResultTable> rexgroundingct_tables(const std::vector<ScoredSystem>& systems);

// The table of texts by region that Reg2RG publishes for RadGenome-Chest CT.
std::vector<ResultTable> radgenome_tables(const std::vector<ScoredSystem>& systems);

}  // namespace fiducial
