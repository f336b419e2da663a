#include "job_status.h"

#include "fiducial/base/number_text.h"
#include "fiducial/jobs/slurm_script.h"

#include "opened_job.h"

namespace fiducial::cli {

namespace {

std::string missing_text(const std::vector<std::int64_t>& open, const std::string& format) {
  if (format == "slurm") return open.empty() ? "" : number_ranges(open) + "\n";
  std::string out;
  for (const std::int64_t unit : open) out += decimal(unit) + "\n";
  if (format == "lines") return out;
  Json units{Json::Array{}};
  for (const std::int64_t unit : open) units.push(unit);
  return units.pretty();
}

Json status_json(const OpenedJob& job, const JobProgress& progress) {
  Json claims{Json::Array{}};
  std::int64_t cases_done = 0;
  for (const JobCase& each : job.plan().cases) cases_done += progress.is_done(each.unit) ? 1 : 0;
  for (const auto& [unit, claim] : progress.claims) {
    if (progress.is_done(unit)) continue;
    claims.push(
        Json::object({{"unit", unit}, {"attempt", claim.attempt}, {"held_by", job.folder().holder(claim)}}));
  }
  return Json::object({{"verb", job.plan().verb},
                       {"plan", job.plan().digest.hex()},
                       {"units", job.plan().units},
                       {"done", static_cast<std::int64_t>(progress.results.size())},
                       {"cases", static_cast<std::int64_t>(job.plan().cases.size())},
                       {"cases_done", cases_done},
                       {"claimed", std::move(claims)}});
}

std::string status_text(const OpenedJob& job, const JobProgress& progress) {
  constexpr std::size_t most_lines = 20;
  const auto done = static_cast<std::int64_t>(progress.results.size());
  std::string out = job.plan().verb + ": " + decimal(done) + " of " + decimal(job.plan().units) +
                    " units done, " + decimal(job.plan().cases.size()) + " cases\n";
  std::size_t claimed = 0;
  for (const auto& [unit, claim] : progress.claims) {
    if (progress.is_done(unit) || ++claimed > most_lines) continue;
    out += "  unit " + decimal(unit) + " claimed by " + job.folder().holder(claim) + ", attempt " +
           decimal(claim.attempt + 1) + "\n";
  }
  if (claimed > most_lines) out += "  and " + decimal(claimed - most_lines) + " more\n";
  return out;
}

}  // namespace

Result<int> show_job_status(const JobStatusRequest& request, Console& console) {
  FIDUCIAL_TRY(const std::unique_ptr<OpenedJob> job, OpenedJob::open(request.job, 1, console));
  FIDUCIAL_TRY(const JobProgress progress, job->folder().progress());
  if (request.missing) {
    console.print(missing_text(progress.open_units(job->plan().units), request.format));
  } else {
    console.print(request.json || request.format == "json" ? status_json(*job, progress).pretty()
                                                           : status_text(*job, progress));
  }
  FIDUCIAL_TRY_DONE(check_agreement(job->plan(), progress, request.job));
  return 0;
}

}  // namespace fiducial::cli
