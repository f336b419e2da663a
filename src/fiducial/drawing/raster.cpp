#include "fiducial/drawing/raster.h"

#include "fiducial/base/base64.h"
#include "fiducial/image/picture_writer.h"

namespace fiducial {

std::string png_data_uri(const Raster& picture) {
  const Picture grey{
      .width = picture.width, .height = picture.height, .channels = 1, .values = picture.pixels};
  return "data:image/png;base64," + base64(png_picture_file(grey));
}

}  // namespace fiducial
