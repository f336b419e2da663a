#include "fiducial/datasets/medthinkvqa/pictures.h"

#include <algorithm>
#include <utility>

namespace fiducial::medthinkvqa {

namespace {

// Whether a path stays below the folder that it is looked for in.
bool stays_below(const Path& path) {
  return !path.empty() && path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
}

}  // namespace

Result<const EmbeddedPictures*> Pictures::embedded_in(const std::vector<std::string>& files) {
  const std::scoped_lock lock(mutex_);
  auto known = embedded_.find(files);
  if (known == embedded_.end()) {
    FIDUCIAL_TRY(EmbeddedPictures opened, EmbeddedPictures::open(folder_, files));
    known = embedded_.emplace(files, std::move(opened)).first;
  }
  return &known->second;
}

Result<const PictureFiles*> Pictures::picture_files() {
  const std::scoped_lock lock(mutex_);
  if (!files_) {
    FIDUCIAL_TRY(PictureFiles opened, PictureFiles::open(folder_));
    files_ = std::move(opened);
  }
  return &*files_;
}

Result<std::string> Pictures::read(const std::vector<std::string>& files, const std::string& path) {
  FIDUCIAL_TRY(const EmbeddedPictures* embedded, embedded_in(files));
  FIDUCIAL_TRY(std::optional<std::string> bytes, embedded->read(path));
  if (!bytes) {
    if (!stays_below(path))
      return invalid_data("expected a path below the dataset's folder, found \"" + path + "\"");
    FIDUCIAL_TRY(const PictureFiles* on_disk, picture_files());
    FIDUCIAL_TRY(bytes, on_disk->read(path));
  }
  if (bytes) return *std::move(bytes);
  return path_missing("expected an image, found no such file", (folder_ / path).string());
}

}  // namespace fiducial::medthinkvqa
