#pragma once

#include <string>
#include <vector>

#include "fiducial/eval/task/task_call.h"
#include "fiducial/tasks/diagnosis/answered_split.h"
#include "fiducial/text/meteor.h"

namespace fiducial {

// Which metrics of a run are wanted.
class MetricChoice {
 public:
  // Words are groups of diagnosis_contracts(), slots, contract ids, or "all"; none: what inputs allow. An
  // unknown one is bad usage that lists the groups.
  static Result<MetricChoice> parse(const std::vector<std::string>& words);

  bool wants(const std::string& slot, const MetricContract& contract) const;
  bool wants_group(std::string_view group) const;
  bool names(const MetricContract& contract) const;  // by its own id or slot
  // Asked for as such, not by "all": its absence is an error.
  bool insists_on(std::string_view group) const;
  bool lists_unavailable() const { return all_; }

 private:
  std::vector<std::string> words_;
  bool all_ = false;
};

// A text of a step beside its reference; the prediction may be empty.
struct StepTextPair {
  std::optional<std::size_t>
      at;  // place of its case; nothing: another shard scores it, and CIDEr-D weighs words by it
  StepText text;
  std::string reference;
  std::string prediction;
};

// Measures of one kind each, beside the run's cases. The slot of a contract is its id without the variant.
std::vector<CaseMeasure> answer_measures(const std::vector<AnsweredCase>& cases, Scorer scorer);
// METEOR with synonyms only where there are some. Every metric of a step is a piece of the call's work.
Result<std::vector<CaseMeasure>> text_measures(const TaskCall& call, const std::vector<StepTextPair>& pairs,
                                               std::size_t cases, const MetricChoice& choice,
                                               const Synonyms* synonyms);
std::vector<CaseMeasure> radcliq_measures(const std::vector<StepTextPair>& pairs, std::size_t cases,
                                          const ComponentTable& components);
std::vector<CaseMeasure> step_measures(const AnsweredSplit& split, Scorer scorer);
std::vector<CaseMeasure> discussion_measures(const AnsweredSplit& split);
// similarities stand beside the cases; nothing where a history was not continued.
std::vector<CaseMeasure> contamination_measures(const std::vector<std::optional<double>>& similarities);

// Slots that cannot be computed, with the reason: of a group of metrics, or of ids that begin so.
std::vector<CaseMeasure> unavailable_measures(std::string_view group, std::size_t cases,
                                              const std::string& reason);

}  // namespace fiducial
