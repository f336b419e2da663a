#include "fiducial/cards/make_card.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/cards/card_config.h"
#include "fiducial/cards/card_evidence.h"
#include "fiducial/datasets/check_dataset.h"
#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

namespace {

Result<std::optional<VolumeMetadata>> find_metadata(const CardRequest& request) {
  std::vector<Path> files;
  if (request.metadata) files = {*request.metadata};
  if (files.empty()) files = find_metadata_files(request.volumes, request.dataset);
  if (files.size() != 1) return std::optional<VolumeMetadata>();
  FIDUCIAL_TRY(VolumeMetadata metadata, VolumeMetadata::read(files.front()));
  return std::optional(std::move(metadata));
}

// The table of reports that a folder was curated from, by the manifest beside it.
std::optional<std::string> find_curated_from(const Path& dataset) {
  const Path folder = dataset.has_filename() ? dataset : dataset.parent_path();
  const Result<std::string> text = read_text_file(folder.parent_path() / "manifest.json");
  if (!text.ok()) return std::nullopt;
  const Result<Json> manifest = parse_json(*text);
  if (!manifest.ok()) return std::nullopt;
  const Json::Array* inputs = find_array(*manifest, "inputs");
  if (text_at(*manifest, "stage") != "ctrate" || inputs == nullptr || inputs->empty()) return std::nullopt;
  const std::string* file = find_string(inputs->front(), "file");
  return file == nullptr ? std::nullopt : std::optional(*file);
}

// Volumes and metadata are checked where the layout has rules for them.
LintRequest check_request(const CardRequest& request, const DatasetAdapter& adapter) {
  LintRequest out{.dataset = request.dataset};
  const auto takes = [&adapter](LintInput input) {
    return std::find(adapter.lint_inputs.begin(), adapter.lint_inputs.end(), input) !=
           adapter.lint_inputs.end();
  };
  if (takes(LintInput::volumes)) out.volumes = request.volumes;
  if (takes(LintInput::metadata)) out.metadata = request.metadata;
  return out;
}

// What a folder was made from says more than the layout that it has.
void fill_origin(const std::string& made_from, CardDraft& draft, const std::string& title) {
  const std::string origin = "computed by fiducial curate ctrate";
  draft.set("benchmark_details.name", made_from + " in the layout of " + title, origin);
  draft.set("data.source", made_from + ", curated by rules", origin);
}

// That data have a layout does not prove that they are those it was published with.
void doubt_layout(CardDraft& draft) {
  for (const char* field : {"benchmark_details.name", "data.source"}) {
    if (!draft.origin(field).starts_with("layout")) continue;
    draft.alert(field,
                "known from the layout alone: nothing in the data says that they are the published ones");
  }
}

}  // namespace

Result<Json> make_card(const CardRequest& request, const Executor& executor, Progress& progress) {
  CardConfig config;
  if (request.config) {
    FIDUCIAL_TRY(config, read_card_config(*request.config));
  }
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  CardDraft draft;
  FIDUCIAL_TRY(const CardFacts facts, card_facts(*adapter, request.dataset));
  CardEvidence evidence = fill_from_facts(facts, draft);
  const std::optional<std::string> made_from =
      request.made_from ? request.made_from : find_curated_from(request.dataset);
  if (made_from) fill_origin(*made_from, draft, adapter->title.substr(0, adapter->title.find(':')));
  FIDUCIAL_TRY(const std::optional<VolumeMetadata> metadata, find_metadata(request));
  if (metadata && !evidence.volumes.empty()) fill_demographics(*metadata, draft, evidence);
  if (request.check) {
    FIDUCIAL_TRY(const LintReport report,
                 check_dataset(check_request(request, *adapter), executor, progress));
    fill_from_check(report, draft, evidence);
  }
  FIDUCIAL_TRY_DONE(apply_config(config, adapter->id, draft, evidence));
  if (!evidence.limitations.empty() && !draft.has("purpose_and_intended_users.limitations"))
    draft.set("purpose_and_intended_users.limitations", joined(evidence.limitations, " "),
              "computed from the data and by fiducial check");
  if (!evidence.baselines.empty() && !draft.has("methodology.baseline_results"))
    draft.set("methodology.baseline_results", joined(evidence.baselines, " "),
              "computed from the data and from score folders");
  fill_risks(evidence, draft);
  doubt_layout(draft);
  return draft.card();
}

}  // namespace fiducial
