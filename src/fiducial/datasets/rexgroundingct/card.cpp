#include "fiducial/datasets/rexgroundingct/card.h"

#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/counted.h"
#include "fiducial/datasets/grounded_statistics.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"

namespace fiducial::rexgroundingct {

namespace {

std::string split_sizes(const GroundedStatistics& statistics) {
  return joined(statistics.splits, "; ", [](const SplitStatistics& split) {
    return split.name + ": " + counted(split.scans, "scan") + ", " + counted(split.findings, "finding") +
           ", " + counted(split.patients, "patient");
  });
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

void fill_format(const Dataset& dataset, CardFacts& facts) {
  const StoredMasks masks = stored_masks(dataset);
  std::string text = "JSON (" + dataset.file_name() + ")";
  if (masks.compressed > 0)
    text += "; " + counted(masks.compressed, "mask") + " as gzip-compressed NIfTI (F, H, W, D)";
  if (masks.plain > 0) text += "; " + counted(masks.plain, "mask") + " as plain NIfTI (F, H, W, D)";
  facts.set("data.format", text,
            "computed from the first bytes of " + dataset.file_name() + " and its masks");
  const std::int64_t absent = masks.listed - masks.compressed - masks.plain;
  if (absent > 0)
    facts.alert("data.format",
                counted(absent, "mask") + " of " + grouped_count(masks.listed) + " not in this copy");
}

void fill_limits(const GroundedStatistics& statistics, CardFacts& facts) {
  for (const SharedPatients& shared : statistics.shared_patients) {
    if (shared.patients == 0) continue;
    const std::string text = shared.a + " and " + shared.b + " share " + counted(shared.patients, "patient");
    facts.limitations.push_back(text + ".");
    facts.risks["shared_patients"] = text;
  }
  for (const SplitStatistics& split : statistics.splits) {
    if (!split.name.starts_with("train") || split.findings == 0) continue;
    facts.limitations.push_back("Findings of " + split.name +
                                " are marked with at most three entities by protocol: " +
                                counted(split.entities.at(3) + split.entities.above(3), "finding") + " of " +
                                grouped_count(split.findings) + " may have more.");
  }
}

// Predicting nothing gives 0 wherever the reference has a voxel.
void fill_empty_baseline(const GroundedStatistics& statistics, CardFacts& facts) {
  for (const SplitStatistics& split : statistics.splits) {
    const std::int64_t marked = split.voxels.above(0);
    if (marked == 0) continue;
    facts.baselines.push_back("Predicting nothing on " + split.name + ": Dice 0 and no hit on " +
                              counted(marked, "finding") + " with voxels.");
  }
}

}  // namespace

Result<CardFacts> card_facts(const Path& folder) {
  FIDUCIAL_TRY(const Dataset dataset, Dataset::open(folder));
  const GroundedStatistics statistics = statistics_of(dataset.content().splits);
  CardFacts facts;
  const SplitStatistics& all = statistics.all;
  const std::string file = "computed from " + dataset.file_name();
  const std::string layout = "layout: rexgroundingct (arXiv:2507.22030)";
  LanguageGuess language;
  for (const auto& [name, cases] : dataset.content().splits) {
    for (const GroundedCase& entry : cases) {
      facts.volumes.push_back(entry.name);
      for (const Finding& finding : entry.findings) language.add(finding.text);
    }
  }
  facts.set("benchmark_details.name", "ReXGroundingCT", layout);
  facts.set("benchmark_details.overview",
            "Findings of chest CT reports, written freely, each tied to the voxels it speaks of: " +
                counted(all.findings, "finding") + " in " + counted(all.scans, "scan") + " of " +
                counted(all.patients, "patient") + ".",
            file);
  facts.set("benchmark_details.data_type", "3D chest CT, sentences and 3D masks", layout);
  facts.set("benchmark_details.domains", Json::array({"Healthcare", "Radiology"}), layout);
  language.fill(facts, dataset.file_name());
  facts.set("purpose_and_intended_users.goal",
            "Measure how well a model segments in a chest CT what a sentence of the report describes.",
            layout);
  facts.set("purpose_and_intended_users.tasks",
            Json::array({"3D segmentation of a finding from its sentence"}), layout);
  facts.set("data.source", "CT-RATE chest CT volumes and reports", layout);
  facts.set("data.size", split_sizes(statistics), file);
  facts.set("data.annotation", annotation_of(all), file);
  fill_format(dataset, facts);
  fill_limits(statistics, facts);
  fill_empty_baseline(statistics, facts);
  facts.metrics = {"dice",
                   "hit10",
                   "instance_precision_entity18",
                   "instance_recall_entity18",
                   "instance_f1_entity18",
                   "dice_rexrank_filtered",
                   "nsd_surfel",
                   "hd95_surfel_directed_max",
                   "assd_pooled"};
  facts.risks["health_data"] = "CTs and reports of patients";
  return facts;
}

}  // namespace fiducial::rexgroundingct
