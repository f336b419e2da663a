#include "gzip_indexing.h"

#include <algorithm>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/image/gzip_index.h"

namespace fiducial::cli {

namespace {

Result<std::vector<Path>> files_to_index(const Path& given) {
  if (!is_folder(given)) return std::vector<Path>{given};
  FIDUCIAL_TRY(std::vector<Path> files, files_below(given));
  std::erase_if(files, [](const Path& file) { return !file.filename().string().ends_with(".nii.gz"); });
  if (files.empty())
    return Error(ErrorCode::invalid_data, "no .nii.gz file below this folder", Place{.path = given.string()});
  std::ranges::sort(files);
  return files;
}

}  // namespace

Result<int> index_gzip_files(const std::string& file_or_folder, bool overwrite, Console& console) {
  FIDUCIAL_TRY(const std::vector<Path> files, files_to_index(file_or_folder));
  std::int64_t kept = 0;
  console.begin("indexing", static_cast<std::int64_t>(files.size()));
  for (const Path& file : files) {
    FIDUCIAL_TRY(const bool is_written, write_gzip_index(file, overwrite));
    kept += is_written ? 0 : 1;
    console.advance(1);
  }
  console.end();
  const auto written = static_cast<std::int64_t>(files.size()) - kept;
  console.note(decimal(written) + (written == 1 ? " index written" : " indexes written") +
               (kept > 0 ? ", " + decimal(kept) + " kept" : ""));
  return 0;
}

}  // namespace fiducial::cli
