#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fiducial/base/result.h"

namespace fiducial {

// What a list is sorted by.
struct SortKey {
  bool is_absent = false;  // such items come last in either order
  double value = 0;
  std::string text;
};

// A place in a list: the key and the number of the item before it, so that it stays where it is whatever
// comes and goes.
struct Cursor {
  SortKey key;
  std::size_t item = 0;
};

// As clients hand it back; what is no cursor is refused.
std::string cursor_text(const Cursor& cursor);
Result<Cursor> parse_cursor(std::string_view text);

}  // namespace fiducial
