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

constexpr std::size_t longest_integer = 24;
// Fixed notation of the largest double has 309 digits before the point.
constexpr std::size_t longest_double = 400;

template <std::size_t longest, typename... Arguments>
std::string written(Arguments... arguments) {
  std::array<char, longest> buffer{};
  const auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), arguments...);
  return failure == std::errc() ? std::string(buffer.data(), end) : std::string("?");
}

}  // namespace

std::string signed_decimal(std::int64_t value) { return written<longest_integer>(value); }

std::string unsigned_decimal(std::uint64_t value) { return written<longest_integer>(value); }

std::string shortest(double value) { return written<longest_double>(value); }

std::string fixed(double value, int digits) {
  return written<longest_double>(value, std::chars_format::fixed, digits);
}

std::string percent_text(double share, int digits) { return fixed(100 * share, digits) + " %"; }

std::string percent_text(std::int64_t part, std::int64_t whole, int digits) {
  // 100 * part first: 7 of 70 is 10 %, and 100 * (7 / 70.0) rounds twice.
  const double percent = whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  return fixed(percent, digits) + " %";
}

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse_whole<std::int64_t>(text); }

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text);
}

std::optional<double> parse_double(std::string_view text) { return parse_whole<double>(text); }

}  // namespace fiducial
