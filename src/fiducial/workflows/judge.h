#pragma once

#include <string>

#include "fiducial/eval/judge/judge_run.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

// Who judges when a model is asked in this way.
JudgeIdentity judge_identity(const AskedAs& asked);

// The lines of verdicts.jsonl and probes.jsonl (docs/formats/certificate.md). The first sample gives the
// verdicts, further ones are repeats.
class JudgeLines {
 public:
  explicit JudgeLines(std::string identity) : identity_(std::move(identity)) {}

  void add(const std::string& title, const CaseAnswer& answer, std::int64_t sample);

  std::string verdicts;
  std::string probes;

 private:
  std::string identity_;
};

}  // namespace fiducial
