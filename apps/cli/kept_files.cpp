#include "kept_files.h"

#include <system_error>

#include "fiducial/base/paths.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/base/system_error.h"

namespace fiducial::cli {

namespace {

// Masks of a case; larger ones than this are no result of ours.
constexpr std::uint64_t most_kept_bytes = std::uint64_t{8} << 30;

}  // namespace

Result<UnitFolder> UnitFolder::create(const Path& journal) {
  UnitFolder out(journal.string() + ".made");
  std::error_code ignored;
  std::filesystem::remove_all(out.path_, ignored);  // of an attempt that was killed
  FIDUCIAL_TRY_DONE(make_folders(out.path_));
  return out;
}

UnitFolder::~UnitFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<std::map<std::string, std::string>> UnitFolder::keep(const JobFolder& job) const {
  std::map<std::string, std::string> out;
  FIDUCIAL_TRY(const std::vector<FolderEntry> entries, entries_of(path_));
  for (const FolderEntry& entry : entries) {
    FIDUCIAL_TRY(const std::string bytes, read_text_file(entry.path, most_kept_bytes));
    FIDUCIAL_TRY(out[entry.path.filename().string()], job.keep(bytes));
  }
  return out;
}

Outcome take_kept_files(const JobFolder& job, const UnitResult& result, const Path& folder) {
  for (const auto& [name, hash] : result.files) {
    const Path target = folder / name;
    if (is_file(target))
      return Error(ErrorCode::integrity, "two units made a file of this name", Place{.path = name});
    FIDUCIAL_TRY(const std::string bytes, job.read_kept(hash, most_kept_bytes));
    FIDUCIAL_TRY_DONE(write_staged_file(target, bytes));
  }
  return done();
}

}  // namespace fiducial::cli
