// Tables of detections of any bytes: two halves around the first zero byte; their curve stays within its
// bounds.
#include <algorithm>

#include "fiducial/datasets/detection_tables.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const std::string_view text = as_text(fuzz::view(bytes, size));
  const std::size_t cut = std::min(text.find('\0'), text.size());
  const auto scans = parse_detection_tables(text.substr(0, cut), text.substr(std::min(cut + 1, text.size())));
  if (!scans.ok()) return 0;
  const auto curve = detection_curve(*scans);
  if (!curve.ok()) return 0;
  fuzz::require(curve->average_precision >= 0 && curve->average_precision <= 1 + 1e-9);
  fuzz::require(curve->froc_score() >= 0 && curve->froc_score() <= 1 && curve->found <= curve->lesions);
  return 0;
}
