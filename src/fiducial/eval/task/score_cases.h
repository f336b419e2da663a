#pragma once

#include <optional>
#include <vector>

#include "fiducial/eval/task/task_call.h"

namespace fiducial {

// Scores the cases of a scorer on all threads, in the order of their numbers whatever the number of threads.
//
// A case that the journal has, and that the scorer says still holds, is taken from there; every other one is
// appended to it. A stop that was asked for ends the work between two cases. The scorer has: a type Scored;
// size(); score(i); still_true(Scored, i); name(i); and functions to_json(Scored) and parse(Json) that lose
// nothing.
template <class Scorer>
class CaseLoop {
 public:
  using Scored = typename Scorer::Scored;

  CaseLoop(TaskCall& call, const Scorer& scorer, CaseJournal* journal)
      : call_(call), scorer_(scorer), journal_(journal) {}

  Result<std::vector<Scored>> run() {
    const auto count = static_cast<std::int64_t>(scorer_.size());
    std::vector<std::optional<Scored>> slots(scorer_.size());
    call_.progress().begin("scoring", count);
    const Outcome outcome = call_.executor().for_each(count, [&](std::int64_t index) -> Outcome {
      FIDUCIAL_TRY_DONE(call_.go_on());
      FIDUCIAL_TRY(slots[static_cast<std::size_t>(index)], one(static_cast<std::size_t>(index)));
      call_.progress().advance(1);
      return done();
    });
    call_.progress().end();
    if (!outcome.ok()) {
      if (journal_ != nullptr && !stops_a_run(outcome.error())) journal_->remove();
      return outcome.error();
    }
    std::vector<Scored> out;
    out.reserve(slots.size());
    for (std::optional<Scored>& slot : slots) out.push_back(*std::move(slot));
    return out;
  }

 private:
  Result<Scored> one(std::size_t at) const {
    if (journal_ == nullptr) return scorer_.score(at);
    if (const Json* kept = journal_->find(scorer_.name(at))) {
      Result<Scored> before = scorer_.parse(*kept);
      if (before.ok() && scorer_.still_true(*before, at)) return before;
    }
    FIDUCIAL_TRY(Scored scored, scorer_.score(at));
    FIDUCIAL_TRY_DONE(journal_->append(scorer_.to_json(scored)));
    return scored;
  }

  TaskCall& call_;
  const Scorer& scorer_;
  CaseJournal* journal_;
};

template <class Scorer>
Result<std::vector<typename Scorer::Scored>> score_cases(TaskCall& call, const Scorer& scorer,
                                                         const std::string& key) {
  FIDUCIAL_TRY(const std::unique_ptr<CaseJournal> journal, call.open_journal(key));
  return CaseLoop<Scorer>(call, scorer, journal.get()).run();
}

}  // namespace fiducial
