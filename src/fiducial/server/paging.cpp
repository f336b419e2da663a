#include "fiducial/server/paging.h"

#include <algorithm>
#include <tuple>

namespace fiducial {

namespace {

bool before(const Cursor& a, const Cursor& b, bool descends) {
  if (a.key.is_absent != b.key.is_absent) return b.key.is_absent;
  const auto low = std::tie(a.key.value, a.key.text);
  const auto high = std::tie(b.key.value, b.key.text);
  if (low != high) return descends ? high < low : low < high;
  return a.item < b.item;
}

}  // namespace

Result<Page> page_of(const ApiCall& call, const std::vector<std::size_t>& items,
                     const std::function<SortKey(std::size_t)>& key_of) {
  const bool descends = call.query.text("order") == "desc";
  const auto limit = static_cast<std::size_t>(call.query.integer("limit", usual_page));
  const auto is_before = [descends](const Cursor& a, const Cursor& b) { return before(a, b, descends); };
  std::vector<Cursor> keyed;
  keyed.reserve(items.size());
  for (const std::size_t item : items) keyed.push_back({key_of(item), item});
  const std::size_t total = keyed.size();
  if (const auto after = call.query.find("after"); after && !after->empty()) {
    FIDUCIAL_TRY(const Cursor last, parse_cursor(*after));
    std::erase_if(keyed, [&](const Cursor& one) { return !is_before(last, one); });
  }
  const std::size_t shown = std::min(limit, keyed.size());
  std::partial_sort(keyed.begin(), keyed.begin() + static_cast<std::ptrdiff_t>(shown), keyed.end(),
                    is_before);
  Page out{.items = {}, .total = total, .next = {}};
  for (std::size_t i = 0; i < shown; ++i) out.items.push_back(keyed[i].item);
  if (shown < keyed.size()) out.next = cursor_text(keyed[shown - 1]);
  return out;
}

}  // namespace fiducial
