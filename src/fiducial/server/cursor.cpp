#include "fiducial/server/cursor.h"

#include <cmath>

#include "fiducial/base/json.h"

namespace fiducial {

std::string cursor_text(const Cursor& cursor) {
  const auto& [is_absent, value, text] = cursor.key;
  return Json::array({is_absent, value, text, static_cast<std::int64_t>(cursor.item)}).compact();
}

Result<Cursor> parse_cursor(std::string_view text) {
  const auto refuse = [] { return bad_usage("\"after\" is no cursor; take \"next\" of the page before"); };
  const Result<Json> json = parse_json(text);
  if (!json.ok() || json->as_array() == nullptr || json->as_array()->size() != 4) return refuse();
  const Json::Array& parts = *json->as_array();
  const auto number = parts[1].as_number();
  if (parts[0].as_bool() == nullptr || !number || !std::isfinite(*number) ||
      parts[2].as_string() == nullptr || parts[3].as_integer() == nullptr || *parts[3].as_integer() < 0)
    return refuse();
  return Cursor{{*parts[0].as_bool(), *number, *parts[2].as_string()},
                static_cast<std::size_t>(*parts[3].as_integer())};
}

}  // namespace fiducial
