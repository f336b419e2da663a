#include "fiducial/jobs/input_state.h"

#include <algorithm>
#include <sys/stat.h>
#include <system_error>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

namespace {

constexpr int deepest_folder = 32;  // links may lead in circles
constexpr std::uint64_t most_hashed = std::uint64_t{256} << 20;

struct Look {
  std::string lines;
  std::uint64_t bytes = 0;
};

std::vector<Path> entries_of(const Path& folder) {
  std::vector<Path> out;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (!at->path().filename().string().starts_with('.')) out.push_back(at->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void look_at(const Path& path, const std::string& name, int depth, Look& look) {
  struct stat found {};
  if (depth > deepest_folder || ::stat(path.c_str(), &found) != 0) return;
  if (S_ISDIR(found.st_mode)) {
    for (const Path& entry : entries_of(path))
      look_at(entry, name + '/' + entry.filename().string(), depth + 1, look);
    return;
  }
  look.bytes += static_cast<std::uint64_t>(found.st_size);
  look.lines += name + '\n' + decimal(found.st_size) + ' ' + decimal(found.st_mtim.tv_sec) + '\n';
}

bool is_of_a_case(const Path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".nii") || name.ends_with(".nii.gz");
}

Result<Json> state_of_file(const Path& path) {
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
    std::error_code ignored;
    Json files{Json::Array{}};
    const bool is_folder = std::filesystem::is_directory(input.path, ignored);
    for (const Path& path : is_folder ? entries_of(input.path) : std::vector<Path>{input.path}) {
      if (is_folder && is_of_a_case(path)) continue;
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
