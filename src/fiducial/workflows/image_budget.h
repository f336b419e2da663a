#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// How many pictures of a case are shown, and which.
//
// Of a share the count is rounded half up, and at least one unless the share is 0. The chosen ones grow
// nested: what a share shows, every larger share shows too. They stay in the order of their slots.
struct ImageBudget {
  enum class Rule { spread, prefix };
  bool is_share = true;
  double share = 1;        // of the case's images
  std::int64_t count = 0;  // else: at most so many
  Rule rule = Rule::spread;

  // "60%" or "8".
  static Result<ImageBudget> parse(const std::string& text, const std::string& rule);

  std::size_t shown_of(std::size_t images) const;
  std::vector<std::size_t> chosen(std::size_t images) const;  // indices from 0, ascending
  std::string text() const;                                   // "60% spread/1", "8 prefix/1"
};

}  // namespace fiducial
