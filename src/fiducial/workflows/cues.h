#pragma once

#include <map>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/workflows/shown_case.h"

namespace fiducial {

// Where a cue comes from, as --hints and --summary say it: none, expert, self, or run:RUN.
struct CueChoice {
  CueSource source = CueSource::none;
  Path run;  // whose predictions it is taken from

  static Result<CueChoice> parse(const std::string& option, const std::string& text);
};

// The texts that an earlier run wrote about its cases, by title.
class EarlierTexts {
 public:
  // Refuses a run without texts of steps.
  static Result<EarlierTexts> read(const Path& run);

  const std::string& sha256() const { return sha256_; }  // of the predictions they were taken from
  // Whether that run had its hints, or its summary, from experts.
  bool passes_on_expert_hints() const { return passes_on_expert_hints_; }
  bool passes_on_expert_summary() const { return passes_on_expert_summary_; }
  // The cues of a case; null where the run has none for it.
  const GivenCues* find(const std::string& title) const;

 private:
  std::string sha256_;
  bool passes_on_expert_hints_ = false;
  bool passes_on_expert_summary_ = false;
  std::map<std::string, GivenCues> by_title_;
};

}  // namespace fiducial
