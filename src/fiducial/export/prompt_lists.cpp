#include "fiducial/export/prompt_lists.h"

#include <memory>
#include <system_error>

#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

namespace {

// What a case has, with absolute paths.
struct PromptCase {
  const GroundedCase* entry = nullptr;
  Path image;
  Path mask;
};

Result<PromptCase> prompt_case(const PromptListRequest& request, const GroundedDataset& dataset,
                               const GroundedCase& entry) {
  const auto volume = dataset.find_volume(request.volumes, entry);
  if (!volume || !is_file(*volume)) {
    return Error(ErrorCode::invalid_data, "no CT file of " + entry.name + " below this folder",
                 Place{.path = request.volumes.string()});
  }
  return PromptCase{&entry, std::filesystem::absolute(*volume),
                    std::filesystem::absolute(dataset.folder() / dataset.mask_name(entry))};
}

// A second name of the image; another device gets a symbolic one.
Outcome link_image(const Path& image, const Path& link) {
  std::error_code failed;
  std::filesystem::create_hard_link(image, link, failed);
  if (failed) std::filesystem::create_symlink(image, link, failed);
  if (failed) return Error(ErrorCode::io, failed.message(), Place{.path = link.string()});
  return done();
}

class PromptLists {
 public:
  PromptLists(Path folder, Path published) : folder_(std::move(folder)), published_(std::move(published)) {}

  Outcome add(const PromptCase& one, bool links) {
    Json labels = Json::Array{};
    for (const Finding& finding : one.entry->findings) {
      training_ += Json::object({{"image", one.image.string()},
                                 {"prompt", finding.text},
                                 {"mask", one.mask.string()},
                                 {"channel", finding.index}})
                       .compact() +
                   "\n";
      labels.push(finding.text);
      if (links) FIDUCIAL_TRY_DONE(add_job(one, finding));
    }
    queries_ += Json::object({{"image", one.image.string()},
                              {"mask", one.mask.string()},
                              {"label", std::move(labels)},
                              {"modality", "ct"},
                              {"dataset", "ReXGroundingCT"},
                              {"orientation_code", "RAS"}})
                    .compact() +
                "\n";
    return done();
  }

  Outcome write(const std::string& to) const {
    FIDUCIAL_TRY_DONE(write_staged_file(folder_ / "training.jsonl", training_));
    return to == "sat" ? write_staged_file(folder_ / "queries.jsonl", queries_)
                       : write_staged_file(folder_ / "jobs.json", jobs_.pretty());
  }

 private:
  Outcome add_job(const PromptCase& one, const Finding& finding) {
    const std::string name = volume_stem(one.entry->name) + "__f" + decimal(finding.index) + ".nii.gz";
    FIDUCIAL_TRY_DONE(link_image(one.image, folder_ / "images" / name));
    jobs_.push(Json::object({{"image", (published_ / "images" / name).string()},
                             {"prompts", Json::strings(std::vector<std::string>{finding.text})}}));
    return done();
  }

  Path folder_;
  Path published_;
  std::string training_;
  std::string queries_;
  Json jobs_ = Json::Array{};
};

}  // namespace

Result<PromptListCounts> write_prompt_lists(const PromptListRequest& request) {
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(request.dataset));
  FIDUCIAL_TRY(const std::string split, choose_split(*opened.dataset, request.split));
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(request.output, "training.jsonl", false));
  std::error_code failed;
  if (request.to == "voxtell") std::filesystem::create_directories(folder.staging() / "images", failed);
  if (failed) return Error(ErrorCode::io, failed.message(), Place{.path = request.output.string()});
  PromptLists lists(folder.staging(), std::filesystem::absolute(request.output));
  PromptListCounts counts;
  for (const GroundedCase& entry : *opened.dataset->find_split(split)) {
    if (entry.findings.empty()) continue;
    FIDUCIAL_TRY(const PromptCase one, prompt_case(request, *opened.dataset, entry));
    FIDUCIAL_TRY_DONE(lists.add(one, request.to == "voxtell"));
    ++counts.cases;
    counts.findings += static_cast<std::int64_t>(entry.findings.size());
  }
  if (counts.findings == 0) {
    return Error(ErrorCode::invalid_data, "split " + split + " lists no findings",
                 Place{.path = request.dataset.string()});
  }
  FIDUCIAL_TRY_DONE(lists.write(request.to));
  FIDUCIAL_TRY_DONE(folder.publish());
  return counts;
}

Result<ExportOutcome> export_prompt_lists(const std::string& to, const ExportCall& call) {
  FIDUCIAL_TRY(const PromptListCounts counts, write_prompt_lists({.to = to,
                                                                  .dataset = call.request.dataset,
                                                                  .volumes = *call.request.volumes,
                                                                  .split = call.request.split,
                                                                  .output = call.request.output}));
  return ExportOutcome{.manifest = Json::object({{"cases", counts.cases}, {"findings", counts.findings}}),
                       .told = call.request.output.string() + ": " + decimal(counts.findings) +
                               " findings of " + decimal(counts.cases) + " cases"};
}

}  // namespace fiducial
