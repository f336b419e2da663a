// Files of masks (.fmask). After a byte 0: any file; what opens keeps every promise of the format and comes
// back with equal masks when it is written again. After another byte: the text of an index, for masks that
// end at byte 8 times that byte; what is accepted is written as it was understood.
#include <algorithm>

#include "fiducial/masks/fmask_index.h"
#include "fiducial/masks/mask_format.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

namespace {

Result<MaskCollection> collected(ByteView bytes) {
  FIDUCIAL_TRY(const std::unique_ptr<MaskReader> reader,
               find_mask_format("x.fmask")->open(
                   {.file = {std::make_unique<MemoryStream>(bytes), bytes.size()}, .places = nullptr}));
  for (std::size_t i = 0; i < reader->head().masks.size(); ++i) {
    const Result<LabelMap> one = reader->read_one(i);
    if (!one.ok()) return one.error();
    require(one->count() == reader->head().voxels[i]);
  }
  return read_collection(*reader);
}

void check_file(ByteView bytes) {
  const Result<MaskCollection> masks = collected(bytes);
  if (!masks.ok()) return;
  for (const MaskCollection::Member& member : masks->masks) {
    for (const LabelRun& run : member.labels.runs()) {
      require(run.begin >= 0 && run.begin < run.end && run.end <= masks->grid.extent.x);
      require(run.row >= 0 && run.row < masks->grid.extent.rows() && run.label > 0);
    }
  }
  const Result<Bytes> again = find_mask_format("x.fmask")->encode(*masks, "x.fmask");
  require(again.ok());
  const Result<MaskCollection> read = collected(*again);
  require(read.ok() && read->masks.size() == masks->masks.size());
  for (std::size_t i = 0; i < masks->masks.size(); ++i) {
    require(read->masks[i].about == masks->masks[i].about);
    require(read->masks[i].labels == masks->masks[i].labels);
  }
}

}  // namespace

}  // namespace fiducial::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  if (size == 0) return 0;
  const ByteView input = fuzz::view(bytes, size).subspan(1);
  if (bytes[0] == 0) {
    fuzz::check_file(input);
    return 0;
  }
  const std::uint64_t end = std::uint64_t{8} * bytes[0];
  const Result<fmask::Index> index = fmask::parse_index(as_text(input), end);
  if (!index.ok()) return 0;
  const std::string text = fmask::index_text(*index);
  const Result<fmask::Index> again = fmask::parse_index(text, end);
  fuzz::require(again.ok() && fmask::index_text(*again) == text);
  return 0;
}
