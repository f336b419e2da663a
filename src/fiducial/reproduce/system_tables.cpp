#include "fiducial/reproduce/system_tables.h"

#include <algorithm>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// A slot as a table shows it.
struct ShownSlot {
  const char* title;
  const char* slot;
  double factor = 100;
};

// What a summary has under "metrics" or "groups", by official rules where it has those.
const Json* official_or_own(const Json& summary, const char* official, const char* own) {
  const Json* found = summary.find(official);
  return found != nullptr ? found : summary.find(own);
}

std::vector<ScoredSystem> of_task(const std::vector<ScoredSystem>& systems, std::string_view task) {
  std::vector<ScoredSystem> out;
  for (const ScoredSystem& each : systems) {
    if (text_at(each.summary, "task") == task) out.push_back(each);
  }
  return out;
}

const Json* member(const Json* object, std::string_view key) {
  return object == nullptr ? nullptr : object->find(key);
}

ResultCell cell(const Json* slots, const ShownSlot& shown, const std::string& missing) {
  ResultCell out{.value = reported_value(slots, shown.slot), .missing = missing};
  out.factor = shown.factor;
  return out;
}

constexpr ShownSlot mask_slots[] = {{"Dice", "dice_per_case"},
                                    {"hit rate", "hit_rate"},
                                    {"precision", "instance_precision"},
                                    {"recall", "instance_recall"},
                                    {"F1", "instance_f1"}};

ResultTable overall(const std::vector<ScoredSystem>& systems) {
  ResultTable out{
      .id = "overall", .title = "Overall results", .value = "percent, 95 % interval", .names = {"system"}};
  for (const ShownSlot& shown : mask_slots) out.columns.emplace_back(shown.title);
  for (const ScoredSystem& each : systems) {
    ResultRow row{.names = {each.system}};
    for (const ShownSlot& shown : mask_slots) {
      row.cells.push_back(cell(official_or_own(each.summary, "official", "metrics"), shown,
                               "fiducial score DIR PREDICTIONS --mode both"));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

// One slot by the labels of a kind of group.
ResultTable by_group(const std::vector<ScoredSystem>& systems, const std::string& kind,
                     const ShownSlot& shown) {
  ResultTable out{.id = kind + "_" + shown.slot,
                  .title = std::string(shown.title) + " by " + kind,
                  .value = "percent, 95 % interval",
                  .names = {"system"}};
  std::set<std::string> labels;
  const auto groups_of = [&kind](const ScoredSystem& each) {
    return member(official_or_own(each.summary, "official_groups", "groups"), kind);
  };
  for (const ScoredSystem& each : systems) {
    const Json* groups = groups_of(each);
    if (groups == nullptr || groups->as_object() == nullptr) continue;
    for (const auto& [label, slots] : *groups->as_object()) labels.insert(label);
  }
  out.columns.assign(labels.begin(), labels.end());
  for (const ScoredSystem& each : systems) {
    ResultRow row{.names = {each.system}};
    for (const std::string& label : labels)
      row.cells.push_back(
          cell(member(groups_of(each), label), shown, "its split has no finding of that kind"));
    out.rows.push_back(std::move(row));
  }
  return out;
}

constexpr ShownSlot text_slots[] = {{"mean BLEU-1", "mean_bleu_1"}, {"mean BLEU-4", "mean_bleu_4"},
                                    {"ROUGE-1", "rouge_1"},         {"ROUGE-2", "rouge_2"},
                                    {"ROUGE-L", "rouge_l"},         {"METEOR", "meteor"},
                                    {"CIDEr", "cider_d", 1}};

constexpr const char* texts_needed = "fiducial score DIR PREDICTIONS, with reports among the predictions";

// Corpus BLEU of a region is no mean over texts: it stands in a part of its own.
ResultCell corpus_bleu(const Json& summary, const std::string& region, int order) {
  ResultCell out{.missing = texts_needed};
  const Json* corpus = member(member(summary.find("corpus"), "region"), region);
  const auto value = corpus == nullptr ? std::nullopt : number_at(*corpus, "bleu_" + decimal(order));
  if (value) out.value = ReportedValue{.value = value, .n = integer_at(*corpus, "n")};
  return out;
}

// The regions of all systems, below each other by region.
ResultTable texts_by_region(const std::vector<ScoredSystem>& systems) {
  ResultTable out{.id = "regions",
                  .title = "Texts by region",
                  .value = "percent, 95 % interval; CIDEr as it is",
                  .names = {"region", "system"}};
  for (int order = 1; order <= 4; ++order) out.columns.push_back("corpus BLEU-" + decimal(order));
  for (const ShownSlot& shown : text_slots) out.columns.emplace_back(shown.title);
  out.columns.emplace_back("texts");
  for (const ScoredSystem& system : systems) {
    const Json* regions = member(system.summary.find("groups"), "region");
    if (regions == nullptr || regions->as_object() == nullptr) continue;
    for (const auto& [region, slots] : *regions->as_object()) {
      ResultRow row{.names = {region, system.system}};
      for (int order = 1; order <= 4; ++order)
        row.cells.push_back(corpus_bleu(system.summary, region, order));
      for (const ShownSlot& shown : text_slots) row.cells.push_back(cell(&slots, shown, texts_needed));
      const auto& counted = row.cells.front().value;
      row.cells.push_back({.words = counted ? decimal(counted->n) : "", .missing = texts_needed});
      out.rows.push_back(std::move(row));
    }
  }
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [](const ResultRow& a, const ResultRow& b) { return a.names.front() < b.names.front(); });
  return out;
}

}  // namespace

std::vector<ResultTable> rexgroundingct_tables(const std::vector<ScoredSystem>& systems) {
  const std::vector<ScoredSystem> masks = of_task(systems, "finding_masks");
  std::vector<ResultTable> out{overall(masks)};
  for (const char* kind : {"focality", "category"}) {
    out.push_back(by_group(masks, kind, {"Dice", "dice_per_finding"}));
    out.push_back(by_group(masks, kind, {"Hit rate", "hit_rate"}));
  }
  return out;
}

std::vector<ResultTable> radgenome_tables(const std::vector<ScoredSystem>& systems) {
  return {texts_by_region(of_task(systems, "region_tables"))};
}

}  // namespace fiducial
