#include "fiducial/wire/slab.h"

#include <cstring>

namespace fiducial::wire {

namespace {

std::uint16_t zigzag(std::int32_t difference) {
  const auto wrapped = static_cast<std::int16_t>(difference);
  return static_cast<std::uint16_t>((static_cast<std::uint32_t>(wrapped) << 1U) ^
                                    (wrapped < 0 ? 0xFFFFFFFFU : 0U));
}

std::int16_t unzigzag(std::uint32_t value) {
  return static_cast<std::int16_t>((value >> 1U) ^ (0U - (value & 1U)));
}

}  // namespace

Bytes encode_slab(std::span<const std::int16_t> values, std::int64_t side) {
  const auto row = static_cast<std::size_t>(side);
  FIDUCIAL_ASSERT(side > 0 && values.size() % row == 0);
  Bytes out(values.size() * 2);
  std::byte* low = out.data();
  std::byte* high = out.data() + values.size();
  for (std::size_t begin = 0; begin < values.size(); begin += row) {
    std::int32_t before = 0;
    for (std::size_t i = begin; i < begin + row; ++i) {
      const std::uint16_t code = zigzag(values[i] - before);
      before = values[i];
      low[i] = static_cast<std::byte>(code);
      high[i] = static_cast<std::byte>(code >> 8U);
    }
  }
  return out;
}

Result<std::vector<std::int16_t>> decode_slab(ByteView bytes, std::int64_t side) {
  const std::size_t count = bytes.size() / 2;
  if (side < 1 || bytes.size() % 2 != 0 || count % static_cast<std::size_t>(side) != 0)
    return invalid_data("a slab that is no whole rows");
  std::vector<std::int16_t> out(count);
  std::int32_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % static_cast<std::size_t>(side) == 0) before = 0;
    const auto code = static_cast<std::uint32_t>(bytes[i]) | static_cast<std::uint32_t>(bytes[count + i])
                                                                 << 8U;
    out[i] = static_cast<std::int16_t>(before + unzigzag(code));
    before = out[i];
  }
  return out;
}

Bytes raw_slab(std::span<const std::int16_t> values) {
  static_assert(std::endian::native == std::endian::little);
  Bytes out(values.size_bytes());
  if (!values.empty()) std::memcpy(out.data(), values.data(), values.size_bytes());
  return out;
}

}  // namespace fiducial::wire
