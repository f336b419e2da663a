#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial::medthinkvqa {

// The images that the rows of Parquet and Arrow files hold beside their texts.
//
// The texts of the files are read once, to know where each image stands; then every image is read alone.
// Several threads may read at once.
class EmbeddedPictures {
 public:
  // Files of one split, relative to the folder. Files without columns of images hold none.
  static Result<EmbeddedPictures> open(const Path& folder, const std::vector<std::string>& files);
  ~EmbeddedPictures();
  EmbeddedPictures(EmbeddedPictures&&) noexcept;
  EmbeddedPictures& operator=(EmbeddedPictures&&) noexcept;

  // The bytes of an image by the path that its row gives it; absent where no row holds them.
  Result<std::optional<std::string>> read(const std::string& path) const;

 private:
  struct State;
  explicit EmbeddedPictures(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Whether a Parquet or Arrow file has columns of images.
bool embeds_pictures(const Path& file);

}  // namespace fiducial::medthinkvqa
