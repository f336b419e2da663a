#include "fiducial/server/paging.h"

#include <algorithm>
#include <tuple>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

struct Keyed {
  SortKey key;
  std::size_t item = 0;
};

bool before(const Keyed& a, const Keyed& b, bool descends) {
  if (a.key.is_absent != b.key.is_absent) return b.key.is_absent;
  const auto low = std::tie(a.key.value, a.key.text);
  const auto high = std::tie(b.key.value, b.key.text);
  if (low != high) return descends ? high < low : low < high;
  return a.item < b.item;
}

// A cursor holds the key of the last item, so that it keeps its place whatever comes and goes.
std::string cursor_of(const Keyed& last) {
  return Json::array(
             {last.key.is_absent, last.key.value, last.key.text, static_cast<std::int64_t>(last.item)})
      .compact();
}

Result<Keyed> parse_cursor(const std::string& text) {
  const auto refuse = [] { return bad_usage("\"after\" is no cursor; take \"next\" of the page before"); };
  const Result<Json> json = parse_json(text);
  if (!json.ok() || json->as_array() == nullptr || json->as_array()->size() != 4) return refuse();
  const Json::Array& parts = *json->as_array();
  const auto number = parts[1].as_number();
  if (parts[0].as_bool() == nullptr || !number || parts[2].as_string() == nullptr ||
      parts[3].as_integer() == nullptr || *parts[3].as_integer() < 0)
    return refuse();
  return Keyed{{*parts[0].as_bool(), *number, *parts[2].as_string()},
               static_cast<std::size_t>(*parts[3].as_integer())};
}

}  // namespace

Result<Page> page_of(const ApiCall& call, const std::vector<std::size_t>& items,
                     const std::function<SortKey(std::size_t)>& key_of) {
  const bool descends = call.query.text("order") == "desc";
  const auto limit = static_cast<std::size_t>(call.query.integer("limit", usual_page));
  const auto is_before = [descends](const Keyed& a, const Keyed& b) { return before(a, b, descends); };
  std::vector<Keyed> keyed;
  keyed.reserve(items.size());
  for (const std::size_t item : items) keyed.push_back({key_of(item), item});
  const std::size_t total = keyed.size();
  if (const auto after = call.query.find("after"); after && !after->empty()) {
    FIDUCIAL_TRY(const Keyed last, parse_cursor(*after));
    std::erase_if(keyed, [&](const Keyed& one) { return !is_before(last, one); });
  }
  const std::size_t shown = std::min(limit, keyed.size());
  std::partial_sort(keyed.begin(), keyed.begin() + static_cast<std::ptrdiff_t>(shown), keyed.end(),
                    is_before);
  Page out{.items = {}, .total = total, .next = {}};
  for (std::size_t i = 0; i < shown; ++i) out.items.push_back(keyed[i].item);
  if (shown < keyed.size()) out.next = cursor_of(keyed[shown - 1]);
  return out;
}

}  // namespace fiducial
