// Zipped organ masks and names of labels: any bytes give masks, or an error in words.
#include "fiducial/anatomy/case_masks.h"
#include "fiducial/anatomy/zipped_masks.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

void read_zip(std::string_view bytes) {
  const fuzz::MemoryFile file(bytes);
  const Result<ZippedMasks> masks = ZippedMasks::open(file.path(), "masks/");
  if (!masks.ok()) {
    fuzz::require(!masks.error().text().empty());
    return;
  }
  for (const std::string& volume : masks->volumes()) {
    CaseMasks of_volume;
    const Result<bool> found = masks->read(volume, {}, of_volume);
    if (!found.ok()) continue;
    for (const std::string& name : of_volume.names()) {
      const StructureMask mask = of_volume.resolve(name);
      fuzz::require(mask.present() == (mask.mask && !mask.mask->empty()));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = as_text(fuzz::view(bytes, size));
  const Result<LabelNames> names = parse_label_names(text);
  fuzz::require(names.ok() || !names.error().text().empty());
  if (text.starts_with("PK")) read_zip(text);
  return 0;
}
