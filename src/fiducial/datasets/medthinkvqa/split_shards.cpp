#include "fiducial/datasets/medthinkvqa/split_shards.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/medthinkvqa/parquet_rows.h"

namespace fiducial::medthinkvqa {

namespace {

constexpr std::size_t most_entries = 100'000;  // of a folder that are looked at

bool is_row_file(const Path& path) {
  const std::string ending = path.extension().string();
  return ending == ".parquet" || ending == ".jsonl" || ending == ".arrow";
}

// "00002" of "test-00000-of-00002.parquet", where the name is of that form.
struct ShardNumber {
  std::int64_t index = 0;
  std::int64_t count = 0;
};

std::optional<ShardNumber> shard_number(const std::string& name) {
  constexpr std::size_t digits = 5;
  const std::size_t of = name.find("-of-");
  if (of == std::string::npos || of < digits + 1 || name.size() < of + 4 + digits) return std::nullopt;
  const auto index = parse_integer(name.substr(of - digits, digits));
  const auto count = parse_integer(name.substr(of + 4, digits));
  if (name[of - digits - 1] != '-' || !index || !count || *count < 1) return std::nullopt;
  return ShardNumber{*index, *count};
}

// Names of files with rows in a folder, sorted.
std::vector<std::string> row_files(const Path& folder) {
  std::vector<std::string> out;
  const Result<std::vector<FolderEntry>> entries = entries_of(folder);
  if (!entries.ok()) return out;
  for (const FolderEntry& entry : *entries) {
    if (out.size() < most_entries && is_row_file(entry.path)) out.push_back(entry.path.filename().string());
  }
  return out;
}

bool is_plain_number(const std::string& name) {
  const std::string stem = Path(name).stem().string();
  return !stem.empty() && std::all_of(stem.begin(), stem.end(), is_digit);
}

// Shards of one set: none is missing, none is there twice.
SplitShards checked_shards(const std::string& place, std::vector<std::string> names) {
  SplitShards out;
  const auto first = shard_number(names.front());
  const std::string prefix = place.empty() ? "" : place + "/";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto number = shard_number(names[i]);
    if (number && first && (number->index != static_cast<std::int64_t>(i) || number->count != first->count) &&
        out.problem.empty()) {
      out.problem = "expected shard " + decimal(i) + " of " + decimal(first->count) + ", found " + names[i];
    }
    out.files.push_back(prefix + names[i]);
  }
  if (first && out.problem.empty() && static_cast<std::int64_t>(names.size()) != first->count)
    out.problem = "expected " + decimal(first->count) + " shards, found " + decimal(names.size());
  std::string name = names.front();
  if (names.size() > 1 && first) name.replace(name.find("-of-") - 5, 5, "*");
  if (names.size() > 1 && !first) name = "*" + Path(name).extension().string();
  out.name = prefix + name;
  return out;
}

// The split that a folder of save_to_disk says it is.
std::string saved_split(const Path& folder) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;
  const Result<std::string> text = read_text_file(folder / "state.json", largest);
  if (!text.ok()) return {};
  const Result<Json> state = parse_json(*text);
  const Json* split = state.ok() && state->as_object() != nullptr ? state->find("_split") : nullptr;
  return split != nullptr && split->as_string() != nullptr ? *split->as_string() : "test";
}

bool holds_cases(const Path& file) { return file.extension() == ".jsonl" || has_case_columns(file); }

}  // namespace

std::optional<SplitShards> find_split_shards(const Path& folder, const std::string& split) {
  struct Place {
    std::string folder;
    bool is_of_split;  // every file in it belongs to the split
  };
  std::vector<Place> places = {
      {"", false}, {"data", false}, {"default", false}, {"default/" + split, true}, {split, true}};
  if (saved_split(folder) == split) places.push_back({"", true});
  for (const Place& place : places) {
    std::vector<std::string> names = row_files(folder / place.folder);
    std::erase_if(names, [&](const std::string& name) {
      const bool is_named = name.starts_with(split + "-") && shard_number(name);
      const bool is_whole = !place.folder.empty() && Path(name).stem() == split;
      const bool is_owned = place.is_of_split && (shard_number(name) || is_plain_number(name));
      return !is_named && !is_whole && !is_owned;
    });
    if (names.empty() || !holds_cases(folder / place.folder / names.front())) continue;
    return checked_shards(place.folder, std::move(names));
  }
  return std::nullopt;
}

}  // namespace fiducial::medthinkvqa
