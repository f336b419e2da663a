#pragma once

#include <string_view>
#include <vector>

#include "fiducial/metrics/contract.h"

namespace fiducial {

// What is promised about the values of control prompts.
const std::vector<MetricContract>& control_contracts();

// The contract of an id that control_contracts() holds.
const MetricContract& control_contract(std::string_view id);

}  // namespace fiducial
