#include "fiducial/workflows/prompt.h"

#include <algorithm>

#include "fiducial/base/git_checkout.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

namespace {

constexpr std::size_t largest_prompt = std::size_t{1} << 20;

// The first variable of a line that is none of the known ones.
std::string unknown_variable(std::string_view line, const std::vector<std::string>& known) {
  for (std::size_t open = line.find("{{"); open != std::string_view::npos; open = line.find("{{", open)) {
    const std::size_t close = line.find("}}", open);
    if (close == std::string_view::npos) return std::string(line.substr(open));
    std::string name(line.substr(open + 2, close - open - 2));
    if (std::find(known.begin(), known.end(), name) == known.end()) return name;
    open = close + 2;
  }
  return {};
}

}  // namespace

Result<PromptWords> PromptWords::parse(std::string_view text, const std::vector<std::string>& variables,
                                       const std::string& place) {
  PromptWords out;
  out.sha256_ = fiducial::sha256(as_bytes(text)).hex();
  std::string* section = nullptr;
  std::uint64_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const auto problem = [&](std::string message) {
      return Error(ErrorCode::invalid_data, std::move(message), Place{.path = place, .line = number});
    };
    const std::string_view heading = trimmed(line);
    if (heading == "[system]" || heading == "[user]") {
      section = heading == "[system]" ? &out.system_ : &out.user_;
      continue;
    }
    if (section == nullptr) {
      if (heading.empty()) continue;
      return problem("expected [system] or [user] before the first words");
    }
    const std::string unknown = unknown_variable(line, variables);
    if (!unknown.empty()) return problem(unknown_name("variable", unknown, variables));
    section->append(line).append("\n");
  }
  for (std::string* words : {&out.system_, &out.user_}) *words = std::string(trimmed(*words));
  if (out.user_.empty())
    return Error(ErrorCode::invalid_data, "expected words under [user], found none", Place{.path = place});
  return out;
}

std::string PromptWords::filled(const std::string& words, const PromptValues& values) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t open = words.find("{{"); open != std::string::npos; open = words.find("{{", copied)) {
    const std::size_t close = words.find("}}", open);
    if (close == std::string::npos) break;
    out.append(words, copied, open - copied);
    const auto value = values.find(words.substr(open + 2, close - open - 2));
    if (value != values.end()) out += value->second;
    copied = close + 2;
  }
  return out.append(words, copied, words.size() - copied);
}

Result<PromptSet> PromptSet::load(const std::vector<std::string>& names, const std::string& source) {
  constexpr std::string_view upstream = "upstream=";
  const bool is_upstream = source.starts_with(upstream);
  const Path folder(is_upstream ? source.substr(upstream.size()) : source);
  PromptSet out;
  bool found_any = false;
  for (const std::string& name : names) {
    const Path file = folder / (name + ".txt");
    const bool is_theirs = !source.empty() && is_file(file);
    found_any = found_any || is_theirs;
    std::string text(embedded_prompt(name));
    if (is_theirs) {
      FIDUCIAL_TRY(text, read_text_file(file, largest_prompt));
    }
    const std::string place = is_theirs ? file.string() : name + ".txt";
    FIDUCIAL_TRY(PromptWords prompt, PromptWords::parse(text, prompt_variables(name), place));
    out.prompts_.emplace(name, std::move(prompt));
    out.sources_[name] = !is_theirs ? "fiducial" : is_upstream ? "upstream" : "user";
  }
  if (!source.empty() && !found_any) {
    return Error(ErrorCode::bad_usage,
                 "no prompt of this workflow is here; it uses " +
                     joined(names, ", ", [](const std::string& name) { return name + ".txt"; }),
                 Place{.path = folder.string()});
  }
  if (!is_upstream) return out;
  std::string taken;
  for (const auto& [name, prompt] : out.prompts_) {
    if (out.sources_.at(name) == "upstream")
      taken.append(name).append(" ").append(prompt.sha256()).append("\n");
  }
  FIDUCIAL_TRY(const std::optional<std::string> commit, checked_out_commit(folder));
  out.upstream_ = Json::object(
      {{"commit", commit ? Json(*commit) : Json()}, {"sha256", fiducial::sha256(as_bytes(taken)).hex()}});
  return out;
}

Json PromptSet::json() const {
  Json out = Json::Object{};
  for (const auto& [name, prompt] : prompts_)
    out.set(name, Json::object({{"sha256", prompt.sha256()}, {"words_of", sources_.at(name)}}));
  return out;
}

}  // namespace fiducial
