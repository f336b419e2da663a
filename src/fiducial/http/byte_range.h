#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fiducial::http {

// A part of something that has a known size; never empty.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// What a Range field asks for (RFC 9110, 14.2).
struct RangeWish {
  enum class Kind { whole, part, unsatisfiable };
  Kind kind = Kind::whole;
  ByteRange part;
};

// A field in other units, or one that is no range, asks for the whole. Several ranges are not given: a reply
// of many small parts costs more than it carries.
RangeWish parse_range(std::string_view field, std::uint64_t size);

}  // namespace fiducial::http
