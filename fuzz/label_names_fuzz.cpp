// Names of labels: the extension of a NIfTI header, a label table, and the JSON files beside a label map.
#include <memory>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/image/label_extension.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* raw, std::size_t size) {
  using namespace fiducial;
  const ByteView bytes = fuzz::view(raw, size);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (const auto table = parse_label_table(text); table.ok()) {
    for (const auto& [label, name] : *table) fuzz::require(label > 0 && !name.empty());
  }
  (void)read_label_extension(std::make_unique<MemoryStream>(bytes));
  const auto names = parse_label_names(text);
  if (names.ok()) fuzz::require(!names->empty() && !names->contains(0));
  (void)parse_dataset_label_names(text);
  return 0;
}
