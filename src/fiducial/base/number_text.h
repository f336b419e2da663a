#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fiducial {

// Number text that does not depend on the locale.
std::string signed_decimal(std::int64_t value);
std::string unsigned_decimal(std::uint64_t value);

template <std::integral T>
std::string decimal(T value) {
  if constexpr (std::is_signed_v<T>) {
    return signed_decimal(static_cast<std::int64_t>(value));
  } else {
    return unsigned_decimal(static_cast<std::uint64_t>(value));
  }
}

// The shortest text that reads back as the same double; "nan" and "inf" are spelled out.
std::string shortest(double value);

// A fixed number of digits after the point.
std::string fixed(double value, int digits);

// A share as "12.3 %".
std::string percent_text(double share, int digits = 1);
// The share of a part; of nothing it is 0.
std::string percent_text(std::int64_t part, std::int64_t whole, int digits);

// The whole text as a number, or nothing.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
std::optional<double> parse_double(std::string_view text);

}  // namespace fiducial
