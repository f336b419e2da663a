// Plans and results of jobs, and what parts of a check kept: text from anybody is refused in words, or comes
// back as it was written.
#include "fiducial/datasets/case_checks.h"
#include "fiducial/jobs/job_folder.h"
#include "fiducial/jobs/job_plan.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

void parse_plan(std::string_view text) {
  const Result<JobPlan> plan = parse_job_plan(text);
  if (!plan.ok()) {
    fuzz::require(!plan.error().text().empty());
    return;
  }
  const Result<JobPlan> again = parse_job_plan(job_plan_text(*plan));
  fuzz::require(again.ok() && again->cases == plan->cases && again->units == plan->units);
}

// A plan whose results have any text: its hash is of nothing.
void parse_result(std::string_view text) {
  JobPlan plan;
  plan.units = 4;
  const Result<UnitResult> result = parse_unit(text, plan);
  if (!result.ok()) {
    fuzz::require(!result.error().text().empty());
    return;
  }
  const Result<UnitResult> again = parse_unit(unit_text(plan, *result), plan);
  fuzz::require(again.ok() && again->files == result->files);
}

void parse_checks(std::string_view text) {
  const Result<Json> value = parse_json(text);
  if (!value.ok()) return;
  const Result<CheckedFiles> checked = CheckedFiles::parse(*value);
  if (!checked.ok()) return;
  const Result<CheckedFiles> again = CheckedFiles::parse(checked->json());
  fuzz::require(again.ok() && again->problems.all() == checked->problems.all());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = as_text(fuzz::view(bytes, size));
  parse_plan(text);
  parse_result(text);
  parse_checks(text);
  return 0;
}
