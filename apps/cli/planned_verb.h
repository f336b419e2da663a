#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/jobs/input_state.h"
#include "fiducial/jobs/job_folder.h"

#include "console.h"
#include "verb.h"

namespace fiducial::cli {

// What 'fiducial plan VERB' is asked for, once it is resolved: what a plan is made of.
struct PlannedRequest {
  Json request;                  // all that the verb needs to work and merge; an object
  std::vector<JobInput> inputs;  // that no single case is read from
  std::vector<CaseInput> cases;  // in the order of the verb
  bool may_differ = false;       // work done twice may give two results
  bool is_private = false;       // results tell more than the output will
};

// How a verb works on the units of a plan.
struct PlannedWork {
  // The cases of a unit as they are now.
  std::function<Result<std::vector<CaseInput>>(std::int64_t unit)> cases;
  std::function<Result<UnitResult>(std::int64_t unit, const Path& journal)> work;
};

// A job as a verb meets it.
struct OpenJob {
  const JobPlan& plan;
  const JobFolder& folder;
  const Executor& executor;
  Console& console;
};

// Where the parts of a job go.
struct MergeRequest {
  std::string output;
  bool overwrite = false;
  bool json = false;
};

// One of several things that a verb does, such as a stage of curation: what is typed behind its name.
struct PlannedForm {
  std::string name;  // empty: nothing is typed
  std::string summary;
  std::string example;
  // Declares what the form takes, on 'fiducial plan VERB NAME', and returns what resolves it.
  std::function<std::function<Result<PlannedRequest>()>(Verb verb)> define;
};

// A verb whose work is case by case, and so can be planned, worked on anywhere and merged: a file in planned/
// and a line in all_planned.def. plan, work, status and merge read this declaration and know no verb.
struct PlannedVerb {
  std::string name;
  std::string summary;
  std::string example;
  double mb_per_core_s = 60;  // bytes of cases that a core gets through, for the forecast; docs/scaling.md
  // Declares what the verb takes, on 'fiducial plan NAME', and returns what resolves it.
  std::function<std::function<Result<PlannedRequest>()>(Verb verb)> define;
  std::vector<PlannedForm> forms;  // instead, where there are several
  Result<PlannedWork> (*open)(const OpenJob& job) = nullptr;
  // Concludes the job as the verb itself would have; returns its exit status.
  Result<int> (*merge)(const OpenJob& job, const MergeRequest& request) = nullptr;
};

const std::vector<PlannedVerb>& all_planned_verbs();
Result<const PlannedVerb*> find_planned_verb(const std::string& name);

// Where a path leads from anywhere; one that is not there stays as it was given.
std::string absolute_text(const std::string& path);

// The cases of a unit by name.
std::vector<std::string> names_of_unit(const JobPlan& plan, std::int64_t unit);

// PlannedWork::cases of a verb that lists all its cases: they are listed once, however many units a worker
// takes.
std::function<Result<std::vector<CaseInput>>(std::int64_t unit)> cases_listed_once(
    const JobPlan& plan, std::function<Result<std::vector<CaseInput>>()> list);

}  // namespace fiducial::cli
