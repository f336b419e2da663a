#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fiducial/server/call.h"

namespace fiducial {

// A part of a list that is sorted by a key and then by number, so that what stands before a cursor stays
// before it when the list grows.
struct Page {
  std::vector<std::size_t> items;  // in the order of the list
  std::size_t total = 0;
  Json next;  // the cursor of the page that follows, or null
};

// What a list is sorted by.
struct SortKey {
  bool is_absent = false;  // such items come last in either order
  double value = 0;
  std::string text;
};

inline constexpr std::int64_t usual_page = 100;

// The page that a request asks for by order, after and limit, of items that are numbered by `items`. A cursor
// that is none is refused.
Result<Page> page_of(const ApiCall& call, const std::vector<std::size_t>& items,
                     const std::function<SortKey(std::size_t)>& key_of);

}  // namespace fiducial
