#include "fiducial/export/challenge_input.h"

#include <array>
#include <set>
#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/staged_file.h"

namespace fiducial {

namespace {

constexpr std::array<std::string_view, 11> image_endings{
    ".nii.gz", ".nii", ".mha", ".mhd", ".seg.nrrd", ".nrrd", ".fmask", ".tiff", ".tif", ".png", ".jpg"};

std::string without_image_ending(const std::string& name) {
  for (const std::string_view ending : image_endings) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

// A name of a file or folder below another, and not beside it.
bool stays_below(const std::string& name) {
  const Path path(name);
  if (name.empty() || path.is_absolute()) return false;
  for (const Path& part : path) {
    if (part == "..") return false;
  }
  return true;
}

// What an input is of: the name of its image, or the text that is its value.
std::string named_by(const Json& input) {
  const Json* image = input.find("image");
  const std::string name = image == nullptr ? "" : text_at(*image, "name");
  return name.empty() ? text_at(input, "value") : without_image_ending(name);
}

// Where a socket (an interface, in older lists) keeps what is given through it.
std::string path_of(const Json& given) {
  for (const char* name : {"socket", "interface"}) {
    if (const Json* socket = given.find(name)) return text_at(*socket, "relative_path");
  }
  return {};
}

Result<ChallengeJob> parse_job(const Json& job, const std::string& pointer) {
  FIDUCIAL_TRY(const Json* id, required_field(job, "pk", pointer));
  ChallengeJob out{.id = id->as_string() != nullptr ? *id->as_string() : id->compact(),
                   .case_name = {},
                   .succeeded = text_at(job, "status").empty() || text_at(job, "status") == "Succeeded",
                   .output_path = {}};
  if (!stays_below(out.id) || out.id.find('/') != std::string::npos)
    return at_pointer(pointer + "/pk", "\"" + out.id + "\" is no name of a folder");
  for (const char* list : {"inputs", "outputs"}) {
    FIDUCIAL_TRY(const Json* found, required_field(job, list, pointer));
    FIDUCIAL_TRY_DONE(expect_array(*found, pointer + "/" + list));
  }
  for (const Json& input : *find_array(job, "inputs")) {
    if (out.case_name.empty()) out.case_name = named_by(input);
  }
  if (!stays_below(out.case_name) || out.case_name.find('/') != std::string::npos)
    return at_pointer(pointer + "/inputs", "no input names a case: neither an image with a name nor a text");
  const Json::Array& outputs = *find_array(job, "outputs");
  if (!outputs.empty()) out.output_path = path_of(outputs.front());
  if (out.succeeded && !stays_below(out.output_path))
    return at_pointer(pointer + "/outputs", "no output says its relative_path");
  return out;
}

// The one file that a job left for an image.
Result<Path> image_of(const Path& folder) {
  std::error_code failure;
  Path found;
  for (auto entry = std::filesystem::directory_iterator(folder, failure);
       !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    if (!found.empty())
      return Error(ErrorCode::invalid_data, "several files where one image is expected",
                   Place{.path = folder.string()});
    found = entry->path();
  }
  if (failure || found.empty())
    return Error(ErrorCode::invalid_data, "no image", Place{.path = folder.string()});
  if (std::filesystem::is_symlink(found, failure) || !std::filesystem::is_regular_file(found, failure))
    return Error(ErrorCode::invalid_data, "expected a file, and no link", Place{.path = found.string()});
  return found;
}

// A second name of the same file; a copy on another device.
Outcome give_name(const Path& file, const Path& name) {
  std::error_code failure;
  std::filesystem::create_hard_link(file, name, failure);
  if (failure) {
    failure.clear();
    std::filesystem::copy_file(file, name, failure);
  }
  return failure ? Outcome(Error(ErrorCode::io, failure.message(), Place{.path = name.string()})) : done();
}

// A line of answers: the value as it is, or as the prediction.
Result<std::string> answer_line(const ChallengeJob& job, const Path& file) {
  constexpr std::uint64_t most = std::uint64_t{64} << 20;
  FIDUCIAL_TRY(const std::string text, read_text_file(file, most));
  FIDUCIAL_TRY(const Json value, parse_json(text).in_file(file.string()));
  Json line = Json::object({{"title", job.case_name}});
  if (const Json::Object* members = value.as_object()) {
    for (const auto& [name, member] : *members) {
      if (name != "title") line.set(name, member);
    }
  } else {
    line.set("prediction", value);
  }
  return line.compact() + "\n";
}

}  // namespace

Result<std::vector<ChallengeJob>> parse_challenge_jobs(const Json& document) {
  FIDUCIAL_TRY(const Json::Array* jobs, expect_array(document, ""));
  std::vector<ChallengeJob> out;
  std::set<std::string> cases;
  const ChallengeJob* first = nullptr;
  out.reserve(jobs->size());
  for (std::size_t i = 0; i < jobs->size(); ++i) {
    const std::string pointer = "/" + decimal(static_cast<std::uint64_t>(i));
    FIDUCIAL_TRY(ChallengeJob job, parse_job((*jobs)[i], pointer));
    if (!cases.insert(job.case_name).second)
      return at_pointer(pointer, "two jobs are of the case " + job.case_name);
    out.push_back(std::move(job));
    if (!out.back().succeeded) continue;
    if (first != nullptr && first->gives_values() != out.back().gives_values())
      return at_pointer(pointer + "/outputs", "some jobs give images and others values");
    if (first == nullptr) first = &out.back();
  }
  return out;
}

Result<ChallengePredictions> gather_challenge_predictions(const Path& input, const Path& folder) {
  const Path list = input / "predictions.json";
  FIDUCIAL_TRY(const std::string text, read_text_file(list));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(list.string()));
  FIDUCIAL_TRY(const std::vector<ChallengeJob> jobs, parse_challenge_jobs(document).in_file(list.string()));
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return Error(ErrorCode::io, failure.message(), Place{.path = folder.string()});
  ChallengePredictions out{.path = folder, .jobs = static_cast<std::int64_t>(jobs.size())};
  std::string answers;
  for (const ChallengeJob& job : jobs) {
    if (!job.succeeded) {
      ++out.failed;
      continue;
    }
    const Path place = input / job.id / "output" / job.output_path;
    if (job.gives_values()) {
      FIDUCIAL_TRY(const std::string line, answer_line(job, place));
      answers += line;
      continue;
    }
    FIDUCIAL_TRY(const Path image, image_of(place));
    FIDUCIAL_TRY_DONE(give_name(image, folder / (job.case_name + ".nii.gz")));  // read by how it begins
  }
  if (answers.empty()) return out;
  out.path = folder / "predictions.jsonl";
  FIDUCIAL_TRY_DONE(write_staged_file(out.path, answers));
  return out;
}

Json challenge_metrics(const Json& summary, Json results) {
  Json aggregates = Json::Object{};
  const auto add = [&](const std::string& start, const char* member) {
    const Json::Object* slots = find_object(summary, member);
    if (slots == nullptr) return;
    for (const auto& [name, slot] : *slots) {
      const Json* value = slot.find("value");
      if (value == nullptr || !value->as_number()) continue;
      aggregates.set(start + name, *value);
      const Json::Array* ends = find_array(slot, "ci95");
      if (ends == nullptr || ends->size() != 2) continue;
      aggregates.set(start + name + "_low", ends->front());
      aggregates.set(start + name + "_high", ends->back());
    }
  };
  add("", "metrics");
  add("official_", "official");
  return Json::object({{"schema", "fiducial.challenge_metrics/1"},
                       {"aggregates", std::move(aggregates)},
                       {"results", std::move(results)}});
}

}  // namespace fiducial
