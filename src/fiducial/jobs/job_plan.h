#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

// A case of a job: what it weighs, the unit it is worked in, and how its files looked when the job was
// planned.
struct JobCase {
  std::string name;
  std::uint64_t bytes = 0;
  std::int64_t unit = 0;
  std::string state;  // see state_of_case
  friend bool operator==(const JobCase&, const JobCase&) = default;
};

// Work that is cut into units, which any number of workers take anywhere (plan.json of a job).
//
// A plan is data: it names no worker. Whoever holds the same plan holds the same digest, which every result
// names. Units are 0 .. units - 1; cases stand in the order of the verb.
struct JobPlan {
  std::string verb;     // "score"
  std::string version;  // of the tool
  std::string build;    // of the tool
  Json request;         // what the verb was asked for, resolved; an object
  Json inputs;          // see state_of_inputs; an array
  std::int64_t units = 0;
  bool may_differ = false;  // two results of a unit need not be equal: a model was asked
  bool is_private = false;  // results tell of single cases what the output withholds
  std::vector<JobCase> cases;
  Digest digest;  // of the plan's text

  std::uint64_t bytes() const;
  // The places of a unit's cases, ascending.
  std::vector<std::size_t> cases_of(std::int64_t unit) const;
};

inline constexpr const char* job_plan_file = "plan.json";
inline constexpr std::int64_t most_units = 1'000'000;

// Deals cases to units, the longest first, each to the unit that has least; ties go by name, then by number.
// No unit is left empty: there are at most as many as cases.
void balance(JobPlan& plan, std::int64_t units);

// The plan as text, with its own hash on the last line.
std::string job_plan_text(const JobPlan& plan);
// Refuses a text that was changed.
Result<JobPlan> parse_job_plan(std::string_view text);

// Whether a folder holds the plan of a job.
bool is_job(const Path& folder);
// The plan of a job that this very build planned; work by another one might give other numbers.
Result<JobPlan> read_job_plan(const Path& job);
// Version and build of this command.
std::string this_build();

// Makes the folder of a job. Refuses one that exists. That of a private job is its owner's alone; one in a
// bucket is refused, as the bucket says who reads it.
Outcome write_job(const Path& job, JobPlan& plan);

}  // namespace fiducial
