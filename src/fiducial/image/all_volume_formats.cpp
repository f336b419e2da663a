#include <algorithm>

#include "fiducial/base/plain_text.h"
#include "fiducial/image/hounsfield.h"
#include "fiducial/image/volume_format.h"

namespace fiducial {

#define FIDUCIAL_VOLUME_FORMAT(name) VolumeFormat name##_volume_format();
#include "fiducial/image/all_volume_formats.def"
#undef FIDUCIAL_VOLUME_FORMAT

namespace {

std::string_view ending_of(std::string_view name) {
  std::string_view longest;
  for (const VolumeFormat& format : all_volume_formats()) {
    for (const auto* endings : {&format.endings, &format.header_endings}) {
      for (const std::string_view ending : *endings) {
        if (name.ends_with(ending) && ending.size() > longest.size()) longest = ending;
      }
    }
  }
  return longest;
}

}  // namespace

const std::vector<VolumeFormat>& all_volume_formats() {
  static const std::vector<VolumeFormat> formats = {
#define FIDUCIAL_VOLUME_FORMAT(name) name##_volume_format(),
#include "fiducial/image/all_volume_formats.def"
#undef FIDUCIAL_VOLUME_FORMAT
  };
  return formats;
}

const VolumeFormat* find_volume_format(std::string_view name) {
  const std::string_view ending = ending_of(name);
  for (const VolumeFormat& format : all_volume_formats()) {
    const auto& endings = format.endings;
    if (!ending.empty() && std::find(endings.begin(), endings.end(), ending) != endings.end()) return &format;
  }
  return nullptr;
}

std::string_view without_volume_ending(std::string_view name) {
  return name.substr(0, name.size() - ending_of(name).size());
}

std::string written_endings_text() {
  std::string out;
  for (auto format = all_volume_formats().rbegin(); format != all_volume_formats().rend(); ++format) {
    append_joined(out, joined(format->endings));
  }
  return out;
}

const VolumeFormat& format_beginning_with(std::string_view first_bytes) {
  const auto& formats = all_volume_formats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const VolumeFormat& format) { return format.begins(first_bytes); });
  return found == formats.end() ? formats.back() : *found;
}

Outcome write_volume(const Path& path, NiftiImage image, const VolumeWrite& how) {
  const VolumeFormat* format = find_volume_format(path.filename().string());
  if (format == nullptr) {
    return Error(ErrorCode::bad_usage,
                 "no image is written under this name; expected one that ends in " + written_endings_text(),
                 Place{.path = path.string()});
  }
  if (!format->scales && image.header().scales()) {
    FIDUCIAL_TRY(image, with_scaling_applied(std::move(image)).in_file(path.string()));
  }
  const VolumeContent content{.image = image, .channels = how.channels, .segments = how.segments};
  return format->write(path, content).in_file(path.string());
}

}  // namespace fiducial
