// decode_picture on any bytes; what decodes has a pixel for every place, and can be hashed and looked at.
#include "fiducial/image/picture.h"
#include "fiducial/image/picture_hash.h"
#include "fiducial/image/text_overlay.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const auto picture = decode_picture(fuzz::view(bytes, size));
  if (!picture.ok()) {
    fuzz::require(!picture.error().message().empty());
    return 0;
  }
  fuzz::require(picture->channels == 1 || picture->channels == 3 || picture->channels == 4);
  fuzz::require(picture->values.size() ==
                static_cast<std::size_t>(picture->width * picture->height * picture->channels));
  const Picture shades = grey(*picture);
  fuzz::require(pixel_digest(shades) == pixel_digest(grey(shades)));
  for (const TextOverlay& overlay : text_overlays(shades)) {
    fuzz::require(overlay.top >= 0 && overlay.bottom < shades.height && overlay.right < shades.width);
  }
  fuzz::require(perceptual_hash(shades) == perceptual_hash(shades));
  return 0;
}
