#include "fiducial/base/number_text.h"
#include "fiducial/datasets/grounded_statistics.h"

namespace fiducial {

namespace {

Json named_counts(const std::map<std::string, std::int64_t>& counts) {
  Json out = Json::Object{};
  for (const auto& [name, count] : counts) out.set(name.empty() ? "none" : name, count);
  return out;
}

// Totals only: voxel counts are all different, so their histogram says nothing.
Json summary_json(const CountDistribution& counts) {
  if (counts.histogram.empty()) return {};
  return Json::object({{"known", counts.known()},
                       {"total", counts.total()},
                       {"mean", counts.mean()},
                       {"min", counts.least()},
                       {"max", counts.greatest()}});
}

Json distribution_json(const CountDistribution& counts) {
  Json out = summary_json(counts);
  if (out.is_null()) return out;
  Json histogram = Json::Object{};
  for (const auto& [count, things] : counts.histogram) histogram.set(decimal(count), things);
  return out.set("histogram", histogram);
}

Json values_json(const ValueDistribution& values) {
  if (values.values.empty()) return {};
  return Json::object({{"known", static_cast<std::int64_t>(values.values.size())},
                       {"mean", values.mean()},
                       {"median", values.median()},
                       {"min", values.values.front()},
                       {"max", values.values.back()}});
}

Json sizes_json(const SplitStatistics& split) {
  Json out = Json::Array{};
  for (const SizeBin& bin : split.sizes()) {
    out.push(Json::object({{"from_log10", bin.half_decade / 2.0}, {"findings", bin.findings}}));
  }
  return out;
}

Json split_json(const SplitStatistics& split) {
  return Json::object(
      {{"scans", split.scans},
       {"findings", split.findings},
       {"patients", split.patients},
       {"unique_texts", split.unique_texts},
       {"focal", split.focal},
       {"non_focal", split.non_focal},
       {"uncategorized", split.uncategorized},
       {"focal_share", split.focal + split.non_focal > 0 ? Json(split.focal_share()) : Json()},
       {"categories", named_counts(split.categories)},
       {"protocols", named_counts(split.protocols)},
       {"findings_per_scan", distribution_json(split.findings_per_scan)},
       {"entities", distribution_json(split.entities)},
       {"components", distribution_json(split.components)},
       {"voxels", summary_json(split.voxels)},
       {"sizes", sizes_json(split)},
       {"ml", values_json(split.ml)},
       {"mm", values_json(split.mm)},
       {"hu", values_json(split.hu)},
       {"co_occurrence", pairs_json(split.together, "categories", "scans")}});
}

}  // namespace

Json statistics_json(const GroundedStatistics& statistics, const StatisticsSource& source) {
  Json splits = Json::Object{};
  for (const SplitStatistics& split : statistics.splits) splits.set(split.name, split_json(split));
  Json shared = Json::Array{};
  for (const SharedPatients& each : statistics.shared_patients) {
    shared.push(Json::object({{"splits", Json::array({each.a, each.b})}, {"patients", each.patients}}));
  }
  Json notes = Json::Array{};
  for (const Note& note : statistics.notes)
    notes.push(Json::object({{"code", note.code}, {"text", note.text}}));
  return Json::object({{"schema", "fiducial.stats/1"},
                       {"benchmark", source.benchmark},
                       {"dataset", Json::object({{"file", source.file}, {"sha256", source.digest.hex()}})},
                       {"counted_from", source.counted_from},
                       {"splits", splits},
                       {"all", split_json(statistics.all)},
                       {"shared_patients", shared},
                       {"notes", notes}});
}

}  // namespace fiducial
