#include "fiducial/datasets/case_statistics.h"

#include <set>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

Json histogram_json(const DiagnosisStatistics::Histogram& histogram) {
  std::int64_t things = 0;
  std::int64_t total = 0;
  Json counts = Json::object({});
  for (const auto& [value, count] : histogram) {
    things += count;
    total += value * count;
    counts.set(decimal(value), count);
  }
  if (things == 0) return {};
  return Json::object({{"mean", static_cast<double>(total) / static_cast<double>(things)},
                       {"min", histogram.begin()->first},
                       {"max", histogram.rbegin()->first},
                       {"histogram", std::move(counts)}});
}

Json counts_json(const DiagnosisStatistics::Counts& counts) {
  Json out = Json::object({});
  for (const auto& [label, count] : counts) out.set(label, count);
  return out;
}

Json share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? Json() : Json(static_cast<double>(part) / static_cast<double>(whole));
}

Json split_json(const DiagnosisStatistics& split) {
  const auto known = [&split](std::int64_t count) {
    return split.told() == 0 && split.hidden > 0 ? Json() : Json(count);
  };
  Json out = Json::object({{"cases", split.cases}});
  if (split.hidden > 0) out.set("hidden", split.hidden);
  return out.set("images", split.images)
      .set("longitudinal", known(split.longitudinal))
      .set("longitudinal_share", share(split.longitudinal, split.told()))
      .set("images_per_case", histogram_json(split.images_per_case))
      .set("modalities_per_case", histogram_json(split.modalities_per_case))
      .set("timepoints", histogram_json(split.timepoints))
      .set("images_by_modality", counts_json(split.images_by_modality))
      .set("cases_by_modality", counts_json(split.cases_by_modality))
      .set("co_occurrence", pairs_json(split.modalities_together, "modalities", "cases"))
      .set("icd_chapters", counts_json(split.icd_chapters))
      .set("key_letters", counts_json(split.key_letters))
      .set("key_is_longest", known(split.key_is_longest))
      .set("equal_options", split.equal_options);
}

}  // namespace

void DiagnosisStatistics::add(const DiagnosisCase& entry) {
  ++cases;
  images += static_cast<std::int64_t>(entry.images.size());
  equal_options += entry.has_equal_options() ? 1 : 0;
  ++images_per_case[static_cast<std::int64_t>(entry.images.size())];
  if (!entry.has_key()) {
    ++hidden;
    return;
  }
  longitudinal += entry.is_longitudinal ? 1 : 0;
  key_is_longest += entry.key_is_longest() ? 1 : 0;
  std::set<std::string> modalities;
  for (const CaseImage& image : entry.images) {
    ++images_by_modality[image.modality];
    modalities.insert(image.modality);
  }
  for (const std::string& modality : modalities) ++cases_by_modality[modality];
  add_pairs(modalities, modalities_together);
  ++modalities_per_case[static_cast<std::int64_t>(modalities.size())];
  ++timepoints[entry.timepoints];
  ++icd_chapters[entry.icd_chapter.empty() ? "none" : entry.icd_chapter];
  ++key_letters[std::string(1, entry.key)];
}

Json CaseStatistics::json() const {
  Json sources{Json::Array{}};
  for (const auto& [file, digest] : files) {
    sources.push(Json::object({{"file", file}, {"sha256", digest.hex()}}));
  }
  Json parts = Json::object({});
  for (const DiagnosisStatistics& split : splits) parts.set(split.name, split_json(split));
  return Json::object({{"schema", "fiducial.case_stats/1"},
                       {"benchmark", benchmark},
                       {"files", std::move(sources)},
                       {"splits", std::move(parts)},
                       {"all", split_json(all)}});
}

Result<CaseStatistics> case_statistics(const std::string& benchmark, const DiagnosisDataset& dataset) {
  CaseStatistics out{.benchmark = benchmark};
  out.all.name = "all";
  for (const std::string& name : dataset.split_names()) {
    FIDUCIAL_TRY(const DiagnosisSplit split, dataset.read_split(name));
    out.splits.push_back({.name = name});
    for (const DiagnosisCase& entry : split.cases) {
      out.splits.back().add(entry);
      out.all.add(entry);
    }
    out.files.emplace_back(split.file, split.digest);
  }
  return out;
}

}  // namespace fiducial
