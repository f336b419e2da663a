#include "fiducial/base/paths.h"

#include <algorithm>
#include <system_error>

#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

using Kind = StoredEntry::Kind;

Kind kind_of(const Path& url) {
  const Result<Store*> store = store_of(url);
  if (!store.ok()) return Kind::file;
  const Result<StoredEntry> found = (*store)->find(url);
  return found.ok() ? found->kind : Kind::file;
}

Result<std::vector<StoredEntry>> listed(const Path& folder, bool below) {
  FIDUCIAL_TRY(Store* const store, store_of(folder));
  return store->list(folder, below);
}

}  // namespace

bool is_there(const Path& path) {
  std::error_code ignored;
  return is_url(path) ? kind_of(path) != Kind::nothing : std::filesystem::exists(path, ignored);
}

bool is_folder(const Path& path) {
  std::error_code ignored;
  return is_url(path) ? kind_of(path) == Kind::folder : std::filesystem::is_directory(path, ignored);
}

bool is_file(const Path& path) {
  std::error_code ignored;
  return is_url(path) ? kind_of(path) == Kind::file : std::filesystem::is_regular_file(path, ignored);
}

Outcome check_reachable(const Path& path) {
  if (!is_url(path)) return done();
  FIDUCIAL_TRY(Store* const store, store_of(path));
  FIDUCIAL_TRY(const StoredEntry found, store->find(path));
  static_cast<void>(found);
  return done();
}

Result<std::uint64_t> stored_size(const Path& path) {
  if (is_url(path)) {
    FIDUCIAL_TRY(Store* const store, store_of(path));
    FIDUCIAL_TRY(const StoredEntry found, store->find(path));
    if (found.kind == Kind::file) return found.size;
    return path_missing("no such object", path.string());
  }
  std::error_code failure;
  const std::uint64_t out = std::filesystem::file_size(path, failure);
  if (failure) return system_error("inspect", failure, path);
  return out;
}

Result<std::vector<FolderEntry>> entries_of(const Path& folder) {
  std::vector<FolderEntry> out;
  if (is_url(folder)) {
    FIDUCIAL_TRY(const std::vector<StoredEntry> found, listed(folder, false));
    out.reserve(found.size());
    for (const StoredEntry& each : found) out.push_back({each.url, each.kind == Kind::folder, false});
    return out;
  }
  std::error_code failure;
  for (auto entry = std::filesystem::directory_iterator(folder, failure);
       !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    std::error_code ignored;
    out.push_back({entry->path(), entry->is_directory(ignored), entry->is_symlink(ignored)});
  }
  if (failure) return system_error("list the folder", failure, folder);
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.path.native() < b.path.native(); });
  return out;
}

Result<std::vector<Path>> files_below(const Path& folder) {
  std::vector<Path> out;
  if (is_url(folder)) {
    FIDUCIAL_TRY(const std::vector<StoredEntry> found, listed(folder, true));
    for (const StoredEntry& each : found) {
      if (each.kind == Kind::file) out.push_back(each.url);
    }
    return out;
  }
  std::error_code failure;
  for (auto entry = std::filesystem::recursive_directory_iterator(folder, failure);
       !failure && entry != std::filesystem::recursive_directory_iterator(); entry.increment(failure)) {
    std::error_code ignored;
    if (!entry->is_directory(ignored)) out.push_back(entry->path());
  }
  if (failure) return system_error("list the folder", failure, folder);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace fiducial
