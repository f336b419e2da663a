#include "fiducial/http/byte_range.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial::http {

namespace {

constexpr RangeWish whole{};
constexpr RangeWish unsatisfiable{.kind = RangeWish::Kind::unsatisfiable};

RangeWish part(std::uint64_t first, std::uint64_t bytes) {
  return {.kind = RangeWish::Kind::part, .part = {.first = first, .bytes = bytes}};
}

RangeWish last_bytes(std::string_view count, std::uint64_t size) {
  const std::optional<std::uint64_t> bytes = parse_unsigned(count);
  if (!bytes) return whole;
  if (*bytes == 0 || size == 0) return unsatisfiable;
  return part(size - std::min(*bytes, size), std::min(*bytes, size));
}

}  // namespace

RangeWish parse_range(std::string_view field, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  if (!field.starts_with(unit)) return whole;
  field = trimmed(field.substr(unit.size()));
  if (field.find(',') != std::string_view::npos) return unsatisfiable;
  const std::size_t dash = field.find('-');
  if (dash == std::string_view::npos) return whole;
  if (dash == 0) return last_bytes(field.substr(1), size);
  const std::optional<std::uint64_t> first = parse_unsigned(field.substr(0, dash));
  if (!first) return whole;
  std::uint64_t last = UINT64_MAX;
  if (dash + 1 < field.size()) {
    const std::optional<std::uint64_t> given = parse_unsigned(field.substr(dash + 1));
    if (!given || *given < *first) return whole;
    last = *given;
  }
  if (*first >= size) return unsatisfiable;
  return part(*first, std::min(last, size - 1) - *first + 1);
}

}  // namespace fiducial::http
