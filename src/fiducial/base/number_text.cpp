#include "fiducial/base/number_text.h"

#include <array>
#include <charconv>

namespace fiducial {

namespace {

template <typename T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <typename... Arguments>
std::string written(Arguments... arguments) {
  std::array<char, 400> buffer{};  // fixed notation of the largest double has 309 digits before the point
  const auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), arguments...);
  return failure == std::errc() ? std::string(buffer.data(), end) : std::string("?");
}

}  // namespace

std::string signed_decimal(std::int64_t value) { return written(value); }

std::string unsigned_decimal(std::uint64_t value) { return written(value); }

std::string shortest(double value) { return written(value); }

std::string fixed(double value, int digits) { return written(value, std::chars_format::fixed, digits); }

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse_whole<std::int64_t>(text); }

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text);
}

std::optional<double> parse_double(std::string_view text) { return parse_whole<double>(text); }

}  // namespace fiducial
