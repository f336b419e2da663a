#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/datasets/medthinkvqa/embedded_pictures.h"
#include "fiducial/datasets/medthinkvqa/picture_files.h"

namespace fiducial::medthinkvqa {

// The images of a release, wherever their bytes are: in the rows of a split, else in images/ or images.zip.
// What is needed to find them is read when the first one is asked for. Several threads may read at once.
class Pictures {
 public:
  explicit Pictures(Path folder) : folder_(std::move(folder)) {}

  // `files` are those of the image's split.
  Result<std::string> read(const std::vector<std::string>& files, const std::string& path);

 private:
  Result<const PictureFiles*> picture_files();
  Result<const EmbeddedPictures*> embedded_in(const std::vector<std::string>& files);

  Path folder_;
  std::mutex mutex_;
  std::optional<PictureFiles> files_;
  std::map<std::vector<std::string>, EmbeddedPictures> embedded_;  // by files
};

}  // namespace fiducial::medthinkvqa
