#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/cards/describe.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/rexgroundingct/statistics.h"

namespace fiducial {

namespace {

using rexgroundingct::Dataset;
using rexgroundingct::DatasetStatistics;
using rexgroundingct::SplitStatistics;

std::string split_sizes(const DatasetStatistics& statistics) {
  std::string out;
  for (const SplitStatistics& split : statistics.splits) {
    out += (out.empty() ? "" : "; ") + split.name + ": " + counted(split.scans, "scan") + ", " +
           counted(split.findings, "finding") + ", " + counted(split.patients, "patient");
  }
  return out;
}

std::string annotation_of(const SplitStatistics& all) {
  std::string out = counted(all.entities.total(), "entity mark") + " over " +
                    counted(all.entities.known(), "finding") + ", one mask channel a finding";
  for (const auto& [protocol, scans] : all.protocols) {
    out += "; " + (protocol.empty() ? "no protocol given" : protocol) + ": " + counted(scans, "scan");
  }
  return out + "; " + grouped_count(all.focal) + " focal and " + grouped_count(all.non_focal) +
         " non-focal findings, " + grouped_count(all.uncategorized) + " without a category";
}

// What lies on disk: the dataset file, and the masks by how they are stored.
struct StoredMasks {
  std::int64_t listed = 0;
  std::int64_t compressed = 0;
  std::int64_t plain = 0;
};

StoredMasks stored_masks(const Dataset& dataset) {
  StoredMasks out;
  for (const std::string& split : dataset.split_names()) {
    for (const GroundedCase& entry : *dataset.find_split(split)) {
      ++out.listed;
      const Result<bool> gzip = is_gzip_file(dataset.folder() / dataset.mask_name(entry));
      if (gzip.ok()) ++(*gzip ? out.compressed : out.plain);
    }
  }
  return out;
}

void fill_format(const Dataset& dataset, CardDraft& draft) {
  const StoredMasks masks = stored_masks(dataset);
  std::string text = "JSON (" + dataset.file_name() + ")";
  if (masks.compressed > 0)
    text += "; " + counted(masks.compressed, "mask") + " as gzip-compressed NIfTI (F, H, W, D)";
  if (masks.plain > 0) text += "; " + counted(masks.plain, "mask") + " as plain NIfTI (F, H, W, D)";
  draft.set("data.format", text,
            "computed from the first bytes of " + dataset.file_name() + " and its masks");
  const std::int64_t absent = masks.listed - masks.compressed - masks.plain;
  if (absent > 0)
    draft.alert("data.format",
                counted(absent, "mask") + " of " + grouped_count(masks.listed) + " not in this copy");
}

void fill_limits(const DatasetStatistics& statistics, CardEvidence& evidence) {
  for (const rexgroundingct::SharedPatients& shared : statistics.shared_patients) {
    if (shared.patients == 0) continue;
    const std::string text = shared.a + " and " + shared.b + " share " + counted(shared.patients, "patient");
    evidence.limitations.push_back(text + ".");
    evidence.risks["shared_patients"] = text;
  }
  for (const SplitStatistics& split : statistics.splits) {
    if (!split.name.starts_with("train") || split.findings == 0) continue;
    evidence.limitations.push_back("Findings of " + split.name +
                                   " are marked with at most three entities by protocol: " +
                                   counted(split.entities.at(3) + split.entities.above(3), "finding") +
                                   " of " + grouped_count(split.findings) + " may have more.");
  }
}

// Predicting nothing gives 0 wherever the reference has a voxel.
void fill_empty_baseline(const DatasetStatistics& statistics, CardEvidence& evidence) {
  for (const SplitStatistics& split : statistics.splits) {
    const std::int64_t marked = split.voxels.above(0);
    if (marked == 0) continue;
    evidence.baselines.push_back("Predicting nothing on " + split.name + ": Dice 0 and no hit on " +
                                 counted(marked, "finding") + " with voxels.");
  }
}

}  // namespace

Outcome describe_grounding(const CardRequest& request, CardDraft& draft, CardEvidence& evidence) {
  FIDUCIAL_TRY(const Dataset dataset, Dataset::open(request.dataset));
  const DatasetStatistics statistics = rexgroundingct::statistics_of(dataset.content().splits);
  const SplitStatistics& all = statistics.all;
  const std::string file = "computed from " + dataset.file_name();
  const std::string layout = "layout: rexgroundingct (arXiv:2507.22030)";
  LanguageGuess language;
  for (const auto& [name, cases] : dataset.content().splits) {
    for (const GroundedCase& entry : cases) {
      evidence.volumes.push_back(entry.name);
      for (const Finding& finding : entry.findings) language.add(finding.text);
    }
  }
  draft.set("benchmark_details.name", "ReXGroundingCT", layout);
  draft.set("benchmark_details.overview",
            "Findings of chest CT reports, written freely, each tied to the voxels it speaks of: " +
                counted(all.findings, "finding") + " in " + counted(all.scans, "scan") + " of " +
                counted(all.patients, "patient") + ".",
            file);
  draft.set("benchmark_details.data_type", "3D chest CT, sentences and 3D masks", layout);
  draft.set("benchmark_details.domains", Json::array({"Healthcare", "Radiology"}), layout);
  language.fill(draft, dataset.file_name());
  draft.set("purpose_and_intended_users.goal",
            "Measure how well a model segments in a chest CT what a sentence of the report describes.",
            layout);
  draft.set("purpose_and_intended_users.tasks",
            Json::array({"3D segmentation of a finding from its sentence"}), layout);
  draft.set("data.source", "CT-RATE chest CT volumes and reports", layout);
  draft.set("data.size", split_sizes(statistics), file);
  draft.set("data.annotation", annotation_of(all), file);
  fill_format(dataset, draft);
  fill_limits(statistics, evidence);
  fill_empty_baseline(statistics, evidence);
  fill_metrics(
      {"dice", "hit10", "instance_precision_strict18", "instance_recall_strict18", "instance_f1_strict18",
       "dice_rexrank_filtered", "nsd_surfel", "hd95_surfel_directed_max", "assd_pooled"},
      draft);
  evidence.risks["health_data"] = "CTs and reports of patients";
  return done();
}

}  // namespace fiducial
