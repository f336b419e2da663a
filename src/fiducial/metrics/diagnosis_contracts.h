#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/metrics/contract.h"

namespace fiducial {

// What is promised about every value of a run of answers: accuracies, texts of the steps, RadCliQ, judged
// steps, and discussions.
const std::vector<MetricContract>& diagnosis_contracts();

// The contract of an id that diagnosis_contracts() holds.
const MetricContract& diagnosis_contract(std::string_view id);

// The name under which a summary shows the value of one of these: its id without the variant.
std::string diagnosis_slot(const MetricContract& contract);

// The kinds of error a judge may find in a step: as a verdict spells it, and as slots name it.
struct StepErrorType {
  std::string_view label;  // "Image Understanding Err"
  std::string_view word;   // "image_understanding"
};
inline constexpr StepErrorType step_error_types[] = {{"Reasoning Err", "reasoning"},
                                                     {"Image Understanding Err", "image_understanding"},
                                                     {"Clinical Scenario Err", "clinical_scenario"},
                                                     {"Medical Knowledge Err", "medical_knowledge"}};

// The items of the education rubric, 0 to 2 each.
inline constexpr std::string_view education_items[] = {"disease_definition", "clinical_manifestation",
                                                       "imaging_findings", "diagnostic_reasoning",
                                                       "transferable_learning"};

}  // namespace fiducial
