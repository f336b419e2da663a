#include "fiducial/masks/mask_collection.h"

#include "fiducial/archive/zip_name.h"

namespace fiducial {

std::optional<std::string> name_objection(std::string_view name) {
  if (name.find('/') != std::string_view::npos) return "it holds a slash";
  return zip_name_objection(name);
}

Result<ReadCollection> read_collection_and_values(MaskReader& reader) {
  const MaskHead& head = reader.head();
  MaskCollection masks{.arrangement = head.arrangement,
                       .grid = head.grid(),
                       .claims_place = head.claims_place,
                       .masks = {},
                       .origins = head.origins};
  FIDUCIAL_TRY(LabelStack stack, reader.read_all());
  for (std::size_t i = 0; i < stack.channels.size(); ++i)
    masks.masks.push_back({head.masks[i], std::move(stack.channels[i])});
  return ReadCollection{std::move(masks), stack.values};
}

Result<MaskCollection> read_collection(MaskReader& reader) {
  FIDUCIAL_TRY(ReadCollection read, read_collection_and_values(reader));
  return std::move(read.masks);
}

}  // namespace fiducial
