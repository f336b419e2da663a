// Files of annotation tools and lists of a challenge's jobs, of any bytes: what is read keeps its promises,
// and what was decoded is encoded and decoded to the same.
#include "fiducial/export/challenge_input.h"
#include "fiducial/export/drawn_masks.h"

#include "fuzz_input.h"

namespace {

using namespace fiducial;

void hold_pixels(const PixelMask& mask) {
  const auto runs = parse_coco_text(coco_text(coco_runs(mask)));
  fuzz::require(runs.ok() && from_coco_runs(*runs, mask.width, mask.height).value() == mask);
  const std::vector<std::uint8_t> code = brush_code(mask);
  fuzz::require(parse_brush_code(std::as_bytes(std::span(code)), mask.width, mask.height).value() == mask);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::int64_t most = 64;  // of a side; the sizes of slices are checked before pixels are read
  const ByteView view = fuzz::view(bytes, size);
  if (const auto mask = parse_brush_code(view, 7, 5); mask.ok()) hold_pixels(*mask);
  if (const auto runs = parse_coco_text(as_text(view)); runs.ok()) {
    if (const auto mask = from_coco_runs(*runs, 7, 5); mask.ok()) hold_pixels(*mask);
  }
  const Result<Json> document = parse_json(as_text(view));
  if (!document.ok()) return 0;
  if (const auto jobs = parse_challenge_jobs(*document); jobs.ok()) {
    for (const ChallengeJob& job : *jobs)
      fuzz::require(!job.case_name.empty() && job.id.find("..") != 0 &&
                    job.case_name.find('/') == std::string::npos);
  }
  for (const AnnotationFormat& format : annotation_formats()) {
    const auto drawn = format.read(*document);
    if (!drawn.ok()) continue;
    for (const DrawnShape& shape : drawn->shapes) {
      if (shape.width < 0 || shape.height < 0 || shape.width > most || shape.height > most) continue;
      if (const auto mask = format.pixels(shape); mask.ok()) hold_pixels(*mask);
    }
  }
  return 0;
}
