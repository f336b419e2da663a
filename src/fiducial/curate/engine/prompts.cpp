#include "fiducial/curate/engine/prompts.h"

#include <algorithm>

#include "fiducial/base/plain_text.h"
#include "fiducial/findings/ontology.h"

namespace fiducial {

std::string_view embedded_prompts();  // data/prompts.txt

namespace {

std::vector<Prompt> parse_prompts(std::string_view text) {
  std::vector<Prompt> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) {
      out.push_back({.id = std::string(line.substr(1, line.find(']') - 1)), .words = {}});
    } else if (!out.empty()) {
      std::string& words = out.back().words;
      append_joined(words, line == "{ontology}" ? ontology_text() : std::string(line), " ");
    }
  }
  return out;
}

}  // namespace

const Prompt& prompt_named(std::string_view name) {
  static const std::vector<Prompt> prompts = parse_prompts(embedded_prompts());
  const auto found = std::find_if(prompts.begin(), prompts.end(), [name](const Prompt& prompt) {
    return prompt.id.starts_with(name) && prompt.id.substr(name.size()).starts_with("/");
  });
  FIDUCIAL_ASSERT(found != prompts.end());
  return *found;
}

ModelRequest request_in_words_of(std::string_view prompt, const Json& user, Json schema) {
  const Prompt& words = prompt_named(prompt);
  return {.prompt = words.id,
          .system = words.words,
          .user = user.compact(),
          .schema = std::move(schema),
          .model = {}};
}

std::vector<std::string> key_names(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : *object.as_object()) out.push_back(key);
  return out;
}

ItemStatus check_reply_form(const Json& reply, const Json& schema) {
  const std::optional<FormProblem> problem = form_problem(reply, schema);
  return problem ? rejected(problem->code, problem->text) : ItemStatus{};
}

}  // namespace fiducial
