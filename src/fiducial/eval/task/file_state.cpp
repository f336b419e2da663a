#include "fiducial/eval/task/file_state.h"

#include <algorithm>
#include <sys/stat.h>
#include <system_error>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/store.h"

namespace fiducial {

namespace {

constexpr int deepest_folder = 32;  // links may lead in circles

// A line for a file, or for every file below a folder.
void add_lines(const Path& path, const std::string& name, int depth, std::vector<std::string>& lines) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || depth > deepest_folder) return;
  if (!S_ISDIR(found.st_mode)) {
    lines.push_back(name + '\n' + decimal(found.st_size) + ' ' + decimal(found.st_ino) + ' ' +
                    decimal(found.st_ctim.tv_sec) + ' ' + decimal(found.st_ctim.tv_nsec) + '\n');
    return;
  }
  std::error_code failed;
  for (std::filesystem::directory_iterator at(path, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string below = at->path().filename().string();
    if (!below.starts_with('.')) add_lines(at->path(), name + '/' + below, depth + 1, lines);
  }
}

// The same for what a store has at a URL or below it.
void add_stored_lines(const Path& url, std::vector<std::string>& lines) {
  const Result<Store*> store = store_of(url);
  if (!store.ok()) return;
  const Result<StoredEntry> found = (*store)->find(url);
  if (!found.ok()) return;
  Result<std::vector<StoredEntry>> entries = std::vector{*found};
  if (found->kind == StoredEntry::Kind::folder) entries = (*store)->list(url, true);
  if (!entries.ok()) return;
  for (const StoredEntry& entry : *entries) {
    if (entry.kind == StoredEntry::Kind::file)
      lines.push_back(entry.url.string() + '\n' + decimal(entry.size) + ' ' + decimal(entry.changed) + '\n');
  }
}

}  // namespace

Digest state_of_files(const Path& path) {
  std::vector<std::string> lines;
  if (is_url(path)) {
    add_stored_lines(path, lines);
  } else {
    add_lines(path, "", 0, lines);
  }
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line;
  return sha256(as_bytes(all));
}

}  // namespace fiducial
