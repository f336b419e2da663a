#include "fiducial/jobs/slurm_script.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string slurm_script(const JobPlan& plan, const Path& job, const Path& program, std::int64_t workers) {
  const std::string last = decimal(std::max<std::int64_t>(1, std::min(workers, plan.units)) - 1);
  return "#!/bin/bash\n"
         "# Submit with: sbatch " +
         quoted((job / slurm_script_file).string()) +
         "\n"
         "# Any number of workers will do, also of several arrays at once: --array, --cpus-per-task, --time "
         "and\n"
         "# --partition may be given to sbatch. Then: fiducial merge " +
         quoted(job.string()) +
         " -o OUT\n"
         "#SBATCH --job-name=fiducial-" +
         plan.verb +
         "\n"
         "#SBATCH --array=0-" +
         last +
         "\n"
         "#SBATCH --cpus-per-task=1\n"
         "#SBATCH --requeue\n"
         "#SBATCH --signal=B:TERM@60\n"
         "#SBATCH --open-mode=append\n"
         "#SBATCH --output=" +
         (job / "log" / "%A_%a.out").string() +
         "\n"
         "set -u\n" +
         quoted(program.string()) + " work " + quoted(job.string()) +
         " --threads \"${SLURM_CPUS_PER_TASK:-1}\" &\n"
         "worker=$!\n"
         "trap 'kill -TERM \"$worker\"' TERM\n"
         "wait \"$worker\"\n"
         "status=$?\n"
         "# A signal ends the wait, and not the worker.\n"
         "while kill -0 \"$worker\" 2>/dev/null; do wait \"$worker\"; status=$?; done\n"
         "# The last task of an array has the number of the array, which would put all tasks back.\n"
         "this=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}\n"
         "if [ \"$status\" -eq 75 ]; then scontrol requeue \"${this:-$SLURM_JOB_ID}\"; fi\n"
         "exit \"$status\"\n";
}

std::string number_ranges(const std::vector<std::int64_t>& ascending) {
  std::string out;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t end = i;
    while (end + 1 < ascending.size() && ascending[end + 1] == ascending[end] + 1) ++end;
    out += (out.empty() ? "" : ",") + decimal(ascending[i]);
    if (end > i) out += '-' + decimal(ascending[end]);
    i = end + 1;
  }
  return out;
}

}  // namespace fiducial
