#include "fiducial/server/slugs.h"

#include <algorithm>
#include <map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

std::string slug_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool stays = is_letter(c) || is_digit(c) || c == '.' || c == '_';
    if (stays) out += c;
    if (!stays && !out.empty() && out.back() != '-') out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out.empty() || out == "." || out == ".." ? "unnamed" : out;
}

std::vector<std::string> unique_slugs(const std::vector<Path>& folders, bool first_keeps_name,
                                      std::set<std::string> taken) {
  std::map<std::string, int> known;
  for (const Path& folder : folders) ++known[slug_of(folder.filename().string())];
  std::vector<std::string> out;
  for (const Path& folder : folders) {
    std::string slug = slug_of(folder.filename().string());
    const bool keeps = known[slug] == 1 || (first_keeps_name && !taken.contains(slug));
    if (!keeps) slug = slug_of(folder.parent_path().filename().string() + "-" + slug);
    const std::string stem = slug;
    for (int number = 2; taken.contains(slug); ++number) slug = stem + "-" + decimal(number);
    taken.insert(slug);
    out.push_back(std::move(slug));
  }
  return out;
}

}  // namespace fiducial
