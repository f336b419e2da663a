#include "fiducial/workflows/picture_store.h"

#include <system_error>

#include "fiducial/base/sha256.h"
#include "fiducial/image/picture.h"

namespace fiducial {

namespace {

constexpr std::uint64_t largest_picture = std::uint64_t{256} << 20;

// What endpoints read, by its media type; "" for anything else.
std::string media_type_of(PictureFormat format) {
  switch (format) {
    case PictureFormat::jpeg:
      return "image/jpeg";
    case PictureFormat::png:
      return "image/png";
    case PictureFormat::gif:
      return "image/gif";
    case PictureFormat::webp:
      return "image/webp";
    default:
      return {};
  }
}

}  // namespace

Result<ChatImage> PictureStore::add(const std::string& bytes) {
  const PictureFormat format = sniffed_format(as_bytes(bytes));
  const std::string media_type = media_type_of(format);
  if (media_type.empty())
    return invalid_data("endpoints read JPEG, PNG, GIF and WebP, and this is " +
                        std::string(to_string(format)));
  ChatImage out{.sha256 = fiducial::sha256(as_bytes(bytes)).hex(), .media_type = media_type};
  if (!hashes_.insert(out.sha256).second) return out;
  const Path file = folder_ / out.sha256;
  std::error_code ignored;
  // A picture that lies there was decoded when it was put there.
  if (!folder_.empty() && std::filesystem::file_size(file, ignored) == bytes.size()) return out;
  if (is_decodable(format)) {
    Result<Picture> decoded = decode_picture(as_bytes(bytes));
    if (!decoded.ok()) {
      hashes_.erase(out.sha256);
      return std::move(decoded).error();
    }
  }
  if (folder_.empty()) return out;
  std::filesystem::create_directories(folder_, ignored);
  FIDUCIAL_TRY_DONE(write_file(file, std::string_view(bytes)));
  return out;
}

bool PictureStore::has_kept(const std::string& sha256) {
  if (folder_.empty() || !is_file(folder_ / sha256)) return false;
  hashes_.insert(sha256);
  return true;
}

std::set<std::string> PictureStore::kept() const {
  std::set<std::string> out = hashes_;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    const std::string name = entry.path().filename().string();
    if (parse_digest(name)) out.insert(name);
  }
  return out;
}

Result<std::string> PictureStore::read(const std::string& sha256) const {
  const Path file = folder_ / sha256;
  std::error_code failure;
  const std::filesystem::file_time_type written_at = std::filesystem::last_write_time(file, failure);
  FIDUCIAL_TRY(std::string bytes, read_text_file(file, largest_picture));
  const auto checked = checked_.find(sha256);
  if (!failure && checked != checked_.end() && checked->second == Checked{written_at, bytes.size()})
    return bytes;
  if (fiducial::sha256(as_bytes(bytes)).hex() != sha256)
    return Error(ErrorCode::integrity, "the picture is not the one its name says",
                 Place{.path = file.string()});
  if (!failure) checked_.insert_or_assign(sha256, Checked{written_at, bytes.size()});
  return bytes;
}

}  // namespace fiducial
