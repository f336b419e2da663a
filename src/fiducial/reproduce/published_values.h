#pragma once

#include <string>
#include <vector>

#include "fiducial/reproduce/model_facts.h"
#include "fiducial/reproduce/result_table.h"

namespace fiducial {

// Appends what a benchmark's paper and leaderboard state to the tables made again from scores, as rows that
// name their source. The values stand in data/published_*.csv.
Outcome add_published_values(const std::string& benchmark, std::vector<ResultTable>& tables);

// What is known of the models on the published leaderboard.
Result<ModelFactsTable> published_model_facts();

}  // namespace fiducial
