#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fiducial {

// 1234567 as "1,234,567".
std::string grouped_digits(std::int64_t value);

// How many characters a UTF-8 text has.
std::size_t character_count(std::string_view text);

}  // namespace fiducial
