#include "fiducial/eval/score_cases.h"

#include "fiducial/base/interruption.h"

namespace fiducial {

namespace {

// One case, from the journal where that still holds.
Result<CaseScore> scored_or_kept(const CaseScorer& scorer, const GroundedCase& entry, CaseJournal* journal) {
  if (journal == nullptr) return scorer.score(entry);
  const auto kept = journal->kept().find(entry.name);
  if (kept != journal->kept().end() && scorer.still_true(kept->second, entry)) return kept->second;
  FIDUCIAL_TRY(CaseScore scored, scorer.score(entry));
  FIDUCIAL_TRY_DONE(journal->append(scored));
  return scored;
}

}  // namespace

Result<std::vector<CaseScore>> score_cases(const CaseScorer& scorer, const std::vector<GroundedCase>& cases,
                                           CaseJournal* journal, const Executor& executor,
                                           Progress& progress) {
  std::vector<std::optional<CaseScore>> slots(cases.size());
  progress.begin("scoring", static_cast<std::int64_t>(cases.size()));
  const Outcome outcome =
      executor.for_each(static_cast<std::int64_t>(cases.size()), [&](std::int64_t index) -> Outcome {
        if (stop_requested())
          return Error(ErrorCode::interrupted, "stopped; the same command goes on from here");
        const auto at = static_cast<std::size_t>(index);
        FIDUCIAL_TRY(slots[at], scored_or_kept(scorer, cases[at], journal));
        progress.advance(1);
        return done();
      });
  progress.end();
  FIDUCIAL_TRY_DONE(outcome);
  std::vector<CaseScore> out;
  out.reserve(slots.size());
  for (std::optional<CaseScore>& slot : slots) out.push_back(*std::move(slot));
  return out;
}

}  // namespace fiducial
