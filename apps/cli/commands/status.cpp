#include <memory>
#include <string>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/jobs/job_plan.h"
#include "fiducial/workflows/ask_run.h"

#include "command.h"
#include "job_status.h"

namespace fiducial::cli {

namespace {

struct StatusOptions {
  std::string folder;
  std::string format = "lines";
  bool missing = false;
  bool json = false;
};

std::string status_text(const Json& status) {
  const Json& plan = *status.find("plan");
  const Json& calls = *status.find("calls");
  const Json& tokens = *calls.find("tokens");
  std::string out = text_at(plan, "workflow") + " of " + text_at(plan, "benchmark") + " " +
                    text_at(plan, "split") + " by " + text_at(plan, "model") + "\n";
  out += decimal(integer_at(calls, "replies")) + " replies, " +
         decimal(integer_at(calls, "failed_attempts")) + " failed attempts, " +
         decimal(integer_at(tokens, "prompt")) + " + " + decimal(integer_at(tokens, "completion")) +
         " tokens\n";
  out += "first asked " + text_at(calls, "first_started") + ", last " + text_at(calls, "last_started") + "\n";
  if (const Json* batches = status.find("batches")) {
    for (const Json& batch : *batches->as_array()) {
      const std::string id = text_at(batch, "id");
      out += "batch " + (id.empty() ? std::string("without an id yet") : id) + ": " +
             decimal(integer_at(batch, "requests")) + " requests, begun " + text_at(batch, "started") +
             (flag_at(batch, "is_open").value_or(false) ? ", with the endpoint\n" : ", ended\n");
    }
  }
  const Json* ended = status.find("ended");
  if (flag_at(status, "is_running").value_or(false)) return out + "running\n";
  if (ended == nullptr) return out + "not ended; the same command goes on\n";
  const Json& items = *ended->find("items");
  out += decimal(integer_at(items, "answered")) + " of " + decimal(integer_at(items, "all")) +
         " items answered, " + decimal(integer_at(items, "failed")) + " failed, " +
         decimal(integer_at(items, "open")) + " open\n";
  const std::string stopped = text_at(*ended, "stopped");
  return out + (stopped.empty() ? "finished\n" : "stopped: " + stopped + "\n");
}

Result<int> show_status(const StatusOptions& options, Console& console) {
  if (is_job(options.folder))
    return show_job_status({options.folder, options.missing, options.format, options.json}, console);
  if (options.missing)
    return bad_usage("--missing: " + options.folder + " is no job; of a run errors.jsonl says it");
  FIDUCIAL_TRY(const Json status, run_status(options.folder));
  console.print(options.json ? status.pretty() : status_text(status));
  return 0;
}

}  // namespace

Command status_command() {
  return {.name = "status",
          .summary = "Say how far a job, or the run of a model, is",
          .example = "fiducial status JOB --missing",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<StatusOptions>();
            verb.add_option("RUN", options->folder,
                            "Folder of a job (fiducial plan) or of a run (fiducial run)")
                ->required();
            verb.add_flag("--json", options->json,
                          "Print plan, calls and manifest, or what is done of a job, as JSON");
            verb.add_flag("--missing", options->missing, "Of a job: print the units that have no result yet");
            verb.add_option("--format", options->format, "How: lines, slurm (0-3,7) or json")
                ->one_of({"lines", "slurm", "json"})
                ->capture_default_str();
            return [options](Console& console) { return show_status(*options, console); };
          }};
}

}  // namespace fiducial::cli
