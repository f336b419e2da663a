#include "fiducial/metrics/table_contracts.h"

#include <algorithm>

#include "fiducial/base/error.h"
#include "fiducial/metrics/text_metric.h"

namespace fiducial {

namespace {

constexpr const char* radgenome_release = "RadGenome-Chest CT, arXiv 2404.16754";

// A share, or a mean of shares.
struct TableShare {
  const char* id;
  const char* title;
  const char* group;
  const char* definition;
  const char* missing;
  int version = 1;
};

constexpr TableShare table_shares[] = {
    {"presence_accuracy", "Accuracy of presence", "presence",
     "questions answered rightly Yes or No / questions", "wrong"},
    {"presence_precision", "Precision of presence", "presence", "rightly answered Yes / answered Yes",
     "the wrong answer"},
    {"presence_recall", "Recall of presence", "presence",
     "rightly answered Yes / questions whose answer is Yes", "the wrong answer"},
    {"presence_f1", "F1 of presence", "presence", "harmonic mean of precision and recall of Yes",
     "the wrong answer"},
    {"abnormality_exact", "Exact lists of abnormalities", "abnormality",
     "lists with the same members / lists", "0", 2},
    {"abnormality_f1", "F1 of abnormalities", "abnormality",
     "2 common members / members of both lists, where two empty lists are 1; mean over lists", "0", 2},
    {"abnormality_precision", "Precision of abnormalities", "abnormality",
     "common members / predicted members, of all lists together", "an empty list"},
    {"abnormality_recall", "Recall of abnormalities", "abnormality",
     "common members / reference members, of all lists together", "an empty list"},
    {"abnormality_micro_f1", "Pooled F1 of abnormalities", "abnormality",
     "harmonic mean of pooled precision and recall", "an empty list"},
    {"location_exact", "Exact location", "location", "answers that are the row's path / rows", "0"},
    {"location_head", "Region of the location", "location", "answers in the row's region / rows", "0"},
    {"location_path", "Overlap of paths", "location",
     "common names of both paths / names of the longer path; mean", "0"},
    {"location_any_of", "Any right location", "location",
     "answers that are a path of the same finding in the same volume / rows", "0"},
    {"size_agreement", "Agreement of sizes", "size",
     "smaller / larger of the two largest dimensions in mm; mean", "0", 2},
    {"disorders_exact", "Exact lists of disorders", "disorders", "lists with the same members / lists", "0",
     2},
    {"disorders_f1", "F1 of disorders", "disorders",
     "2 common members / members of both lists, where two empty lists are 1; mean over lists", "0", 2},
    {"disorders_precision", "Precision of disorders", "disorders",
     "common members / predicted members, of all lists together", "an empty list"},
    {"disorders_recall", "Recall of disorders", "disorders",
     "common members / reference members, of all lists together", "an empty list"},
    {"disorders_micro_f1", "Pooled F1 of disorders", "disorders",
     "harmonic mean of pooled precision and recall", "an empty list"},
    {"clinical_precision", "Precision of clinical labels", "clinical",
     "labels that rules raise on both texts / on the prediction", "no label", 4},
    {"clinical_recall", "Recall of clinical labels", "clinical",
     "labels that rules raise on both texts / on the reference", "no label", 4},
    {"clinical_f1", "F1 of clinical labels", "clinical", "harmonic mean of pooled precision and recall",
     "no label", 4},
    {"clinical_samples_f1", "F1 of clinical labels, by volume", "clinical",
     "F1 of the labels of a volume, where two empty sets are 1; mean over volumes", "0", 4},
    {"answered", "Answered questions", "answered", "questions with an answer / questions of all tables", "0"},
    {"fact_precision", "Precision of facts", "facts", "matched facts / predicted facts", "no fact", 4},
    {"fact_recall", "Recall of facts", "facts", "matched facts / reference facts", "no fact", 4},
    {"fact_f1", "F1 of facts", "facts", "harmonic mean of precision and recall of facts", "no fact", 4},
    {"matched_fact_dice", "Dice of matched facts", "grounding",
     "mean Dice of the masks of matched facts; of datasets whose regions have masks, with those of the "
     "reference's places",
     "not counted: nothing was matched", 5},
    {"grounded_precision", "Grounded precision", "grounding",
     "facts matched in words and in place / predicted facts", "no fact", 5},
    {"grounded_recall", "Grounded recall", "grounding",
     "facts matched in words and in place / reference facts", "no fact", 5},
    {"grounded_f1", "Grounded F1", "grounding", "harmonic mean of grounded precision and recall", "no fact",
     5},
    {"region_alignment", "Alignment of regions", "grounding",
     "matched facts whose sentence is tied to a region of the reference's, each by the share of its mask "
     "that "
     "lies in the places it names where organ masks show these / matched facts",
     "not counted: nothing was matched", 5},
};

constexpr const char* parameters_of(std::string_view group) {
  if (group == "clinical")
    return "the eighteen labels of CT-RATE by our rules; a volume has those of its sentences";
  if (group == "facts" || group == "grounding")
    return "facts by our rules; in place: Dice of at least 0.1, with masks of regions also half of the mask "
           "inside, or a region in common where there are no masks";
  return "answers without task tags, final periods and case";
}

// Whether an answer that is left out never helps: it counts as the worst there is, or only takes away from
// what was found. The labels of a volume's texts are pooled, so that there fewer texts may help.
bool never_gains(const TableShare& share) {
  const std::string_view id(share.id);
  if (id.ends_with("_recall")) return true;
  const std::string_view missing(share.missing);
  return (missing == "0" || missing == "wrong" || missing == "the wrong answer") &&
         id != "clinical_samples_f1";
}

MetricContract contract_of_share(const TableShare& share) {
  const std::string nothing = "undefined: nothing to count";
  return {
      .id = share.id,
      .version = share.version,
      .title = share.title,
      .input = std::string_view(share.group) == "facts" || std::string_view(share.group) == "grounding"
                   ? "grounded reports"
                   : "tables",
      .group = share.group,
      .range = "[0, 1]",
      .empty = {.both = nothing, .reference = nothing, .prediction = share.missing, .missing = share.missing},
      .definition = share.definition,
      .parameters = parameters_of(share.group),
      .valid_for = "questions and reports about chest CT",
      .citation = radgenome_release,
      .less_is_never_better = never_gains(share)};
}

std::vector<MetricContract> made_contracts() {
  std::vector<MetricContract> out;
  for (const TableShare& share : table_shares) out.push_back(contract_of_share(share));
  out.push_back({.id = "size_error",
                 .version = 2,
                 .title = "Error of sizes",
                 .input = "tables",
                 .group = "size",
                 .better = Direction::lower,
                 .range = "[0, inf)",
                 .unit = "mm",
                 .empty = {.both = "undefined: nothing to count",
                           .reference = "undefined: the reference is no size in mm",
                           .prediction = "the reference itself: no answer is 0 mm",
                           .missing = "the reference itself: no answer is 0 mm"},
                 .definition =
                     "mean difference of the dimensions, the largest first; of the largest where the "
                     "number of dimensions differs; 0 inside a range; mean over rows",
                 .parameters = "a unit that is written once holds for both numbers",
                 .valid_for = "sizes in mm or cm",
                 .citation = radgenome_release});
  return out;
}

}  // namespace

const std::vector<MetricContract>& table_contracts() {
  static const std::vector<MetricContract> contracts = made_contracts();
  return contracts;
}

const MetricContract& table_contract(std::string_view id) {
  for (const MetricContract& contract : table_contracts()) {
    if (contract.id == id) return contract;
  }
  const TextMetric* metric = find_text_metric(id);
  FIDUCIAL_ASSERT(metric != nullptr);
  return metric->contract;
}

}  // namespace fiducial
