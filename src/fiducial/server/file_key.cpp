#include "fiducial/server/file_key.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/store.h"

namespace fiducial {

std::string stored_key(const StoredEntry& entry) {
  return entry.url.string() + "|" + decimal(entry.size) + "|" + decimal(entry.changed);
}

std::string file_key(const Path& path) {
  if (is_url(path)) {
    const Result<Store*> store = store_of(path);
    const Result<StoredEntry> found = store.ok() ? (*store)->find(path) : store.error();
    return found.ok() ? stored_key(*found) : path.string() + "|unknown";
  }
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  const auto size = std::filesystem::is_directory(path, error) ? 0 : std::filesystem::file_size(path, error);
  return path.string() + "|" + decimal(size) + "|" + decimal(time.time_since_epoch().count());
}

std::string keys_below(const Path& folder) {
  std::vector<std::string> keys;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) keys.push_back(file_key(at->path()));
  }
  std::ranges::sort(keys);
  std::string out;
  for (const std::string& key : keys) out += key + "\n";
  return out;
}

}  // namespace fiducial
