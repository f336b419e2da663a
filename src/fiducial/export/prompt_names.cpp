#include "fiducial/export/prompt_names.h"

#include <algorithm>
#include <optional>

#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/number_text.h"
#include "fiducial/table/csv.h"
#include "fiducial/text/folded_words.h"

namespace fiducial {

namespace {

// Shorter names are no cut-off sentences: "nodule" is not "nodule in the left lung".
constexpr std::size_t shortest_cut_name = 24;

// Every character but letters, digits, blanks and _ is replaced by _, as VoxTell names its files.
std::string safe_name(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == ' ' || (static_cast<unsigned char>(c) & 0x80U) != 0;
    if (!kept) c = '_';
  }
  return out;
}

std::string quoted_prompt(std::size_t index, std::span<const std::string> prompts) {
  std::string text = prompts[index].substr(0, 80);
  if (text.size() < prompts[index].size()) text += "...";
  return decimal(static_cast<std::int64_t>(index)) + " \"" + text + "\"";
}

std::string choices_text(const std::vector<std::size_t>& chosen, std::span<const std::string> prompts) {
  std::string out;
  for (const std::size_t index : chosen) out += (out.empty() ? "" : ", ") + quoted_prompt(index, prompts);
  return out;
}

// "_f3_nodule", "f3" and "3": the number that a name begins with, where it was given one.
std::optional<std::size_t> number_in(std::string_view name) {
  if (name.starts_with("_f"))
    name.remove_prefix(2);
  else if (name.starts_with("finding_"))
    name.remove_prefix(8);
  const std::string_view digits = name.substr(0, name.find('_'));
  if (digits.empty() || digits.size() > 6) return std::nullopt;
  const auto number = parse_integer(digits);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

bool is_numbered(std::string_view name) {
  return name.starts_with("_f") || name.starts_with("finding_") ||
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Prompts that a test holds for.
template <typename Test>
std::vector<std::size_t> prompts_where(std::span<const std::string> prompts, const Test& holds) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    if (holds(prompts[i])) out.push_back(i);
  }
  return out;
}

// By the strongest rule that fits any prompt.
PromptMatch strongest_match(const std::string& name, std::span<const std::string> prompts) {
  if (is_numbered(name)) {
    const auto number = number_in(name);
    if (number && *number < prompts.size()) return {{*number}, "number"};
  }
  auto found = prompts_where(prompts, [&](const std::string& prompt) { return prompt == name; });
  if (!found.empty()) return {found, "equal"};
  found =
      prompts_where(prompts, [&](const std::string& prompt) { return safe_name(prompt) == safe_name(name); });
  if (!found.empty()) return {found, "plain"};
  const std::string plain = plain_prompt_name(name);
  found =
      prompts_where(prompts, [&](const std::string& prompt) { return plain_prompt_name(prompt) == plain; });
  if (!found.empty() && !plain.empty()) return {found, "plain"};
  if (plain.size() < shortest_cut_name) return {{}, ""};
  found = prompts_where(
      prompts, [&](const std::string& prompt) { return plain_prompt_name(prompt).starts_with(plain); });
  return {found, "truncated"};
}

Result<PromptMatch> said_match(const std::string& said, const std::string& name,
                               std::span<const std::string> prompts) {
  auto found = prompts_where(prompts, [&](const std::string& prompt) { return prompt == said; });
  if (found.empty()) {
    const auto number = parse_integer(said);
    if (number && *number >= 0 && static_cast<std::size_t>(*number) < prompts.size()) {
      found.push_back(static_cast<std::size_t>(*number));
    }
  }
  if (!found.empty()) return PromptMatch{found, "table"};
  return invalid_data("the table of names says that \"" + name + "\" is \"" + said +
                      "\", which is no prompt of the case");
}

bool texts_are_one(const std::vector<std::size_t>& chosen, std::span<const std::string> prompts) {
  return std::all_of(chosen.begin(), chosen.end(),
                     [&](std::size_t index) { return prompts[index] == prompts[chosen.front()]; });
}

Result<PromptMatch> match_one(const std::string& case_stem, const std::string& name,
                              std::span<const std::string> prompts, const NameTable& table) {
  if (const auto said = table.find({case_stem, name}); said != table.end()) {
    return said_match(said->second, name, prompts);
  }
  PromptMatch match = strongest_match(name, prompts);
  if (match.prompts.empty()) {
    return invalid_data("\"" + name + "\" is the name of none of " +
                        decimal(static_cast<std::int64_t>(prompts.size())) +
                        " prompts; a table of names (--names) says which it is");
  }
  if (!texts_are_one(match.prompts, prompts)) {
    return invalid_data("\"" + name + "\" fits " + decimal(static_cast<std::int64_t>(match.prompts.size())) +
                        " prompts: " + choices_text(match.prompts, prompts) +
                        "; a table of names (--names) says which it is");
  }
  return match;
}

}  // namespace

Result<NameTable> parse_name_table(std::string_view csv) {
  FIDUCIAL_TRY(const CsvTable table, parse_csv(csv));
  FIDUCIAL_TRY(const std::size_t cases, table.column("case"));
  FIDUCIAL_TRY(const std::size_t names, table.column("name"));
  FIDUCIAL_TRY(const std::size_t prompts, table.column("prompt"));
  NameTable out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto [place, added] = out.try_emplace(
        {volume_stem(table.cell(row, cases)), volume_stem(table.cell(row, names))}, table.cell(row, prompts));
    if (!added) return table.cell_error(row, names, "a second row for \"" + place->first.second + "\"");
  }
  return out;
}

std::string plain_prompt_name(std::string_view text) {
  std::string words(safe_name(text));
  std::replace(words.begin(), words.end(), '_', ' ');
  std::string out;
  for (const FoldedWord& word : folded_words(words)) {
    if (!out.empty()) out += ' ';
    out += word.text;
  }
  return out;
}

bool fits_a_prompt(const std::string& case_stem, const std::string& name,
                   std::span<const std::string> prompts, const NameTable& table) {
  return table.contains({case_stem, name}) || !strongest_match(name, prompts).prompts.empty();
}

Result<std::vector<PromptMatch>> match_prompts(const std::string& case_stem,
                                               std::span<const std::string> names,
                                               std::span<const std::string> prompts, const NameTable& table) {
  std::vector<PromptMatch> out;
  out.reserve(names.size());
  std::map<std::size_t, std::string> taken;
  for (const std::string& name : names) {
    FIDUCIAL_TRY(PromptMatch match, match_one(case_stem, name, prompts, table));
    for (const std::size_t prompt : match.prompts) {
      const auto [other, added] = taken.try_emplace(prompt, name);
      if (added) continue;
      return invalid_data("\"" + other->second + "\" and \"" + name + "\" are both of prompt " +
                          quoted_prompt(prompt, prompts));
    }
    out.push_back(std::move(match));
  }
  return out;
}

}  // namespace fiducial
