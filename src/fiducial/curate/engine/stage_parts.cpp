#include "fiducial/curate/engine/stage_parts.h"

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/system_error.h"
#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

namespace {

constexpr const char* part_checkpoint = "checkpoint.json";
constexpr const char* part_requests = ".requests.jsonl";
constexpr const char* whole_output = "out";
constexpr const char* whole_manifest = "manifest.json";

// What a checkpoint says that is no sum: what the last part says is said.
constexpr std::array<const char*, 7> last_words{
    "passed", "main", "fingerprint", "files", "prompt", "findings_column", "impressions_column"};

bool is_last_word(std::string_view name) {
  return std::find(last_words.begin(), last_words.end(), name) != last_words.end();
}

Result<Json> summed_objects(const Json::Object& a, const Json::Object& b) {
  Json out = a;
  for (const auto& [name, value] : b) {
    const Json* known = out.find(name);
    if (known == nullptr || is_last_word(name)) {
      const bool is_empty = value.as_string() != nullptr && value.as_string()->empty();
      if (known == nullptr || !is_empty) out.set(name, value);
      continue;
    }
    FIDUCIAL_TRY(Json sum, summed(*known, value).context("adding " + name));
    out.set(name, std::move(sum));
  }
  return out;
}

Result<Json> summed_arrays(const Json::Array& a, const Json::Array& b) {
  if (a.size() != b.size()) return invalid_data("two parts list other numbers of sums");
  Json::Array out;
  out.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    FIDUCIAL_TRY(Json sum, summed(a[i], b[i]));
    out.push_back(std::move(sum));
  }
  return Json(std::move(out));
}

// Requests that several parts ask are asked once.
std::string first_requests(const std::string& lines) {
  std::string out;
  std::set<std::string> known;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
    const std::string line = lines.substr(begin, end - begin);
    begin = end;
    const Result<Json> request = parse_json(line);
    if (request.ok() && !known.insert(text_at(*request, "request")).second) continue;
    out += line;
  }
  return out;
}

// A checkpoint without the names of its files, which tell where the work was done.
Json without_files(const Json& checkpoint) {
  Json::Object out;
  const Json::Object* members = checkpoint.as_object();
  if (members == nullptr) return Json();
  for (const auto& member : *members) {
    if (member.first != "files") out.push_back(member);
  }
  return out;
}

// The parts as one: a checkpoint behind the last row, and what files held then.
struct JoinedParts {
  Json checkpoint;
  std::map<std::string, std::string> files;
};

Result<JoinedParts> joined_parts(const PartVisitor& parts) {
  JoinedParts out;
  FIDUCIAL_TRY_DONE(parts([&out](const KeptPart& part) -> Outcome {
    if (out.checkpoint.is_null()) {
      out.checkpoint = part.checkpoint;
    } else {
      FIDUCIAL_TRY(out.checkpoint, summed(out.checkpoint, part.checkpoint));
    }
    for (const auto& [name, text] : part.files) out.files[name] += text;
    return done();
  }));
  const auto requests = out.files.find(part_requests);
  if (requests != out.files.end()) requests->second = first_requests(requests->second);
  return out;
}

std::string shown_name(const std::string& name, const StageRequest& request, bool is_folder) {
  if (is_folder || name.starts_with('.')) return name;
  const std::string target = request.output.filename().string();
  return name == single_main ? target : target + "." + name;
}

bool writes_folder(const Stage& stage, const StageRequest& request) {
  return stage.writes_folder || (!stage.writes_file && !OutputFiles::names_file(request.output));
}

// Puts the parts where a run that was stopped would have left them.
Outcome leave_parts(const Stage& stage, const StageRequest& request, JoinedParts parts) {
  const Path folder = part_folder(request.output);
  const bool is_folder = writes_folder(stage, request);
  Json files = Json::object({});
  for (const auto& [part_name, text] : parts.files) {
    const bool is_main = !is_folder && part_name == text_at(parts.checkpoint, "main");
    const std::string name = is_main ? single_main : part_name;
    FIDUCIAL_TRY_DONE(make_folders((folder / name).parent_path()));
    FIDUCIAL_TRY_DONE(write_file(folder / name, std::string_view(text)));
    files.set(shown_name(name, request, is_folder), static_cast<std::uint64_t>(text.size()));
  }
  parts.checkpoint.set("files", std::move(files));
  return write_file(folder / part_checkpoint, std::string_view(parts.checkpoint.compact() + "\n"));
}

// What a stage that was run at once wrote, by the names that parts have.
Result<std::map<std::string, Path>> files_of_whole(const Stage& stage, const Path& output) {
  std::map<std::string, Path> out;
  if (const Path requests = output.string() + part_requests; is_file(requests))
    out.emplace(part_requests, requests);
  if (stage.writes_file) {
    FIDUCIAL_TRY(const std::vector<Path> files, files_below(output.parent_path()));
    const std::string prefix = output.filename().string() + ".";
    for (const Path& file : files) {
      const std::string name = file.filename().string();
      if (name == whole_output) out.emplace(single_main, file);
      if (name.starts_with(prefix) && !out.contains("." + name.substr(prefix.size())))
        out.emplace(name.substr(prefix.size()), file);
    }
  } else if (is_folder(output)) {
    FIDUCIAL_TRY(const std::vector<Path> files, files_below(output));
    for (const Path& file : files) out.emplace(file.lexically_relative(output).generic_string(), file);
  }
  out.erase(whole_manifest);
  return out;
}

// The names that parts have of the files that a manifest lists, in its order.
Json listed_files(const Stage& stage, const Json& manifest) {
  Json out{Json::Array{}};
  const Json::Array* outputs = find_array(manifest, "outputs");
  if (outputs == nullptr) return out;
  const std::string prefix = std::string(whole_output) + ".";
  for (const Json& each : *outputs) {
    const std::string name = text_at(each, "file");
    if (!stage.writes_file) {
      out.push(name);
    } else {
      out.push(name == whole_output ? std::string(single_main) : name.substr(prefix.size()));
    }
  }
  return out;
}

Outcome write_kept(const KeptPart& whole, OutputFiles& output, bool is_folder) {
  const std::string main = text_at(whole.checkpoint, "main");
  std::set<std::string> listed;
  for (const std::string& name : strings_at(whole.checkpoint, "listed")) {
    const auto found = whole.files.find(name);
    if (found == whole.files.end()) return invalid_data("the part has no file \"" + name + "\"");
    const bool is_single = !is_folder && name == main;
    FIDUCIAL_TRY(OutputFile * file, is_single ? output.add_main("") : output.add(name));
    FIDUCIAL_TRY_DONE(file->write(found->second));
    listed.insert(name);
  }
  for (const auto& [name, text] : whole.files) {
    if (!is_folder || listed.contains(name)) continue;
    const Path path = output.staging() / name;
    FIDUCIAL_TRY_DONE(make_folders(path.parent_path()));
    FIDUCIAL_TRY_DONE(write_file(path, std::string_view(text)));
  }
  return done();
}

}  // namespace

Path part_folder(const Path& output) {
  const Path name = output.filename().empty() ? output.parent_path() : output;
  return name.parent_path() / ("." + name.filename().string() + ".resume");
}

Result<Json> summed(const Json& a, const Json& b) {
  if (a.is_null()) return b;
  if (b.is_null()) return a;
  if (a.as_integer() != nullptr && b.as_integer() != nullptr) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(*a.as_integer(), *b.as_integer(), &sum))
      return invalid_data("what two parts counted is more than can be counted");
    return Json(sum);
  }
  if (a.as_array() != nullptr && b.as_array() != nullptr) return summed_arrays(*a.as_array(), *b.as_array());
  if (a.as_object() != nullptr && b.as_object() != nullptr)
    return summed_objects(*a.as_object(), *b.as_object());
  return invalid_data("what two parts know cannot be added: " + std::string(a.kind()) + " and " +
                      std::string(b.kind()));
}

Result<StagePart> run_stage_part(const Stage& stage, const StageRequest& request, Progress& progress) {
  FIDUCIAL_ASSERT(stage.by_rows && request.part);
  FIDUCIAL_TRY(const StageRequest full, resolved_request(stage, request));
  {
    FIDUCIAL_TRY(StageCall call, StageCall::begin(stage, full, progress));
    const Outcome outcome = stage.run(call);
    if (!outcome.ok()) {
      if (outcome.error().code() == ErrorCode::io) call.keep();
      return outcome.error();
    }
    call.keep();
  }
  const Path folder = part_folder(request.output);
  StagePart out;
  if (!is_file(folder / part_checkpoint)) return out;
  FIDUCIAL_TRY(const std::string text, read_text_file(folder / part_checkpoint));
  FIDUCIAL_TRY(const Json checkpoint, parse_json(text));
  out.checkpoint = without_files(checkpoint);
  FIDUCIAL_TRY(const std::vector<Path> files, files_below(folder));
  for (const Path& file : files) {
    const std::string name = file.lexically_relative(folder).generic_string();
    if (name != part_checkpoint && name != "run.json" && name != "lock") out.files.emplace(name, file);
  }
  return out;
}

Result<StagePart> run_whole_stage(const Stage& stage, const StageRequest& request, Progress& progress) {
  const Path folder = part_folder(request.output);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);  // of an attempt that was killed
  FIDUCIAL_TRY_DONE(make_folders(folder));
  StageRequest nameless = request;
  nameless.output = folder / whole_output;
  FIDUCIAL_TRY(const StageOutcome outcome, run_stage(stage, nameless, progress));
  StagePart out;
  FIDUCIAL_TRY(out.files, files_of_whole(stage, nameless.output));
  out.checkpoint = Json::object({{"manifest", outcome.manifest},
                                 {"items", outcome.items},
                                 {"failures", outcome.failures},
                                 {"unanswered", outcome.unanswered},
                                 {"unused_replies", outcome.unused_replies},
                                 {"main", outcome.main_file},
                                 {"listed", listed_files(stage, outcome.manifest)}});
  return out;
}

Result<StageOutcome> conclude_whole_stage(const Stage& stage, const StageRequest& request,
                                          const KeptPart& whole) {
  StageOutcome out{.items = integer_at(whole.checkpoint, "items"),
                   .failures = integer_at(whole.checkpoint, "failures"),
                   .unanswered = integer_at(whole.checkpoint, "unanswered"),
                   .unused_replies = integer_at(whole.checkpoint, "unused_replies")};
  const bool is_folder = writes_folder(stage, request);
  FIDUCIAL_TRY(OutputFiles output, OutputFiles::create(request.output, is_folder, request.overwrite));
  if (out.unanswered > 0) {
    out.requests = Path(request.output.string() + part_requests);
    const auto requests = whole.files.find(part_requests);
    if (requests == whole.files.end()) return invalid_data("the part has no requests");
    FIDUCIAL_TRY_DONE(write_file(out.requests, std::string_view(requests->second)));
    return out;
  }
  FIDUCIAL_TRY_DONE(write_kept(whole, output, is_folder));
  FIDUCIAL_TRY(const Json* manifest, required_field(whole.checkpoint, "manifest", ""));
  FIDUCIAL_TRY(out.manifest, output.publish(*manifest));
  return out;
}

Result<StageOutcome> conclude_stage(const Stage& stage, const StageRequest& request, const PartVisitor& parts,
                                    Progress& progress) {
  FIDUCIAL_TRY(const StageRequest full, resolved_request(stage, request));
  FIDUCIAL_TRY(JoinedParts joined, joined_parts(parts));
  {
    FIDUCIAL_TRY(StageCall call, StageCall::begin(stage, full, progress));
    call.keep();
  }
  FIDUCIAL_TRY_DONE(leave_parts(stage, full, std::move(joined)));
  return run_stage(stage, request, progress);
}

}  // namespace fiducial
