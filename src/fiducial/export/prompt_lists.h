#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/export/export_target.h"

namespace fiducial {

// Lists of images, sentences and masks that text-prompted segmenters take.
struct PromptListRequest {
  std::string to;  // "voxtell" or "sat"
  Path dataset;
  Path volumes;                      // CTs as NIfTI
  std::optional<std::string> split;  // default: the one that scoring takes
  Path output;                       // a folder
};

struct PromptListCounts {
  std::int64_t cases = 0;
  std::int64_t findings = 0;
};

// Writes OUT/training.jsonl, a line a finding: image, prompt, mask file and its channel; and what the
// segmenter is started with. voxtell: jobs.json, a job a finding, whose image is a link
// images/CASE__f3.nii.gz, so that no two sentences write one file. sat: queries.jsonl, a line a case. Paths
// are absolute. fiducial pack reads what comes out. Findings that are withheld, CTs that are missing or no
// files, are refused.
Result<PromptListCounts> write_prompt_lists(const PromptListRequest& request);

// The same as an export target asks for it.
Result<ExportOutcome> export_prompt_lists(const std::string& to, const ExportCall& call);

}  // namespace fiducial
