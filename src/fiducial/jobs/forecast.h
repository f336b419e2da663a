#pragma once

#include <map>
#include <string>

#include "fiducial/jobs/job_plan.h"

namespace fiducial {

// What a job will cost by a model of two numbers: how fast a core gets through bytes, and how fast the store
// gives them. Measured values and their limits stand in docs/scaling.md.
struct JobForecast {
  std::int64_t cases = 0;
  std::int64_t units = 0;
  std::uint64_t bytes = 0;
  std::map<std::string, std::uint64_t> bytes_by_role;
  double core_s = 0;            // of work, and of opening the inputs once a unit
  double opening_s = 0;         // of that
  double store_s = 0;           // until the store has given all bytes
  std::int64_t most_cores = 1;  // more of them wait for the store, or for the largest unit
  double largest_share = 0;     // of the bytes that the largest unit has

  Json json() const;
  std::string text() const;
};

struct ForecastRates {
  double mb_per_core_s = 60;
  double store_mb_s = 1000;
  double opening_s = 0;  // that a unit takes to list its cases and read what is common
};

JobForecast forecast(const JobPlan& plan, const std::map<std::string, std::uint64_t>& bytes_by_role,
                     const ForecastRates& rates);

}  // namespace fiducial
