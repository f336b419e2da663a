#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fiducial {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <typename T>
T byte_swapped(T value) {
  auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

// Reads a T at an offset; the caller has checked the bounds. swapped means the other byte order.
template <typename T>
T load(ByteView bytes, std::size_t offset, bool swapped = false) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return swapped ? byte_swapped(value) : value;
}

template <typename T>
void store(std::span<std::byte> bytes, std::size_t offset, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

}  // namespace fiducial
