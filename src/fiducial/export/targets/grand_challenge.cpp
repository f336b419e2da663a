#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/export/export_target.h"

namespace fiducial {

namespace {

constexpr const char* list_file = "input/predictions.json";

constexpr std::string_view dockerfile =
    "# The evaluation of a phase: /input has the jobs of a submission, /opt/ml/input/data/ground_truth the "
    "dataset\n"
    "# that was uploaded as the phase's ground truth, /output gets metrics.json.\n"
    "FROM debian:12-slim\n"
    "COPY fiducial /opt/fiducial\n"
    "COPY evaluate.sh /opt/evaluate.sh\n"
    "RUN groupadd -r user && useradd -m --no-log-init -r -g user user && chmod +x /opt/evaluate.sh\n"
    "USER user\n"
    "ENTRYPOINT [\"/opt/evaluate.sh\"]\n";

constexpr std::string_view script =
    "#!/bin/sh\n"
    "# What a phase runs. Missing and failed cases count in the scores, and do not fail the evaluation.\n"
    "set -e\n"
    "exec /opt/fiducial/bin/fiducial score \"${GROUND_TRUTH:-/opt/ml/input/data/ground_truth}\" "
    "--grand-challenge "
    "\"${INPUT:-/input}\" -o \"${OUTPUT:-/output}\" --max-failures 100% --no-report \"$@\"\n";

Json socket_json(const std::string& slug, const std::string& kind, const std::string& path) {
  return Json::object({{"slug", slug}, {"kind", kind}, {"relative_path", path}});
}

// The jobs of a submission as they lie below /input.
class JobFolder {
 public:
  JobFolder(Path folder, std::string slug) : folder_(std::move(folder)), slug_(std::move(slug)) {}

  Outcome add_mask(const std::string& name, StoredFile file) {
    const std::string path = "images/" + slug_;
    FIDUCIAL_TRY(const Path place, begin(name, path, "Segmentation", "image"));
    FIDUCIAL_TRY(const std::string bytes, read_all(*file.bytes));
    return write_staged_file(place / "output.nii.gz", bytes);
  }

  Outcome add_answer(const std::string& title, const Json& answer) {
    FIDUCIAL_TRY(const Path place, begin(title, "", "Anything", "value"));
    return write_staged_file(place / (slug_ + ".json"), answer.pretty());
  }

  Outcome finish() const { return write_staged_file(folder_ / list_file, jobs_.pretty()); }
  std::int64_t count() const { return count_; }

 private:
  static Result<std::string> read_all(ByteStream& bytes) {
    std::string out;
    std::vector<std::byte> buffer(std::size_t{1} << 20);
    while (true) {
      FIDUCIAL_TRY(const std::size_t got, bytes.read(buffer));
      if (got == 0) return out;
      out.append(as_text({buffer.data(), got}));
    }
  }

  // Lists a job and makes the folder that its output goes into.
  Result<Path> begin(const std::string& name, const std::string& path, const char* kind, const char* by) {
    const std::string id = "job-" + decimal(++count_);
    const bool is_image = std::string_view(by) == "image";
    Json input = Json::object({{"socket", socket_json(is_image ? "ct" : "case", is_image ? "Image" : "String",
                                                      is_image ? "images/ct" : "case.json")}});
    if (is_image) {
      input.set("image", Json::object({{"name", name}}));
    } else {
      input.set("value", name);
    }
    const std::string relative = is_image ? path : slug_ + ".json";
    jobs_.push(Json::object(
        {{"pk", id},
         {"status", "Succeeded"},
         {"inputs", Json::array({std::move(input)})},
         {"outputs", Json::array({Json::object({{"socket", socket_json(slug_, kind, relative)}})})}}));
    Path place = folder_ / "input" / id / "output" / path;
    std::error_code failure;
    std::filesystem::create_directories(place, failure);
    if (failure) return Error(ErrorCode::io, failure.message(), Place{.path = place.string()});
    return place;
  }

  Path folder_;
  std::string slug_;
  Json jobs_ = Json::Array{};
  std::int64_t count_ = 0;
};

Outcome add_answers(const Path& file, JobFolder& jobs) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> opened, FileStream::open(file));
  LineReader lines(*opened, std::size_t{64} << 20);
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(file.string());
    if (!*line) return done();
    if (is_blank(**line)) continue;
    const Place place{.path = file.string(), .line = lines.number()};
    const Result<Json> answer = parse_json(**line);
    if (!answer.ok()) return Error(answer.error()).at(place);
    const Result<std::string> title = required_string(*answer, "title", "");
    if (!title.ok()) return Error(title.error()).at(place);
    FIDUCIAL_TRY_DONE(jobs.add_answer(*title, *answer));
  }
}

Outcome add_masks(const Path& folder, JobFolder& jobs) {
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(folder));
  for (const std::string& name : files.names()) {
    if (!name.ends_with(".nii.gz")) continue;
    FIDUCIAL_TRY(StoredFile file, files.open_file(name));
    FIDUCIAL_TRY_DONE(jobs.add_mask(name, std::move(file)).in_file(name));
  }
  return done();
}

Result<ExportOutcome> export_challenge(const ExportCall& call) {
  const Path& predictions = *call.request.predictions;
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(call.request.output, "evaluate.sh", call.request.overwrite));
  JobFolder jobs(folder.staging(), call.text("slug"));
  const bool are_answers = predictions.string().ends_with(".jsonl");
  FIDUCIAL_TRY_DONE(are_answers ? add_answers(predictions, jobs) : add_masks(predictions, jobs));
  if (jobs.count() == 0)
    return Error(ErrorCode::invalid_data, "neither masks nor a .jsonl of answers",
                 Place{.path = predictions.string()});
  FIDUCIAL_TRY_DONE(jobs.finish());
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "Dockerfile", dockerfile));
  FIDUCIAL_TRY_DONE(write_staged_file(folder.staging() / "evaluate.sh", script));
  std::error_code ignored;
  std::filesystem::permissions(folder.staging() / "evaluate.sh", std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add, ignored);
  FIDUCIAL_TRY_DONE(folder.publish());
  return ExportOutcome{.manifest = Json::object({{"jobs", jobs.count()}}),
                       .told = call.request.output.string() + ": " + decimal(jobs.count()) + " jobs"};
}

}  // namespace

ExportTarget grand_challenge_target() {
  return {
      .id = "grand-challenge",
      .title = "an evaluation for grand-challenge.org: its container's files, and predictions as its input",
      .predictions = ExportTarget::Need::required,
      .options = {{.name = "slug",
                   .help = "Slug of the socket that submissions answer through",
                   .fallback = "findings"}},
      .run = export_challenge};
}

}  // namespace fiducial
