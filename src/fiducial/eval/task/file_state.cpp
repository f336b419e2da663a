#include "fiducial/eval/task/file_state.h"

#include <algorithm>
#include <sys/stat.h>
#include <system_error>
#include <vector>

#include "fiducial/base/number_text.h"

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

}  // namespace

Digest state_of_files(const Path& path) {
  std::vector<std::string> lines;
  add_lines(path, "", 0, lines);
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line;
  return sha256(as_bytes(all));
}

}  // namespace fiducial
