#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fiducial/server/call.h"
#include "fiducial/server/cursor.h"

namespace fiducial {

// A part of a list that is sorted by a key and then by number, so that what stands before a cursor stays
// before it when the list grows.
struct Page {
  std::vector<std::size_t> items;  // in the order of the list
  std::size_t total = 0;
  Json next;  // the cursor of the page that follows, or null
};

inline constexpr std::int64_t usual_page = 100;

// The page that a request asks for by order, after and limit, of items that are numbered by `items`. A cursor
// that is none is refused.
Result<Page> page_of(const ApiCall& call, const std::vector<std::size_t>& items,
                     const std::function<SortKey(std::size_t)>& key_of);

}  // namespace fiducial
