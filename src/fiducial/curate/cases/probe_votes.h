#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// What may identify an item in another file, from the surest to the weakest.
using ItemKeys = std::vector<std::string>;
ItemKeys item_keys(const Json& item);

// What a model without images said about an item.
struct ProbeItem {
  std::optional<bool> result;  // whether it was right; nothing where its file does not say
  std::optional<char> letter;  // what it chose, where its file has no key to compare with
};
// Official: the first characters of answer and key are compared. Strict: letters by the ladder of rules.
ProbeItem probe_item(const Json& probe, bool strict);

// One model's results, found by any key that is unambiguous in its file.
struct ProbeFile {
  std::string name;
  std::vector<ProbeItem> items;
  std::map<std::string, std::optional<std::size_t>> by_key;  // nothing: two items share it
  std::int64_t unmatched = 0;
  std::int64_t unknown = 0;
  std::int64_t conflicts = 0;
  std::int64_t ambiguous_keys = 0;

  void add(const Json& item, bool strict);
};

// What the probes say about one item.
struct ProbeVotes {
  Json names = Json::Array{};
  Json results = Json::Array{};
  std::int64_t right = 0;
  std::int64_t known = 0;
  std::int64_t conflicts = 0;

  // Whether any of the probes that are known, or all of them, needed no image.
  bool is_solved(bool by_all) const { return known > 0 && (by_all ? right == known : right > 0); }
};
// Official: probes are found by the first key alone. Strict: by every key; all must name one item. Counts in
// the probes what could not be found.
ProbeVotes votes_on(const Json& item, const ItemKeys& keys, std::vector<ProbeFile>& probes, bool strict);

}  // namespace fiducial
