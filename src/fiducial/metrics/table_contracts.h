#pragma once

#include <string_view>
#include <vector>

#include "fiducial/metrics/contract.h"

namespace fiducial {

// What is promised about every value of a run of tables (RadGenome-Chest CT) and of grounded reports.
const std::vector<MetricContract>& table_contracts();

// The contract of an id that table_contracts() or the text metrics hold.
const MetricContract& table_contract(std::string_view id);

}  // namespace fiducial
