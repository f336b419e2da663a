#include "fiducial/base/case_budget.h"

#include <algorithm>
#include <ctime>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

thread_local CaseBudget* current_budget = nullptr;

// Of this thread alone, so that a loaded machine fails no case that an idle one scores.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

CaseBudget::CaseBudget(const CaseLimits& limits)
    : limits_(limits), outer_(current_budget), began_s_(processor_seconds()) {
  current_budget = this;
}

CaseBudget::~CaseBudget() { current_budget = outer_; }

CaseLimits CaseBudget::limits() { return current_budget == nullptr ? CaseLimits{} : current_budget->limits_; }

void CaseBudget::met_components(std::int64_t count) {
  if (current_budget != nullptr) current_budget->components_ = std::max(current_budget->components_, count);
}

bool CaseBudget::took_too_long() const {
  return processor_seconds() - began_s_ > static_cast<double>(limits_.seconds);
}

bool CaseBudget::is_out_of_time() { return current_budget != nullptr && current_budget->took_too_long(); }

std::optional<std::string> CaseBudget::overdrawn() const {
  if (components_ > limits_.components) {
    return "a mask has " + decimal(components_) + " components; at most " + decimal(limits_.components) +
           " are scored (--max-components)";
  }
  if (took_too_long()) {
    return "scoring took more than " + decimal(limits_.seconds) +
           " seconds of processor time (--max-case-seconds)";
  }
  return std::nullopt;
}

}  // namespace fiducial
