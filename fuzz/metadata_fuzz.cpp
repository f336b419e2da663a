// VolumeMetadata::parse on any text: every row can be found by its name, and spacing is positive or absent.
#include "fiducial/datasets/volume_metadata.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const Result<VolumeMetadata> parsed = VolumeMetadata::parse(as_text(fuzz::view(bytes, size)));
  if (!parsed.ok()) {
    fuzz::require(parsed.error().code() == ErrorCode::invalid_data && !parsed.error().text().empty());
    return 0;
  }
  const std::size_t names = *parsed->column("VolumeName");
  for (std::size_t row = 0; row < parsed->table().rows(); ++row) {
    const auto found = parsed->find(parsed->table().cell(row, names));
    fuzz::require(found && *found <= row);
    const StoredVolumeFacts facts = parsed->stored_facts(row);
    fuzz::require(!facts.slope || *facts.slope != 0);
    if (!facts.spacing_mm) continue;
    for (const double mm : *facts.spacing_mm) fuzz::require(mm > 0);
  }
  fuzz::require(parsed->check_unique().ok() == parsed->duplicates().empty());
  return 0;
}
