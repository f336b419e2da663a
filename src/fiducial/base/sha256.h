#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/bytes.h"

namespace fiducial {

// A SHA-256 value.
struct Digest {
  std::array<std::uint8_t, 32> bytes{};

  std::string hex() const;
  friend bool operator==(const Digest&, const Digest&) = default;
};

// The value written by hex(), or nothing.
std::optional<Digest> parse_digest(std::string_view hex);

// SHA-256 (FIPS 180-4), fed in pieces. Uses the processor's SHA instructions where it has them.
class Sha256 {
 public:
  void update(ByteView bytes);
  Digest digest();  // call once, last

 private:
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> block_{};
  std::size_t held_ = 0;
  std::uint64_t total_ = 0;
};

Digest sha256(ByteView bytes);

}  // namespace fiducial
