#include "fiducial/table/croissant_file.h"

#include <map>
#include <string>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"

namespace fiducial {

namespace {

constexpr std::uint64_t largest_croissant = std::uint64_t{64} << 20;

// Sizes by name, as "123 B"; "" where a size is not said.
std::map<std::string, std::string> listed_files(const Json& croissant) {
  std::map<std::string, std::string> out;
  const Json::Array* distribution = find_array(croissant, "distribution");
  if (distribution == nullptr) return out;
  for (const Json& each : *distribution) {
    std::string name = text_at(each, "contentUrl");
    if (name.starts_with("./")) name.erase(0, 2);
    if (!name.empty()) out.emplace(std::move(name), text_at(each, "contentSize"));
  }
  return out;
}

}  // namespace

Outcome check_croissant(const Path& folder, std::span<const Path> files) {
  const Path path = folder / "croissant.json";
  if (!is_file(path)) return done();
  FIDUCIAL_TRY(const std::string text, read_text_file(path, largest_croissant));
  FIDUCIAL_TRY(const Json croissant, parse_json(text).in_file(path.string()));
  const std::map<std::string, std::string> listed = listed_files(croissant);
  const auto refuse = [&path](const std::string& message) {
    return Error(ErrorCode::invalid_data, message + "; is it of another dataset?",
                 Place{.path = path.string()});
  };
  for (const Path& file : files) {
    const std::string name = file.lexically_relative(folder).generic_string();
    const auto found = listed.find(name);
    if (found == listed.end()) return refuse(name + " is not listed");
    FIDUCIAL_TRY(const std::uint64_t size, stored_size(file));
    if (!found->second.empty() && found->second != decimal(size) + " B")
      return refuse(name + " is listed with " + found->second + " and has " + decimal(size) + " B");
  }
  return done();
}

}  // namespace fiducial
