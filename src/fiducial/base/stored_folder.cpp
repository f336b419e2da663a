#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/file.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/scratch_folder.h"
#include "fiducial/base/store.h"
#include "fiducial/base/unfinished_paths.h"

namespace fiducial {

namespace {

constexpr std::string_view unfinished_name = ".fiducial-unfinished";

bool has_object(const std::vector<StoredEntry>& entries, const Path& url) {
  return std::any_of(entries.begin(), entries.end(),
                     [&url](const StoredEntry& entry) { return entry.url == url; });
}

bool is_file_entry(const StoredEntry& entry) { return entry.kind == StoredEntry::Kind::file; }

Outcome send_file(Store& store, const Path& file, const Path& url) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> bytes, FileStream::open(file));
  return store.write(url, *bytes);
}

}  // namespace

Result<StagedFolder> StagedFolder::create_stored(const Path& url, const std::string& marker, bool overwrite) {
  const Path target = output_target(url);
  const Place place{.path = target.string()};
  FIDUCIAL_TRY(Store* const store, store_of(target));
  FIDUCIAL_TRY(const std::vector<StoredEntry> found, store->list(target, true));
  if (std::any_of(found.begin(), found.end(), is_file_entry)) {
    if (!overwrite) return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it", place);
    if (!has_object(found, target / marker) && !has_object(found, target / unfinished_name))
      return Error(ErrorCode::refused,
                   "not an earlier output (no " + marker + " inside), so it is not replaced", place);
  }
  FIDUCIAL_TRY(ScratchFolder scratch, ScratchFolder::make());
  return StagedFolder(target, scratch.release(), marker, overwrite);
}

// An earlier output loses its marker first and the new one gets its own last, so that no reader takes a
// mixture for an output. Whoever is stopped in between leaves the unfinished object behind, and --overwrite
// goes over it.
Outcome StagedFolder::send() {
  FIDUCIAL_TRY(Store* const store, store_of(target_));
  FIDUCIAL_TRY(const std::vector<StoredEntry> earlier, store->list(target_, true));
  const Path marker = target_ / marker_;
  const Path unfinished = target_ / unfinished_name;
  if (!overwrite_ && std::any_of(earlier.begin(), earlier.end(), is_file_entry)) {
    return Error(ErrorCode::bad_usage, "another run wrote this output meanwhile; --overwrite replaces it",
                 Place{.path = target_.string()});
  }
  MemoryStream nothing{ByteView()};
  FIDUCIAL_TRY_DONE(store->write(unfinished, nothing));
  if (has_object(earlier, marker)) FIDUCIAL_TRY_DONE(store->remove(marker));
  std::set<Path> sent = {marker, unfinished};
  FIDUCIAL_TRY(const std::vector<Path> files, files_below(staging_));
  for (const Path& file : files) {
    const Path url = target_ / file.lexically_relative(staging_);
    if (sent.insert(url).second) FIDUCIAL_TRY_DONE(send_file(*store, file, url));
  }
  for (const StoredEntry& entry : earlier) {
    if (is_file_entry(entry) && !sent.contains(entry.url)) FIDUCIAL_TRY_DONE(store->remove(entry.url));
  }
  if (is_file(staging_ / marker_)) FIDUCIAL_TRY_DONE(send_file(*store, staging_ / marker_, marker));
  return store->remove(unfinished);
}

}  // namespace fiducial
