#pragma once

namespace fiducial {

// What a byte is in ASCII, whatever the locale says; the bytes of longer characters are none of these but
// wide.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_small(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_small(c) || is_capital(c); }
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// A part of a character beyond ASCII in UTF-8.
constexpr bool is_wide(char c) { return static_cast<unsigned char>(c) >= 0x80; }

}  // namespace fiducial
