#include "fiducial/base/git_checkout.h"

#include <algorithm>
#include <system_error>

#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t{64} << 20;

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// What stands behind a word at the beginning of a text: "ref: " or "gitdir: ".
std::optional<std::string> behind(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  return std::string(trimmed(text.substr(word.size())));
}

// The .git folder of the checkout that a folder is part of; empty where it is part of none. A worktree has a
// file in its place that names the folder.
Result<Path> git_folder(const Path& folder) {
  std::error_code ignored;
  for (Path at = std::filesystem::absolute(folder, ignored).lexically_normal();; at = at.parent_path()) {
    const Path git = at / ".git";
    if (std::filesystem::is_directory(git, ignored)) return git;
    if (is_file(git)) {
      FIDUCIAL_TRY(const std::string text, read_text_file(git, 1 << 16));
      const auto place = behind(text, "gitdir:");
      if (!place)
        return Error(ErrorCode::invalid_data, "expected \"gitdir: \" and a folder",
                     Place{.path = git.string()});
      return Path(*place).is_absolute() ? Path(*place) : at / *place;
    }
    if (!at.has_relative_path()) return Path();
  }
}

// The commit of a name such as refs/heads/main, in packed-refs; nothing where it has none.
Result<std::optional<std::string>> packed_commit(const Path& file, const std::string& name) {
  if (!is_file(file)) return std::optional<std::string>();
  FIDUCIAL_TRY(const std::string text, read_text_file(file, largest_file));
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || trimmed(line.substr(blank + 1)) != name) continue;
    if (is_commit(line.substr(0, blank))) return std::optional(std::string(line.substr(0, blank)));
  }
  return std::optional<std::string>();
}

}  // namespace

Result<std::optional<std::string>> checked_out_commit(const Path& folder) {
  FIDUCIAL_TRY(const Path git, git_folder(folder));
  if (git.empty()) return std::optional<std::string>();
  FIDUCIAL_TRY(const std::string head, read_text_file(git / "HEAD", 1 << 16));
  if (is_commit(trimmed(head))) return std::optional(std::string(trimmed(head)));
  const auto name = behind(head, "ref:");
  const Error unread(ErrorCode::invalid_data, "the checkout stands at no commit that can be read",
                     Place{.path = (git / "HEAD").string()});
  if (!name || name->find("..") != std::string::npos || !name->starts_with("refs/")) return unread;
  // Branches of a worktree lie with its repository.
  Path common = git;
  if (is_file(git / "commondir")) {
    FIDUCIAL_TRY(const std::string text, read_text_file(git / "commondir", 1 << 16));
    common = git / std::string(trimmed(text));
  }
  if (is_file(common / *name)) {
    FIDUCIAL_TRY(const std::string text, read_text_file(common / *name, 1 << 16));
    if (is_commit(trimmed(text))) return std::optional(std::string(trimmed(text)));
    return unread;
  }
  FIDUCIAL_TRY(std::optional<std::string> packed, packed_commit(common / "packed-refs", *name));
  if (!packed) return unread;
  return packed;
}

}  // namespace fiducial
