#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "fiducial/base/number_text.h"

namespace fiducial {

// Tar archives written by hand, for tests.

inline std::string tar_octal(std::uint64_t value, std::size_t digits) {
  std::string out;
  for (; digits > 0; --digits, value /= 8) out.insert(out.begin(), static_cast<char>('0' + value % 8));
  return out;
}

// A header and the content padded to whole blocks.
inline std::string tar_member(std::string_view name, std::string_view content, char type = '0') {
  std::string block(512, '\0');
  block.replace(0, name.size(), name);
  block.replace(100, 7, "0000644");
  block.replace(124, 11, tar_octal(content.size(), 11));
  block.replace(148, 8, "        ");
  block[156] = type;
  block.replace(257, 8, std::string_view("ustar\00000", 8));
  std::uint64_t sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  block.replace(148, 7, tar_octal(sum, 6) + std::string(1, '\0'));
  std::string body(content);
  body.resize((content.size() + 511) / 512 * 512, '\0');
  return block + body;
}

inline std::string tar_end() { return std::string(1024, '\0'); }

// An extended attribute of the member that follows.
inline std::string pax_record(const std::string& key, const std::string& value) {
  const std::string body = " " + key + "=" + value + "\n";
  std::size_t length = body.size() + 1;
  while (decimal(length).size() + body.size() != length) ++length;
  return decimal(length) + body;
}

}  // namespace fiducial
