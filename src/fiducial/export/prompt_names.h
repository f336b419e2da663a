#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// What people say a name stands for, where no rule can tell: by case and name.
using NameTable = std::map<std::pair<std::string, std::string>, std::string>;

// CSV with the columns case, name and prompt; the prompt is a sentence, or its number from 0. Names and cases
// are taken without .nii.gz. Refuses two rows for one name.
Result<NameTable> parse_name_table(std::string_view csv);

// A name as names are compared: words of letters and digits, without case and accents.
std::string plain_prompt_name(std::string_view text);

// What a name stands for, and by which rule: "table", "number" (_f3_...), "equal", "plain" (but for case,
// accents and signs) or "truncated". Several prompts only where their texts are one.
struct PromptMatch {
  std::vector<std::size_t> prompts;
  std::string rule;
};

// For every name of a case the prompts that it stands for. Refuses, with the choices, a name that fits two
// prompts or none, and two names for one prompt.
Result<std::vector<PromptMatch>> match_prompts(const std::string& case_stem,
                                               std::span<const std::string> names,
                                               std::span<const std::string> prompts, const NameTable& table);

// Whether a name stands for any prompt of a case. The names of a label map are those of all cases.
bool fits_a_prompt(const std::string& case_stem, const std::string& name,
                   std::span<const std::string> prompts, const NameTable& table);

}  // namespace fiducial
