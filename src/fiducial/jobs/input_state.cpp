#include "fiducial/jobs/input_state.h"

#include <algorithm>
#include <sys/stat.h>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/store.h"

namespace fiducial {

namespace {

constexpr int deepest_folder = 32;  // links may lead in circles
constexpr std::uint64_t most_hashed = std::uint64_t{256} << 20;

constexpr std::int64_t nanoseconds = 1'000'000'000;

struct Look {
  std::string lines;
  std::uint64_t bytes = 0;
};

void take_object(const StoredEntry& found, const std::string& name, Look& look) {
  look.bytes += found.size;
  look.lines += name + '\n' + decimal(found.size) + ' ' + decimal(found.changed / nanoseconds) + '\n';
}

std::vector<Path> visible_entries(const Path& folder) {
  std::vector<Path> out;
  const Result<std::vector<FolderEntry>> entries = entries_of(folder);
  if (!entries.ok()) return out;
  for (const FolderEntry& each : *entries) {
    if (!each.path.filename().string().starts_with('.')) out.push_back(each.path);
  }
  return out;
}

void look_at_object(const Path& url, const std::string& name, Look& look) {
  const Result<Store*> store = store_of(url);
  if (!store.ok()) return;
  const Result<StoredEntry> found = (*store)->find(url);
  if (!found.ok() || found->kind == StoredEntry::Kind::nothing) return;
  if (found->kind == StoredEntry::Kind::file) {
    take_object(*found, name, look);
    return;
  }
  const Result<std::vector<StoredEntry>> below = (*store)->list(url, true);
  if (!below.ok()) return;
  for (const StoredEntry& each : *below) {
    if (each.kind == StoredEntry::Kind::file)
      take_object(each, name + '/' + each.url.lexically_relative(url).generic_string(), look);
  }
}

void look_at(const Path& path, const std::string& name, int depth, Look& look) {
  if (is_url(path)) {
    look_at_object(path, name, look);
    return;
  }
  struct stat found {};
  if (depth > deepest_folder || ::stat(path.c_str(), &found) != 0) return;
  if (S_ISDIR(found.st_mode)) {
    for (const Path& entry : visible_entries(path))
      look_at(entry, name + '/' + entry.filename().string(), depth + 1, look);
    return;
  }
  look.bytes += static_cast<std::uint64_t>(found.st_size);
  look.lines += name + '\n' + decimal(found.st_size) + ' ' + decimal(found.st_mtim.tv_sec) + '\n';
}

bool is_of_a_case(const Path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".nii") || name.ends_with(".nii.gz") || name.ends_with(".fmask");
}

// An object is known by its size and its time of change: reading it costs money.
Result<Json> state_of_object(const Path& url) {
  FIDUCIAL_TRY(Store* const store, store_of(url));
  FIDUCIAL_TRY(const StoredEntry found, store->find(url));
  if (found.kind != StoredEntry::Kind::file) return Json();
  return Json::object(
      {{"name", url.filename().string()}, {"bytes", found.size}, {"changed", found.changed / nanoseconds}});
}

Result<Json> state_of_file(const Path& path) {
  if (is_url(path)) return state_of_object(path);
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return Json();
  Json out = Json::object({{"name", path.filename().string()},
                           {"bytes", static_cast<std::int64_t>(found.st_size)},
                           {"changed", static_cast<std::int64_t>(found.st_mtim.tv_sec)}});
  if (static_cast<std::uint64_t>(found.st_size) > most_hashed) return out;
  FIDUCIAL_TRY(const std::string text, read_text_file(path, most_hashed));
  out.set("sha256", sha256(as_bytes(text)).hex());
  return out;
}

// What can change about a file that holds the same bytes does not count.
bool is_same(const Json& a, const Json& b) {
  const std::string digest = text_at(a, "sha256");
  if (!digest.empty() || b.find("sha256") != nullptr) return digest == text_at(b, "sha256");
  return a.compact() == b.compact();
}

Error changed(const std::string& path, const std::string& name, const char* how) {
  return {ErrorCode::integrity, std::string(how) + " since the job was planned; plan it again",
          Place{.path = name.empty() || path.ends_with(name) ? path : path + "/" + name}};
}

Outcome check_input(const Json& planned, const Json& found) {
  const std::string path = text_at(planned, "path");
  const Json::Array* before = find_array(planned, "files");
  const Json::Array* after = find_array(found, "files");
  if (before == nullptr || after == nullptr) return invalid_data("an input of the plan lists no files");
  for (const Json& file : *before) {
    const std::string name = text_at(file, "name");
    const auto same = std::find_if(after->begin(), after->end(),
                                   [&name](const Json& each) { return text_at(each, "name") == name; });
    if (same == after->end()) return changed(path, name, "the file went away");
    if (!is_same(file, *same)) return changed(path, name, "the file changed");
  }
  for (const Json& file : *after) {
    const std::string name = text_at(file, "name");
    const bool is_known = std::any_of(before->begin(), before->end(),
                                      [&name](const Json& each) { return text_at(each, "name") == name; });
    if (!is_known) return changed(path, name, "the file was added");
  }
  return done();
}

}  // namespace

CaseState state_of_case(const CaseInput& entry) {
  Look all;
  CaseState out;
  for (const JobInput& input : entry.files) {
    const std::uint64_t before = all.bytes;
    look_at(input.path, input.role, 0, all);
    out.by_role.emplace_back(input.role, all.bytes - before);
  }
  out.bytes = all.bytes;
  out.digest = sha256(as_bytes(all.lines)).hex().substr(0, 16);
  return out;
}

Result<Json> state_of_inputs(const std::vector<JobInput>& inputs) {
  Json out{Json::Array{}};
  for (const JobInput& input : inputs) {
    Json files{Json::Array{}};
    const bool has_entries = is_folder(input.path);
    for (const Path& path : has_entries ? visible_entries(input.path) : std::vector<Path>{input.path}) {
      if (has_entries && is_of_a_case(path)) continue;
      FIDUCIAL_TRY(Json file, state_of_file(path));
      if (!file.is_null()) files.push(std::move(file));
    }
    out.push(
        Json::object({{"role", input.role}, {"path", input.path.string()}, {"files", std::move(files)}}));
  }
  return out;
}

Outcome check_inputs(const Json& planned, const Json& found) {
  const Json::Array* before = planned.as_array();
  const Json::Array* after = found.as_array();
  if (before == nullptr || after == nullptr || before->size() != after->size())
    return invalid_data("the inputs of the plan are not those of its request");
  for (std::size_t i = 0; i < before->size(); ++i) FIDUCIAL_TRY_DONE(check_input((*before)[i], (*after)[i]));
  return done();
}

}  // namespace fiducial
