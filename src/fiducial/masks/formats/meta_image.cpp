#include "fiducial/masks/volume_masks.h"

namespace fiducial {

MaskFormat meta_image_mask_format();

namespace {

bool begins_as_meta_image(ByteView first) {
  const std::string_view text = as_text(first);
  return text.starts_with("ObjectType") || text.starts_with("NDims") || text.starts_with("Comment =");
}

}  // namespace

MaskFormat meta_image_mask_format() {
  return {.id = "mha",
          .title = "MetaImage",
          .endings = {".mha"},
          .begins = begins_as_meta_image,
          .open = open_volume_masks,
          .keeps_names = false};
}

}  // namespace fiducial
