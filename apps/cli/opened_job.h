#pragma once

#include <memory>

#include "planned_verb.h"

namespace fiducial::cli {

// A job that was read from its folder, with the verb that it is of.
class OpenedJob {
 public:
  static Result<std::unique_ptr<OpenedJob>> open(const Path& folder, int threads, Console& console);

  const JobPlan& plan() const { return plan_; }
  const JobFolder& folder() const { return folder_; }
  const PlannedVerb& verb() const { return *verb_; }
  OpenJob job() const { return {plan_, folder_, executor_, *console_}; }

  // An integrity error where a file is not what it was when the job was planned.
  Outcome check_inputs() const;
  Outcome check_cases(std::int64_t unit, const std::vector<CaseInput>& found) const;

 private:
  OpenedJob(Path folder, JobPlan plan, const PlannedVerb& verb, int threads, Console& console)
      : plan_(std::move(plan)),
        folder_(std::move(folder), plan_),
        verb_(&verb),
        executor_(threads),
        console_(&console) {}

  JobPlan plan_;
  JobFolder folder_;
  const PlannedVerb* verb_;
  Executor executor_;
  Console* console_;
};

}  // namespace fiducial::cli
