#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/task/shard.h"
#include "fiducial/jobs/work_loop.h"

#include "command.h"
#include "opened_job.h"

namespace fiducial::cli {

namespace {

struct WorkOptions {
  std::string job;
  std::string worker;
  std::optional<std::int64_t> unit;
  double patience_s = 180;
  int threads = 0;
  bool no_copies = false;
};

std::optional<std::int64_t> number_in(const char* variable) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): before any thread
  return text == nullptr ? std::nullopt : parse_integer(text);
}

// What a scheduler says of this worker. Only where it begins depends on it, never what comes out.
Outcome place_worker(const WorkOptions& options, WorkRequest& request) {
  if (!options.worker.empty()) {
    FIDUCIAL_TRY(const Shard place, Shard::parse(options.worker));
    request.index = place.index;
    request.workers = place.count;
    return done();
  }
  request.index = static_cast<std::int64_t>(::getpid());
  for (const auto& [index, count] : {std::pair("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"),
                                     std::pair("JOB_COMPLETION_INDEX", "FIDUCIAL_WORKERS")}) {
    const auto number = number_in(index);
    if (!number || *number < 0) continue;
    request.index = *number;
    request.workers = std::max<std::int64_t>(1, number_in(count).value_or(16));
    return done();
  }
  request.workers = 16;
  return done();
}

Result<int> work(const WorkOptions& options, Console& console) {
  install_stop_signals();
  WorkRequest request{
      .unit = options.unit, .patience_s = options.patience_s, .makes_copies = !options.no_copies};
  FIDUCIAL_TRY_DONE(place_worker(options, request));
  FIDUCIAL_TRY(const std::unique_ptr<OpenedJob> opened,
               OpenedJob::open(options.job, options.threads, console));
  FIDUCIAL_TRY_DONE(opened->check_inputs());
  if (opened->plan().may_differ) request.makes_copies = false;
  FIDUCIAL_TRY(const PlannedWork planned, opened->verb().open(opened->job()));
  const UnitWork one = [&](std::int64_t unit, const Path& journal) -> Result<UnitResult> {
    FIDUCIAL_TRY(const std::vector<CaseInput> cases, planned.cases(unit));
    FIDUCIAL_TRY_DONE(opened->check_cases(unit, cases));
    return planned.work(unit, journal);
  };
  FIDUCIAL_TRY(const WorkDone done, work_on(opened->folder(), opened->plan(), request, one, console));
  console.note(options.job + ": " + decimal(done.units) + " units done here" +
               (done.copies > 0 ? ", " + decimal(done.copies) + " of them copies" : ""));
  if (!options.unit) console.note("next  fiducial merge " + options.job + " -o OUT");
  return 0;
}

}  // namespace

Command work_command() {
  return {.name = "work",
          .summary = "Work on the units of a job until all are done",
          .example = "fiducial work JOB",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<WorkOptions>();
            verb.add_option("JOB", options->job, "Folder that 'fiducial plan' wrote")->required();
            verb.add_option(
                "--worker", options->worker,
                "Which of how many workers this is, e.g. 0/16: where it begins (default: what Slurm or "
                "Kubernetes says)");
            verb.add_option("--unit", options->unit, "Work on this unit alone, whoever else has it");
            verb.add_option("--patience-s", options->patience_s,
                            "Seconds without a sign of life after which another worker is taken for dead")
                ->positive()
                ->capture_default_str();
            verb.add_flag("--no-copies", options->no_copies,
                          "Do not copy units that other workers are slow with");
            verb.add_option("--threads", options->threads, "Threads (0: one per core)")
                ->check(Range(0, 1024))
                ->capture_default_str();
            return [options](Console& console) { return work(*options, console); };
          }};
}

}  // namespace fiducial::cli
