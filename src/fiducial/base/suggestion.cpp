#include "fiducial/base/suggestion.h"

#include <algorithm>
#include <numeric>
#include <system_error>

#include "fiducial/base/ascii.h"
#include "fiducial/base/file.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_compared = 100;
constexpr int most_entries = 10'000;  // of a folder that is looked through

// Lower case, with "-" for "_".
std::string plain_form(std::string_view text) {
  std::string out(text);
  for (char& each : out) {
    if (is_capital(each)) each = static_cast<char>(each - 'A' + 'a');
    if (each == '_') each = '-';
  }
  return out;
}

bool is_exchanged(std::string_view a, std::string_view b, std::size_t i, std::size_t k) {
  return i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
}

template <typename Take>
void each_entry(const Path& folder, const Take& take) {
  std::error_code failure;
  int left = most_entries;
  for (auto entry = std::filesystem::directory_iterator(folder, failure);
       !failure && entry != std::filesystem::directory_iterator() && left > 0; entry.increment(failure)) {
    take(*entry);
    --left;
  }
}

std::string meant(const Path& path) { return "; did you mean " + path.string() + "?"; }

// The first part of a path that is not there is the one that was mistyped.
std::string missing_advice(const Path& path) {
  std::error_code ignored;
  Path there;
  for (auto part = path.begin(); part != path.end(); ++part) {
    if (std::filesystem::exists(there / *part, ignored)) {
      there /= *part;
      continue;
    }
    std::vector<std::string> names;
    each_entry(there.empty() ? Path(".") : there, [&names](const std::filesystem::directory_entry& entry) {
      names.push_back(entry.path().filename().string());
    });
    std::sort(names.begin(), names.end());
    const std::optional<std::string> near = nearest_name(part->string(), names);
    if (!near) return "";
    Path whole = there / *near;
    for (auto rest = std::next(part); rest != path.end(); ++rest) whole /= *rest;
    return meant(std::filesystem::exists(whole, ignored) ? whole : there / *near);
  }
  return "";
}

// A folder where a file goes: the file in it, where there is but one.
std::string folder_advice(const Path& folder) {
  std::vector<Path> files;
  each_entry(folder, [&files](const std::filesystem::directory_entry& entry) {
    if (is_file(entry.path())) files.push_back(entry.path());
  });
  return "; this is a folder, and a file goes here" + (files.size() == 1 ? meant(files.front()) : "");
}

}  // namespace

std::size_t typing_mistakes(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      row[k] = std::min({above[k] + 1, row[k - 1] + 1, above[k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1)});
      if (is_exchanged(a, b, i, k)) row[k] = std::min(row[k], before[k - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& known) {
  if (word.empty() || word.size() > longest_compared) return std::nullopt;
  const std::string typed = plain_form(word);
  const std::size_t allowed = typed.size() < 3 ? 1 : std::max<std::size_t>(2, typed.size() / 4);
  const std::string* best = nullptr;
  std::size_t fewest = allowed + 1;
  const std::string* longer = nullptr;
  for (const std::string& name : known) {
    if (name.size() > longest_compared) continue;
    const std::string plain = plain_form(name);
    if (longer == nullptr && typed.size() >= 3 && plain.starts_with(typed)) longer = &name;
    // Half of the letters must be right, however short the word is.
    const std::size_t mistakes = typing_mistakes(typed, plain);
    if (mistakes < fewest && mistakes * 2 <= std::max(typed.size(), plain.size())) {
      best = &name;
      fewest = mistakes;
    }
  }
  if (longer != nullptr && fewest > 0) best = longer;
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::optional<std::string> near = nearest_name(word, known);
  return near ? "; did you mean " + *near + "?" : "";
}

std::string unknown_name(std::string_view kind, std::string_view word,
                         const std::vector<std::string>& known) {
  return "no " + std::string(kind) + " \"" + std::string(word) + "\"; there is " + joined(known) +
         did_you_mean(word, known);
}

Error no_such_name(std::string_view kind, std::string_view word, const std::vector<std::string>& known,
                   const std::string& given_in) {
  return bad_usage(given_in + unknown_name(kind, word, known)).because(ErrorReason::unknown_name);
}

std::string path_advice(const Error& error) {
  const Path path = error.place().path;
  if (path.empty() || error.code() != ErrorCode::invalid_data) return "";
  switch (error.reason()) {
    case ErrorReason::path_missing:
      return missing_advice(path);
    case ErrorReason::path_not_file:
      return is_folder(path) ? folder_advice(path) : "";
    case ErrorReason::not_archive:
      return is_file(path) && path.extension() != ".zip"
                 ? "; this is a file, and a folder or a .zip goes here"
                 : "";
    case ErrorReason::unknown_name:
    case ErrorReason::other:
      return "";
  }
  return "";
}

}  // namespace fiducial
