#include "fiducial/datasets/volume_file.h"

#include <memory>
#include <utility>

#include "fiducial/base/paths.h"
#include "fiducial/base/store.h"
#include "fiducial/dicom/series.h"
#include "fiducial/image/volume_format.h"

namespace fiducial {

namespace {

// An image in memory as the bytes of its file.
class ImageStream final : public ByteStream {
 public:
  explicit ImageStream(NiftiImage image)
      : image_(std::move(image)),
        front_(nifti_header_bytes(image_.header())),
        unread_front_(front_),
        unread_voxels_(std::as_const(image_).bytes()) {}

  std::uint64_t size() const { return front_.size() + image_.bytes().size(); }

  Result<std::size_t> read(std::span<std::byte> out) override {
    FIDUCIAL_TRY(const std::size_t front, unread_front_.read(out));
    FIDUCIAL_TRY(const std::size_t voxels, unread_voxels_.read(out.subspan(front)));
    return front + voxels;
  }

 private:
  NiftiImage image_;
  Bytes front_;
  MemoryStream unread_front_;
  MemoryStream unread_voxels_;
};

// The process that reads DICOM opens local files only.
Outcome refuse_stored_series(const Path& path) {
  if (!is_url(path) || !is_folder(path)) return done();
  return Error(ErrorCode::unavailable, "a DICOM series is read from a local folder only; convert it to NIfTI",
               Place{.path = path.string()});
}

}  // namespace

std::optional<Path> find_volume_file(std::span<const Path> folders, const std::string& name) {
  for (const Path& folder : folders) {
    if (is_file(folder / name)) return folder / name;
  }
  const std::string series(without_volume_ending(name));
  for (const Path& folder : folders) {
    for (const VolumeFormat& format : all_volume_formats()) {
      for (const auto* endings : {&format.endings, &format.header_endings}) {
        for (const std::string_view ending : *endings) {
          const Path other = folder / (series + std::string(ending));
          if (series != name && is_file(other)) return other;
        }
      }
    }
  }
  for (const Path& folder : folders) {
    if (series != name && !series.empty() && is_folder(folder / series)) return folder / series;
  }
  return std::nullopt;
}

Result<NiftiHeader> read_volume_header(const Path& path) {
  FIDUCIAL_TRY_DONE(refuse_stored_series(path));
  if (is_folder(path)) return read_series_header(path);
  FIDUCIAL_TRY(const NiftiStream stream, NiftiStream::open(path));
  return stream.header();
}

Result<NiftiStream> open_volume(const Path& path) {
  FIDUCIAL_TRY_DONE(refuse_stored_series(path));
  if (!is_folder(path)) return NiftiStream::open(path);
  FIDUCIAL_TRY(NiftiImage image, read_series(path));
  auto bytes = std::make_unique<ImageStream>(std::move(image));
  const std::uint64_t size = bytes->size();
  return NiftiStream::open(std::move(bytes), size);
}

}  // namespace fiducial
