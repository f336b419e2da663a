#include "fiducial/export/hf/hub_page.h"

#include <algorithm>
#include <array>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/version.h"
#include "fiducial/cards/card_markdown.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

// Licences that the Hub knows by these names.
constexpr std::array<std::string_view, 18> hub_licences = {"cc0-1.0",
                                                           "cc-by-2.0",
                                                           "cc-by-3.0",
                                                           "cc-by-4.0",
                                                           "cc-by-sa-3.0",
                                                           "cc-by-sa-4.0",
                                                           "cc-by-nc-2.0",
                                                           "cc-by-nc-3.0",
                                                           "cc-by-nc-4.0",
                                                           "cc-by-nd-4.0",
                                                           "cc-by-nc-nd-4.0",
                                                           "cc-by-nc-sa-2.0",
                                                           "cc-by-nc-sa-3.0",
                                                           "cc-by-nc-sa-4.0",
                                                           "mit",
                                                           "apache-2.0",
                                                           "odbl",
                                                           "pddl"};

// A text as a double-quoted scalar of YAML, which takes JSON's escapes.
std::string yaml_text(std::string_view text) { return Json(text).compact(); }

std::string front_licence(const std::string& licence) {
  std::string id = ascii_lower(licence);
  std::replace(id.begin(), id.end(), ' ', '-');
  if (std::find(hub_licences.begin(), hub_licences.end(), id) != hub_licences.end())
    return "license: " + id + "\n";
  return "license: other\nlicense_name: " + yaml_text(licence) + "\nlicense_link: terms.json\n";
}

std::int64_t rows_of(const HubContent& content) {
  std::int64_t out = 0;
  for (const HubConfig& config : content.configs) {
    for (const HubSplit& split : config.splits) out += split.rows;
  }
  return out;
}

std::string size_category(std::int64_t rows) {
  constexpr std::pair<std::int64_t, const char*> steps[] = {
      {1'000, "n<1K"}, {10'000, "1K<n<10K"}, {100'000, "10K<n<100K"}, {1'000'000, "100K<n<1M"}};
  for (const auto& [below, name] : steps) {
    if (rows < below) return name;
  }
  return "1M<n<10M";
}

std::string front_matter(const HubPage& page, const std::string& name) {
  std::string out = "---\n" + front_licence(text_at(page.terms, "licence"));
  out += "pretty_name: " + yaml_text(name) + "\n";
  out += "tags:\n- radiology\n- medical\n- fiducial\n";
  out += "size_categories:\n- " + size_category(rows_of(page.content)) + "\nconfigs:\n";
  for (const HubConfig& config : page.content.configs) {
    out += "- config_name: " + yaml_text(config.name) + "\n  data_files:\n";
    for (const HubSplit& split : config.splits)
      out += "  - split: " + yaml_text(split.name) + "\n    path: " + yaml_text(hub_pattern(split)) + "\n";
  }
  return out + "---\n";
}

std::string table_cell(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string terms_table(const Json& terms) {
  std::string out = "| | |\n|---|---|\n";
  constexpr std::pair<const char*, const char*> rows[] = {
      {"licence", "licence"}, {"source", "source"}, {"allowed use", "allowed_use"}, {"contact", "contact"}};
  for (const auto& [title, member] : rows) {
    const std::string text = text_at(terms, member);
    if (!text.empty()) out += "| " + std::string(title) + " | " + table_cell(text) + " |\n";
  }
  return out;
}

std::string content_table(const HubContent& content) {
  std::string out = "| configuration | split | rows | files |\n|---|---|---|---|\n";
  for (const HubConfig& config : content.configs) {
    for (const HubSplit& split : config.splits)
      out += "| " + config.name + " | " + split.name + " | " + decimal(split.rows) + " | " +
             decimal(split.files.size()) + " |\n";
  }
  for (const std::string& sentence : content.left_out) out += "\nLeft out: " + sentence + ".\n";
  return out;
}

std::string name_of(const Json& card) {
  const Json* details = card.find("benchmark_details");
  return details == nullptr ? "" : text_at(*details, "name");
}

}  // namespace

std::string hub_pattern(const HubSplit& split) {
  const std::string& file = split.files.front();
  return file.substr(0, file.find(split.name + "-", file.find_last_of('/') + 1) + split.name.size()) +
         "-*.parquet";
}

Result<std::string> hub_page(const HubPage& page) {
  FIDUCIAL_TRY(const std::string card, render_card(page.card));
  const std::string& first = page.content.configs.front().name;
  std::string out = front_matter(page, name_of(page.card)) + "\n# Terms\n\n" + terms_table(page.terms);
  out += "\n# Content\n\n" + content_table(page.content);
  out += "\n```python\nimport datasets\nrows = datasets.load_dataset(\"THIS_FOLDER\", \"" + first +
         "\", split=\"" + page.content.configs.front().splits.front().name + "\")\n```\n";
  out += "\n`fiducial check`, `stats` and `score` take this folder as it is.\n\n" + card;
  return out + "\nWritten by fiducial " + tool_version + ".\n";
}

}  // namespace fiducial
