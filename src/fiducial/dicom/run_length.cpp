#include "fiducial/dicom/run_length.h"

#include <algorithm>

#include "fiducial/base/bytes.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::size_t header_size = 64;

// Bytes of one segment, each to its place among the values.
Outcome unpack(std::string_view packed, std::size_t values, std::size_t first, std::size_t width,
               std::string& out) {
  std::size_t at = 0;
  std::size_t value = 0;
  while (value < values) {
    if (at >= packed.size()) return invalid_data("run-length data end in the middle of a frame");
    const auto head = static_cast<unsigned char>(packed[at++]);
    if (head == 128) continue;
    const bool repeats = head > 128;
    const std::size_t count = std::min<std::size_t>(repeats ? 257U - head : head + 1U, values - value);
    if (packed.size() - at < (repeats ? 1 : count)) return invalid_data("run-length data end in a run");
    for (std::size_t i = 0; i < count; ++i) out[(value + i) * width + first] = packed[at + (repeats ? 0 : i)];
    at += repeats ? 1 : count;
    value += count;
  }
  return done();
}

}  // namespace

Result<std::string> run_length_decoded(std::string_view fragment, std::size_t values, std::size_t width) {
  if (fragment.size() < header_size) return invalid_data("a fragment without the header of run-length data");
  // A run of two bytes gives at most 128.
  if (values * width / 64 > fragment.size()) return invalid_data("run-length data are too short for a frame");
  const ByteView bytes = as_bytes(fragment);
  if (load<std::uint32_t>(bytes, 0) != width) {
    return invalid_data("run-length data of " + decimal(load<std::uint32_t>(bytes, 0)) +
                        " segments, expected " + decimal(width));
  }
  std::string out(values * width, '\0');
  for (std::size_t segment = 0; segment < width; ++segment) {
    const std::size_t begin = load<std::uint32_t>(bytes, 4 + 4 * segment);
    const std::size_t end =
        segment + 1 < width ? load<std::uint32_t>(bytes, 8 + 4 * segment) : fragment.size();
    if (begin < header_size || end < begin || end > fragment.size())
      return invalid_data("run-length data point outside of their fragment");
    // The first segment has the highest bytes.
    FIDUCIAL_TRY_DONE(unpack(fragment.substr(begin, end - begin), values, width - 1 - segment, width, out));
  }
  return out;
}

}  // namespace fiducial
