#pragma once

#include <string>
#include <string_view>

#include "fiducial/base/result.h"

namespace fiducial {

// One of n parts of a run, e.g. "0/16". Which part a case belongs to depends on its name and n alone.
struct Shard {
  int index = 0;
  int count = 1;

  static Result<Shard> parse(std::string_view text);
  bool holds(const std::string& case_name) const;
  std::string text() const;
  friend bool operator==(const Shard&, const Shard&) = default;
};

}  // namespace fiducial
