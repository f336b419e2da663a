#pragma once

#include <string>
#include <vector>

#include "fiducial/eval/folder/comparison_pool.h"

namespace fiducial {

// Tables of the first version do not say how slots are made of rows: names of slots and metrics tell.
void take_first_statistic(Scorer scorer, PoolRule& rule);

// The names that a count may have there, the likeliest first: ignored regions and partial labels changed the
// ids of some counts of a matching and not of others.
std::vector<std::string> names_of_count(const std::string& metric);

}  // namespace fiducial
