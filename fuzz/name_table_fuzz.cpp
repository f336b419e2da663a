// Tables of names of any bytes, and names that come out of them held against prompts that do.
#include "fiducial/export/prompt_names.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<NameTable> table = parse_name_table(as_text(fuzz::view(bytes, size)));
  if (!table.ok()) return 0;
  std::vector<std::string> prompts;
  std::vector<std::string> names;
  for (const auto& [place, prompt] : *table) {
    prompts.push_back(prompt);
    names.push_back(place.second);
  }
  for (const auto& [place, prompt] : *table) {
    const auto matches = match_prompts(place.first, names, prompts, *table);
    if (!matches.ok()) continue;
    fuzz::require(matches->size() == names.size());
    for (const PromptMatch& match : *matches) fuzz::require(!match.prompts.empty());
  }
  return 0;
}
