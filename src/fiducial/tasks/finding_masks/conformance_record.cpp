#include "fiducial/tasks/finding_masks/conformance_record.h"

#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/version.h"

namespace fiducial {

Result<std::string> confirmed_script(const Path& record) {
  constexpr std::uint64_t largest_record = std::uint64_t{64} << 20;
  FIDUCIAL_TRY(const std::string text, read_text_file(record, largest_record));
  FIDUCIAL_TRY(const Json json, parse_json(text).in_file(record.string()));
  const auto refused = [&record](std::string message) {
    return Error(ErrorCode::invalid_data, std::move(message), Place{.path = record.string()});
  };
  const auto word = [&json](const char* key) {
    const Json* found = json.find(key);
    return found == nullptr || found->as_string() == nullptr ? std::string() : *found->as_string();
  };
  if (word("schema") != "fiducial.conformance/1") return refused("not a conformance record");
  const Json* equal = json.find("equal");
  if (equal == nullptr || equal->as_bool() == nullptr || !*equal->as_bool()) {
    return refused("the record found differences from the published scorer");
  }
  if (word("tool_version") != tool_version) {
    return refused("the record is of version " + word("tool_version") + ", this is " + tool_version +
                   "; run 'fiducial conform' again");
  }
  const Json* script = json.find("script");
  const Json* hash = script == nullptr ? nullptr : script->find("sha256");
  if (hash == nullptr || hash->as_string() == nullptr || !parse_digest(*hash->as_string())) {
    return refused("the record names no script");
  }
  return *hash->as_string();
}

}  // namespace fiducial
