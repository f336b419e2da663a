#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"
#include "fiducial/jobs/forecast.h"
#include "fiducial/jobs/slurm_script.h"

#include "command.h"
#include "planned_verb.h"

namespace fiducial::cli {

namespace {

struct PlanOptions {
  const PlannedVerb* verb = nullptr;
  std::function<Result<PlannedRequest>()> resolve;
  std::string job;
  std::int64_t units = 0;
  std::int64_t workers = 16;
  double store_mb_s = 1000;
  double core_mb_s = 0;
  bool slurm = false;
  bool json = false;
};

// Enough that workers end together, and few enough that opening the inputs once a unit does not count.
constexpr std::int64_t usual_units = 256;

struct MadePlan {
  JobPlan plan;
  std::map<std::string, std::uint64_t> bytes_by_role;
};

Result<MadePlan> make_plan(const PlanOptions& options, const PlannedRequest& asked) {
  if (asked.cases.empty()) return invalid_data("there is no case to plan");
  MadePlan out;
  out.plan.verb = options.verb->name;
  out.plan.request = asked.request;
  out.plan.may_differ = asked.may_differ;
  out.plan.is_private = asked.is_private;
  FIDUCIAL_TRY(out.plan.inputs, state_of_inputs(asked.inputs));
  out.plan.cases.reserve(asked.cases.size());
  for (const CaseInput& entry : asked.cases) {
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped; nothing was written");
    const CaseState state = state_of_case(entry);
    out.plan.cases.push_back({entry.name, state.bytes, 0, state.digest});
    for (const auto& [role, bytes] : state.by_role) out.bytes_by_role[role] += bytes;
  }
  balance(out.plan, options.units > 0 ? options.units : usual_units);
  return out;
}

Outcome write_slurm(const PlanOptions& options, const JobPlan& plan) {
  std::error_code ignored;
  const Path job = std::filesystem::absolute(options.job).lexically_normal();
  const Path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  FIDUCIAL_TRY_DONE(make_folders(job / "log"));
  return write_file(job / slurm_script_file, slurm_script(plan, job, program, options.workers));
}

Result<int> plan(const PlanOptions& options, Console& console) {
  install_stop_signals();
  if (options.slurm && is_url(options.job))
    return bad_usage("--slurm: sbatch reads no bucket; write a script that calls 'fiducial work " +
                     options.job + "'");
  const auto began = std::chrono::steady_clock::now();
  FIDUCIAL_TRY(const PlannedRequest asked, options.resolve());
  const std::chrono::duration<double> opening = std::chrono::steady_clock::now() - began;
  FIDUCIAL_TRY(MadePlan made, make_plan(options, asked));
  FIDUCIAL_TRY_DONE(write_job(options.job, made.plan));
  if (options.slurm) FIDUCIAL_TRY_DONE(write_slurm(options, made.plan));
  ForecastRates rates{
      .mb_per_core_s = options.core_mb_s > 0 ? options.core_mb_s : options.verb->mb_per_core_s,
      .store_mb_s = options.store_mb_s,
      .opening_s = opening.count()};
  const JobForecast told = forecast(made.plan, made.bytes_by_role, rates);
  console.print(options.json ? told.json().pretty() : told.text());
  console.note("wrote " + options.job + ", plan " + made.plan.digest.hex().substr(0, 12));
  if (made.plan.is_private)
    console.note(options.job +
                 " holds scores of single cases: none but you may read it; remove it once it is merged");
  console.note(options.slurm ? "next  sbatch " + options.job + "/" + slurm_script_file
                             : "next  fiducial work " + options.job + "   (as often and wherever you like)");
  return 0;
}

void define_plan(Verb verb, const PlannedForm& form, PlanOptions& options) {
  options.resolve = form.define(verb);
  constexpr const char* heading = "How the work is cut";
  verb.add_option("-o,--output", options.job, "Folder to write the job to, which all workers see")
      ->required();
  verb.add_option("--units", options.units, "Units to cut the cases into (default: 256, at most one a case)")
      ->check(Range(std::int64_t{1}, most_units))
      ->heading(heading);
  verb.add_flag("--slurm", options.slurm, "Write JOB/work.sbatch, an array of workers")->heading(heading);
  verb.add_option("--workers", options.workers, "Workers of that array")
      ->check(Range(1, 1'000'000))
      ->capture_default_str()
      ->heading(heading);
  verb.add_option("--store-mb-s", options.store_mb_s, "MB a second that the store gives, for the forecast")
      ->positive()
      ->capture_default_str()
      ->heading(heading);
  verb.add_option("--core-mb-s", options.core_mb_s,
                  "MB a second that a core gets through, for the forecast (default: as measured)")
      ->positive()
      ->heading(heading);
  verb.add_flag("--json", options.json, "Print the forecast as JSON");
  verb.footer("Example:\n  " + form.example);
  verb.heading(form.name.empty() ? "Verbs" : "Stages");
}

using ChosenPlan = std::shared_ptr<std::shared_ptr<PlanOptions>>;

void add_form(Verb verb, const PlannedVerb& planned, const PlannedForm& form, const ChosenPlan& chosen) {
  auto options = std::make_shared<PlanOptions>();
  options->verb = &planned;
  define_plan(verb, form, *options);
  verb.callback([chosen, options] { *chosen = options; });
}

}  // namespace

Command plan_command() {
  return {
      .name = "plan",
      .summary = "Cut the work of a verb into units for many machines",
      .example = "fiducial plan score rexgroundingct/ predictions/ --volumes ct-rate/ --units 1000 -o JOB",
      .define = [](Verb verb) -> CommandBody {
        auto chosen = std::make_shared<std::shared_ptr<PlanOptions>>();
        verb.require_subcommand();
        for (const PlannedVerb& each : all_planned_verbs()) {
          const Verb sub = verb.add_subcommand(each.name, each.summary);
          if (each.forms.empty()) {
            add_form(sub, each, {"", each.summary, each.example, each.define}, chosen);
            continue;
          }
          sub.require_subcommand();
          sub.footer("Example:\n  " + each.example);
          sub.heading("Verbs");
          for (const PlannedForm& form : each.forms)
            add_form(sub.add_subcommand(form.name, form.summary), each, form, chosen);
        }
        return [chosen](Console& console) { return plan(**chosen, console); };
      }};
}

}  // namespace fiducial::cli
