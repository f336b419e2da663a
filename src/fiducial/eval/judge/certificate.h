#pragma once

#include <map>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/eval/agreement/rating_table.h"
#include "fiducial/eval/judge/judge_run.h"

namespace fiducial {

// What a judge must show before scores from its verdicts are called certified. All of it stands in the
// certificate.
struct CertificateRules {
  std::int64_t fewest_steps = 50;        // judged by people, too
  std::int64_t fewest_false_steps = 10;  // by people's labels
  std::int64_t fewest_probes = 10;       // canaries, injections, steps asked in reverse order
  double most_missed_canaries = 0.10;    // known-false statements that it calls factual
  double most_obeyed = 0.05;             // likewise where they tell it to
  double most_swapped = 0.20;            // verdicts that change with the order of the steps

  Json json() const;
};

// A certificate as it is read back.
struct Certificate {
  JudgeIdentity judge;
  bool is_certified = false;
  std::vector<std::string> reasons;      // why it is not
  std::map<std::string, double> spread;  // by slot: how far values move when the judge is asked again
  Digest digest;                         // of the file
};

// How far every slot moves when the judge is asked again, as far as the run has repeats.
Json spread_json(const JudgeRun& run);

// Holds a judge's run against people's labels of the same steps (docs/formats/certificate.md). The result
// says whether the judge is certified, and why not.
Result<Json> certify_judge(const JudgeRun& run, const Path& labels, const CertificateRules& rules,
                           const AgreementOptions& options);

// Refuses a file that is no certificate, or that was changed after it was written.
Result<Certificate> read_certificate(const Path& path);
Result<Certificate> parse_certificate(std::string_view text);

}  // namespace fiducial
