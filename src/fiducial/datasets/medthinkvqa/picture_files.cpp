#include "fiducial/datasets/medthinkvqa/picture_files.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/medthinkvqa/dataset.h"

namespace fiducial::medthinkvqa {

Result<PictureFiles> PictureFiles::open(const Path& folder) {
  PictureFiles out;
  out.folder_ = folder;
  out.has_folder_ = is_folder(folder / "images");
  if (out.has_folder_ || !is_there(folder / "images.zip")) return out;
  FIDUCIAL_TRY_DONE(refuse_lfs_pointer(folder / "images.zip"));
  FIDUCIAL_TRY(ZipReader zip, ZipReader::open(folder / "images.zip"));
  out.zip_ = std::make_unique<ZipReader>(std::move(zip));
  return out;
}

Result<std::optional<std::string>> PictureFiles::read(const std::string& path) const {
  if (zip_ != nullptr) return read_member(path);
  if (!has_folder_ || !is_there(folder_ / path)) return std::optional<std::string>();
  FIDUCIAL_TRY(std::string bytes, read_text_file(folder_ / path, max_picture_bytes));
  return std::optional(std::move(bytes));
}

Result<std::optional<std::string>> PictureFiles::read_member(const std::string& path) const {
  const auto index = zip_->find(path);
  if (!index) return std::optional<std::string>();
  const std::uint64_t size = zip_->entries()[*index].size;
  if (size > max_picture_bytes) return invalid_data("a picture of " + decimal(size) + " bytes");
  FIDUCIAL_TRY(const std::unique_ptr<ByteStream> stream, zip_->open_entry(*index));
  std::string bytes(size, '\0');
  FIDUCIAL_TRY(const std::size_t got, stream->read(std::as_writable_bytes(std::span(bytes))));
  bytes.resize(got);
  return std::optional(std::move(bytes));
}

}  // namespace fiducial::medthinkvqa
