#include <algorithm>

#include "fiducial/workflows/prompt.h"

namespace fiducial {

#define FIDUCIAL_PROMPT(name, variables) std::string_view embedded_##name();
#include "fiducial/workflows/all_prompts.def"
#undef FIDUCIAL_PROMPT

namespace {

struct EmbeddedPrompt {
  std::string_view name;
  std::string_view variables;
  std::string_view (*text)();
};

constexpr EmbeddedPrompt embedded_prompts_of_workflows[] = {
#define FIDUCIAL_PROMPT(name, variables) {#name, variables, embedded_##name},
#include "fiducial/workflows/all_prompts.def"
#undef FIDUCIAL_PROMPT
};

const EmbeddedPrompt& embedded(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(embedded_prompts_of_workflows), std::end(embedded_prompts_of_workflows),
                   [name](const EmbeddedPrompt& each) { return each.name == name; });
  FIDUCIAL_ASSERT(found != std::end(embedded_prompts_of_workflows));
  return *found;
}

}  // namespace

std::string_view embedded_prompt(std::string_view name) { return embedded(name).text(); }

std::vector<std::string> prompt_variables(std::string_view name) {
  std::vector<std::string> out;
  std::string_view rest = embedded(name).variables;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::vector<std::string> prompt_names() {
  std::vector<std::string> out;
  for (const EmbeddedPrompt& each : embedded_prompts_of_workflows) out.emplace_back(each.name);
  return out;
}

}  // namespace fiducial
