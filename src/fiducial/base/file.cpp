#include "fiducial/base/file.h"

#include <atomic>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/partial_file.h"
#include "fiducial/base/store.h"

namespace fiducial {

Path partial_path(const Path& target) {
  const Path name = target.filename().empty() ? target.parent_path() : target;
  // Two of one process differ, too: a call that was given up may still be writing its own.
  static std::atomic<std::uint64_t> count = 0;
  const std::string mark = decimal(::getpid()) + "." + decimal(count++);
  return name.parent_path() / ("." + name.filename().string() + ".partial-" + mark);
}

Path output_target(const Path& path) {
  Path out = path.filename().empty() ? path.parent_path() : path;
  if (is_url(out)) return out;
  std::error_code failure;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(out, failure); ++links) {
    const Path to = std::filesystem::read_symlink(out, failure);
    out = to.is_absolute() ? to : out.parent_path() / to;
    if (out.filename().empty()) out = out.parent_path();
  }
  return out;
}

std::vector<Path> missing_parents(const Path& path) {
  std::vector<Path> out;
  if (is_url(path)) return out;  // buckets know no folders
  std::error_code ignored;
  for (Path parent = path.parent_path(); !parent.empty() && !std::filesystem::exists(parent, ignored);
       parent = parent.parent_path()) {
    out.push_back(parent);
  }
  return out;
}

Result<std::string> read_text_file(const Path& path, std::uint64_t max_bytes) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  if (file->size() > max_bytes) {
    return Error(ErrorCode::invalid_data,
                 "file has " + decimal(file->size()) + " bytes, at most " + decimal(max_bytes) + " are read",
                 Place{.path = path.string()});
  }
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  FIDUCIAL_TRY(const std::size_t got,
               file->read(std::as_writable_bytes(std::span(text))).in_file(path.string()));
  text.resize(got);
  return text;
}

Outcome write_file(const Path& path, ByteView bytes) {
  if (is_url(path)) {
    FIDUCIAL_TRY(Store* const store, store_of(path));
    MemoryStream stream(bytes);
    return store->write(path, stream);
  }
  FIDUCIAL_TRY(PartialFile file, PartialFile::create(path));
  FIDUCIAL_TRY_DONE(file.write(bytes));
  return file.publish();
}

Outcome write_file(const Path& path, std::string_view text) { return write_file(path, as_bytes(text)); }

}  // namespace fiducial
