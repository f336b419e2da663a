#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/grounded_reports_file.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/masks/mask_format.h"
#include "fiducial/server/case_source.h"
#include "fiducial/server/slugs.h"

namespace fiducial {

namespace {

std::string stem_of(const std::string& name) { return std::string(without_mask_ending(name)); }

// Whether a folder has the masks of a case, in any format.
bool has_masks_of(const Path& folder, const std::string& name) {
  const auto is_here = [&folder](const std::string& each) { return is_file(folder / each); };
  return is_here(name) || other_format_of(name, is_here);
}

Result<MaskSet> mask_set(MaskFile file) {
  if (file.shape_error) return *file.shape_error;
  MaskSet out{.extent = file.shape.extent, .has_entities = true, .masks = {}};
  for (std::size_t i = 0; i < file.channels.size(); ++i)
    out.masks.push_back({static_cast<std::uint32_t>(i), "", std::move(file.channels[i])});
  return out;
}

// The hash that a plan has of what a run predicted for a case; nothing where it has none.
std::optional<Digest> planned_digest(const Json& plan, const std::string& name) {
  const auto matches = [](const Json& list, const char* key, const std::string& wanted, const char* value) {
    for (const Json& one : *list.as_array()) {
      if (text_at(one, key) == wanted && find_string(one, value) != nullptr)
        return parse_digest(text_at(one, value));
    }
    return std::optional<Digest>();
  };
  for (const auto& [list, key, value] :
       {std::tuple("prediction_files", "file", "sha256"), std::tuple("files", "case", "prediction_sha256")}) {
    const Json* found = plan.find(list);
    if (found == nullptr || found->as_array() == nullptr) continue;
    if (auto digest = matches(*found, key, name, value)) return digest;
  }
  return std::nullopt;
}

class GroundedCases final : public CaseSource {
 public:
  explicit GroundedCases(std::unique_ptr<GroundedDataset> dataset) : dataset_(std::move(dataset)) {
    for (const std::string& split : dataset_->split_names()) {
      for (const GroundedCase& entry : *dataset_->find_split(split)) add(split, entry);
    }
  }

  std::string_view kind() const override { return "grounded"; }
  const std::vector<CaseEntry>& entries() const override { return entries_; }

  Result<Json> members(std::size_t at, const CaseAsked& /*asked*/) const override {
    Json findings{Json::Array{}};
    for (const Finding& finding : cases_[at]->findings) {
      Json one = Json::object({{"index", finding.index},
                               {"text", finding.text},
                               {"category", finding.category},
                               {"category_title", finding.category_title}});
      one.set("focality", !finding.focality                      ? Json()
                          : *finding.focality == Focality::focal ? Json("focal")
                                                                 : Json("non_focal"));
      one.set("entities", finding.entities ? Json(*finding.entities) : Json());
      one.set("voxels", finding.voxels ? Json(*finding.voxels) : Json());
      findings.push(std::move(one));
    }
    return Json::object({{"findings", std::move(findings)}});
  }

  std::string volume_name(std::size_t at) const override { return cases_[at]->name; }
  std::optional<Path> find_volume(std::size_t at, const Path& volumes) const override {
    return dataset_->find_volume(volumes, *cases_[at]);
  }

  bool has_reference_masks() const override { return true; }
  Path reference_file(std::size_t at) const override {
    return dataset_->folder() / dataset_->mask_name(*cases_[at]);
  }
  Outcome check_reference(std::size_t at) const override {
    return dataset_->open_mask(*cases_[at]).ok()
               ? done()
               : Error(ErrorCode::unavailable,
                       "the dataset has no \"" + dataset_->mask_name(*cases_[at]) + "\"");
  }
  Result<MaskSet> reference_masks(std::size_t at) const override {
    FIDUCIAL_TRY(StoredFile stored, dataset_->open_mask(*cases_[at]));
    MaskRead read = read_mask_file(std::move(stored), std::nullopt);
    FIDUCIAL_TRY(MaskFile file, std::move(read.mask).in_file(dataset_->mask_name(*cases_[at])));
    return mask_set(std::move(file));
  }

  Outcome check_predicted(std::size_t at, const RunMaterial& run) const override {
    if (!planned_digest(*run.plan, cases_[at]->name)) return nothing_predicted();
    const bool is_there = std::ranges::any_of(run.candidates, [&](const Path& candidate) {
      return candidate.extension() == ".zip" || has_masks_of(candidate, cases_[at]->name);
    });
    if (!is_there) return nowhere_served();
    return done();
  }

  Result<MaskSet> predicted_masks(std::size_t at, const RunMaterial& run) const override {
    const std::string& name = cases_[at]->name;
    const std::optional<Digest> wanted = planned_digest(*run.plan, name);
    if (!wanted) return nothing_predicted();
    for (const Path& candidate : run.candidates) {
      if (candidate.extension() != ".zip" && !has_masks_of(candidate, name)) continue;
      Result<PredictionFiles> files = PredictionFiles::open(candidate);
      if (!files.ok() || !files->has(name)) continue;
      FIDUCIAL_TRY(StoredFile stored, files->open_file(name));
      MaskRead read = read_mask_file(std::move(stored), std::nullopt);
      if (!read.digest || *read.digest != *wanted) continue;
      if (!read.mask.ok()) return Error(read.mask.error()).in_file(name);
      return mask_set(*std::move(read.mask));
    }
    return nowhere_served();
  }

  // The sentences of a grounded report that have a mask.
  Json own_names(std::size_t at, const RunMaterial& run) const override {
    Json out{Json::Array{}};
    const std::optional<Digest> wanted = planned_digest(*run.plan, grounded_reports_file);
    if (!wanted) return out;
    const Result<Path> file = run.find_file(grounded_reports_file, wanted->hex());
    if (!file.ok()) return out;
    const Result<PredictionFiles> files = PredictionFiles::open(file->parent_path());
    if (!files.ok()) return out;
    Result<StoredFile> stored = files->open_file(grounded_reports_file);
    if (!stored.ok()) return out;
    const Result<GroundedReports> reports = read_grounded_reports(*std::move(stored));
    if (!reports.ok()) return out;
    const auto found = reports->by_case.find(cases_[at]->name);
    if (found == reports->by_case.end()) return out;
    for (const GroundedSentence& sentence : found->second) {
      if (sentence.channel) out.push(Json::object({{"id", *sentence.channel}, {"text", sentence.text}}));
    }
    return out;
  }

 private:
  static Error nothing_predicted() {
    return {ErrorCode::unavailable, "the run predicted nothing for this case"};
  }
  static Error nowhere_served() {
    return {ErrorCode::unavailable,
            "no folder that is served has the prediction the scores were made from; serve it, too"};
  }

  void add(const std::string& split, const GroundedCase& entry) {
    CaseEntry out{.id = slug_of(stem_of(entry.name)),
                  .name = entry.name,
                  .split = split,
                  .title = stem_of(entry.name),
                  .patient = entry.patient,
                  .counts = {{"findings", static_cast<std::int64_t>(entry.findings.size())}},
                  .groups = {},
                  .text = {}};
    std::vector<std::string> categories;
    for (const Finding& finding : entry.findings) {
      out.text += finding.text + "\n";
      const std::string group(category_group(finding));
      if (std::ranges::find(categories, group) == categories.end()) categories.push_back(group);
    }
    out.groups.emplace_back("category", std::move(categories));
    if (!entry.protocol.empty())
      out.groups.emplace_back("protocol", std::vector<std::string>{entry.protocol});
    entries_.push_back(std::move(out));
    cases_.push_back(&entry);
  }

  std::unique_ptr<GroundedDataset> dataset_;
  std::vector<const GroundedCase*> cases_;
  std::vector<CaseEntry> entries_;
};

}  // namespace

CaseSourceKind grounded_case_source() {
  return {
      .kind = "grounded",
      .reads = [](const DatasetAdapter& adapter) { return adapter.open_grounded != nullptr; },
      .open = [](const DatasetAdapter& adapter, const Path& folder) -> Result<std::unique_ptr<CaseSource>> {
        FIDUCIAL_TRY(std::unique_ptr<GroundedDataset> dataset, adapter.open_grounded(folder));
        return {std::make_unique<GroundedCases>(std::move(dataset))};
      }};
}

}  // namespace fiducial
