#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/cases/grounded_case.h"

namespace fiducial {

// The key to the prompts of a dataset of controls; never shown to a model.
inline constexpr const char* controls_file = "controls.jsonl";

// What a prompt asks of a model.
enum class ControlKind {
  finding,        // a finding of the case, as the dataset words it
  paraphrase,     // the same finding in other words
  swapped_side,   // the same words with left and right exchanged, where no such finding is stated
  swapped_lobe,   // likewise with another lobe
  denied,         // what the report says is absent
  other_patient,  // a finding of another patient that this report denies
  silent,         // a finding of another patient that this report does not speak of: nobody knows
};
std::string_view to_string(ControlKind kind);
std::optional<ControlKind> find_control_kind(std::string_view name);

bool is_swapped(ControlKind kind);
// Whether the right answer is an empty mask, by the report's own words.
bool must_be_empty(ControlKind kind);
// Whether a prompt is a finding of its case in changed words.
bool is_changed_finding(ControlKind kind);

// One prompt of a case; its place in the list is its channel.
struct ControlPrompt {
  ControlKind kind = ControlKind::finding;
  std::string text;
  std::int64_t finding = 0;  // the channel of the finding that was changed; of others unused
  std::string category;      // of the finding, where its dataset gives one
  Json origin;               // how it was made: rule, finding, characters of the report, other patient
};

using ControlCases = std::map<std::string, std::vector<ControlPrompt>>;  // by the name of the case

// A line of controls.jsonl, and back.
Json to_json(const std::string& name, const std::vector<ControlPrompt>& prompts);

struct ControlsFile {
  Digest digest;
  ControlCases cases;
};
// Refuses, with the line: what is no such object, kinds that are not known, a case that occurs twice, and a
// changed prompt of no finding.
Result<ControlsFile> parse_controls(std::string_view text);
Result<ControlsFile> read_controls(const Path& folder);

// Refuses a case whose prompts are not those that the dataset lists, word by word.
Outcome hold_against(const GroundedCase& entry, const std::vector<ControlPrompt>* prompts);

}  // namespace fiducial
