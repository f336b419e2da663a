#include "fiducial/dicom/uid.h"

#include <algorithm>
#include <array>

#include "fiducial/base/sha256.h"

namespace fiducial {

std::string uid_of(std::string_view text) {
  const Digest digest = sha256(as_bytes(text));
  std::array<unsigned, 16> number{};
  std::copy_n(digest.bytes.begin(), number.size(), number.begin());
  std::string digits;
  while (std::any_of(number.begin(), number.end(), [](unsigned byte) { return byte != 0; })) {
    unsigned rest = 0;
    for (unsigned& byte : number) {
      const unsigned value = rest * 256 + byte;
      byte = value / 10;
      rest = value % 10;
    }
    digits += static_cast<char>('0' + rest);
  }
  std::reverse(digits.begin(), digits.end());
  return "2.25." + (digits.empty() ? "0" : digits);
}

}  // namespace fiducial
