#include "fiducial/reproduce/scored_systems.h"

#include <algorithm>
#include <tuple>

#include "fiducial/base/json_fields.h"

namespace fiducial {

namespace {

Result<std::vector<Path>> summaries_below(const Path& folder) {
  std::error_code trouble;
  std::vector<Path> out;
  using Walk = std::filesystem::recursive_directory_iterator;
  for (Walk at(folder, trouble); !trouble && at != Walk(); at.increment(trouble)) {
    if (at->path().filename() == "summary.json") out.push_back(at->path());
  }
  if (trouble) return Error(ErrorCode::invalid_data, trouble.message(), Place{.path = folder.string()});
  return out;
}

}  // namespace

Result<std::vector<ScoredSystem>> find_scored_systems(const Path& folder, const std::string& benchmark) {
  FIDUCIAL_TRY(const std::vector<Path> summaries, summaries_below(folder));
  std::vector<ScoredSystem> out;
  for (const Path& path : summaries) {
    FIDUCIAL_TRY(const std::string text, read_text_file(path));
    FIDUCIAL_TRY(Json summary, parse_json(text).in_file(path.string()));
    if (text_at(summary, "schema") != "fiducial.scores/1" || text_at(summary, "benchmark") != benchmark)
      continue;
    std::string system = text_at(summary, "system");
    out.push_back({path.parent_path(), std::move(system), std::move(summary)});
  }
  if (out.empty()) {
    return Error(ErrorCode::invalid_data, "no scores of " + benchmark + " below this folder",
                 Place{.path = folder.string()});
  }
  std::sort(out.begin(), out.end(), [](const ScoredSystem& a, const ScoredSystem& b) {
    return std::tie(a.system, a.folder) < std::tie(b.system, b.folder);
  });
  return out;
}

}  // namespace fiducial
