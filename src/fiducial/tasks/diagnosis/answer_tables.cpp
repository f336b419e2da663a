#include <algorithm>
#include <map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/tasks/diagnosis/answered_split.h"
#include "fiducial/text/discussion_sentences.h"

namespace fiducial {

Table steps_table(const AnsweredSplit& run, const std::vector<Scorer>& wanted_scorers) {
  Column::Strings cases, scorers, texts, statuses, reasons, types;
  Column::Integers numbers, factual, critical;
  for (const JudgedCase& judged : run.judged) {
    for (const Scorer scorer : wanted_scorers) {
      for (const JudgedStep& step : judged.steps[static_cast<std::size_t>(scorer)]) {
        const StepVerdict& verdict = step.verdict;
        const bool ok = verdict.status == VerdictStatus::ok;
        std::string labels;
        for (std::size_t i = 0; i < step_error_type_count; ++i) {
          if (verdict.error_types.at(i))
            labels += (labels.empty() ? "" : "; ") + std::string(step_error_types[i].label);
        }
        cases.emplace_back(run.cases[judged.at].entry.title);
        scorers.emplace_back(to_string(scorer));
        numbers.emplace_back(static_cast<std::int64_t>(step.number));
        texts.emplace_back(step.text);
        statuses.emplace_back(to_string(verdict.status));
        factual.push_back(ok ? std::optional<std::int64_t>(verdict.is_factual ? 1 : 0) : std::nullopt);
        critical.push_back(ok ? std::optional<std::int64_t>(verdict.is_critical ? 1 : 0) : std::nullopt);
        types.emplace_back(labels);
        reasons.push_back(verdict.reason.empty() ? std::nullopt : std::optional(verdict.reason));
      }
    }
  }
  return {{{"case", std::move(cases)},
           {"scorer", std::move(scorers)},
           {"step", std::move(numbers)},
           {"text", std::move(texts)},
           {"status", std::move(statuses)},
           {"is_factual", std::move(factual)},
           {"is_critical", std::move(critical)},
           {"error_types", std::move(types)},
           {"reason", std::move(reasons)}},
          {{"schema", "fiducial.steps/1"}}};
}

Table sentences_table(const AnsweredSplit& run) {
  Column::Strings cases, sections, texts;
  Column::Integers numbers, raters;
  Column::Numbers correct;
  for (const WrittenDiscussion& each : run.discussions) {
    const DiagnosisCase& entry = run.cases[each.at].entry;
    for (const DiscussionSentence& sentence : discussion_sentences(each.discussion)) {
      double sum = 0;
      std::int64_t votes = 0;
      const auto ratings = run.ratings.find(entry.number);
      for (std::size_t r = 0; ratings != run.ratings.end() && r < ratings->second.size(); ++r) {
        for (const SentenceRating& rating : ratings->second[r].sentences) {
          if (rating.heading != sentence.heading ||
              static_cast<std::int64_t>(rating.sentence) != sentence.number)
            continue;
          sum += rating.correct ? 1 : 0;
          ++votes;
        }
      }
      cases.emplace_back(entry.title);
      sections.push_back(sentence.section());
      numbers.emplace_back(sentence.number);
      texts.push_back(sentence.text);
      raters.emplace_back(votes);
      correct.push_back(votes > 0 ? std::optional(sum / static_cast<double>(votes)) : std::nullopt);
    }
  }
  return {{{"case", std::move(cases)},
           {"section", std::move(sections)},
           {"sentence", std::move(numbers)},
           {"text", std::move(texts)},
           {"raters", std::move(raters)},
           {"correct", std::move(correct)}},
          {{"schema", "fiducial.sentences/1"}}};
}

}  // namespace fiducial
