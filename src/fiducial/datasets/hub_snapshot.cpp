#include "fiducial/datasets/hub_snapshot.h"

#include <algorithm>
#include <system_error>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"

namespace fiducial {

namespace {

constexpr std::size_t named_files = 8;  // in a command; beyond, patterns stand for them

std::int64_t unfinished_downloads(const Path& blobs) {
  std::error_code failed;
  std::int64_t out = 0;
  for (std::filesystem::directory_iterator at(blobs, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().extension() == ".incomplete") ++out;
  }
  return out;
}

std::string shell_quoted(const std::string& word) {
  const bool is_plain = word.find_first_not_of(
                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "-_./") == std::string::npos;
  return is_plain ? word : "'" + word + "'";
}

}  // namespace

std::optional<HubSnapshot> find_hub_snapshot(const Path& folder) {
  std::error_code failed;
  Path whole = std::filesystem::absolute(folder, failed).lexically_normal();
  if (whole.filename().empty()) whole = whole.parent_path();
  const Path repository = whole.parent_path().parent_path();
  constexpr std::string_view prefix = "datasets--";
  std::string name = repository.filename().string();
  if (whole.parent_path().filename() != "snapshots" || !name.starts_with(prefix)) return std::nullopt;
  name.erase(0, prefix.size());
  if (const std::size_t separator = name.find("--"); separator != std::string::npos) {
    name.replace(separator, 2, "/");
  }
  return HubSnapshot{name, whole.filename().string(), unfinished_downloads(repository / "blobs")};
}

std::string download_command(const Path& folder, std::span<const std::string> files) {
  const auto snapshot = find_hub_snapshot(folder);
  std::string out = "hf download " + (snapshot ? shell_quoted(snapshot->repository) : "REPOSITORY") +
                    " --repo-type dataset";
  out += snapshot ? " --revision " + shell_quoted(snapshot->revision)
                  : " --local-dir " + shell_quoted(folder.string());
  if (files.size() <= named_files) {
    for (const std::string& file : files) out += " " + shell_quoted(file);
    return out;
  }
  return out + " --include 'images/*'";
}

Outcome require_downloaded(const Path& folder, const std::string& file) {
  std::error_code failed;
  const Path path = folder / file;
  if (is_there(path)) return done();
  const bool is_link = std::filesystem::is_symlink(path, failed);
  std::string message =
      is_link ? "expected the file, found a link to nothing" : "expected the file, found none";
  const auto snapshot = find_hub_snapshot(folder);
  if (snapshot && snapshot->unfinished > 0) {
    message += " (" + decimal(snapshot->unfinished) + " unfinished downloads lie among the blobs)";
  }
  return Error(ErrorCode::unavailable, message + "; get it with: " + download_command(folder, {&file, 1}),
               Place{.path = path.string()})
      .because(ErrorReason::path_missing);
}

}  // namespace fiducial
