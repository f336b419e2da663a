#include "fiducial/jobs/work_loop.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// A unit whose attempts all died is left alone: it may be what kills them.
constexpr std::int64_t most_attempts = 10;
constexpr double longest_beat_s = 5;
constexpr double shortest_wait_s = 0.05;
constexpr double longest_wait_s = 2;
constexpr double first_copy_s = 10;  // before this worker knows how long a unit takes
constexpr double slow_times = 1.5;   // a unit that takes so many times the usual is slow

bool ends_a_worker(ErrorCode code) {
  return code == ErrorCode::io || code == ErrorCode::integrity || code == ErrorCode::interrupted;
}

// Lets a claim grow while its holder works, and gives work up that somebody else finished.
class Heart {
 public:
  Heart(const JobFolder& job, const Claim& held, double patience_s, bool may_give_up)
      : job_(job), held_(held), may_give_up_(may_give_up), pause_(std::min(longest_beat_s, patience_s / 4)) {
    thread_ = std::thread([this] { beat(); });
  }
  Heart(const Heart&) = delete;
  Heart& operator=(const Heart&) = delete;
  ~Heart() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

  const CallScope::Flag* given_up() const { return &given_up_; }

 private:
  void beat() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, pause_, [this] { return stopped_; })) {
      job_.beat(held_);
      if (!may_give_up_ || !job_.has_rival(held_)) continue;
      const Result<JobProgress> progress = job_.progress();
      if (progress.ok() && progress->is_done(held_.unit)) given_up_.store(true);
    }
  }

  const JobFolder& job_;
  Claim held_;
  bool may_give_up_;
  Seconds pause_;
  CallScope::Flag given_up_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  std::thread thread_;
};

class Worker {
 public:
  Worker(const JobFolder& job, const JobPlan& plan, const WorkRequest& request, const UnitWork& work,
         Log& log)
      : job_(job), plan_(plan), request_(request), work_(work), log_(log) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    std::error_code ignored;
    if (!spare_journal_.empty()) std::filesystem::remove(spare_journal_, ignored);
  }

  Result<WorkDone> run() {
    if (request_.unit) return run_one(*request_.unit);
    FIDUCIAL_TRY_DONE(take_free_units());
    FIDUCIAL_TRY_DONE(help_others());
    if (first_failure_) return *first_failure_;
    return done_;
  }

 private:
  // What this worker saw of a claim, by its own clock.
  struct Seen {
    std::int64_t attempt = -1;
    std::uint64_t beats = 0;
    Clock::time_point first;
    Clock::time_point grew;
  };

  Result<WorkDone> run_one(std::int64_t unit) {
    if (unit < 0 || unit >= plan_.units)
      return bad_usage("--unit " + decimal(unit) + ": the job has units 0 to " + decimal(plan_.units - 1));
    FIDUCIAL_TRY(const JobProgress progress, job_.progress());
    const auto known = progress.claims.find(unit);
    Claim mine{unit, known == progress.claims.end() ? 0 : known->second.attempt + 1, 0};
    for (;; ++mine.attempt) {
      FIDUCIAL_TRY(const bool is_mine, job_.claim(mine));
      if (is_mine) break;
    }
    FIDUCIAL_TRY_DONE(work_unit(mine, false));
    if (first_failure_) return *first_failure_;
    FIDUCIAL_TRY(const JobProgress after, job_.progress());
    FIDUCIAL_TRY_DONE(check_agreement(plan_, after, job_.path()));
    return done_;
  }

  // Units index, index + workers, ... and then the others: workers that know their numbers do not meet at
  // first.
  Outcome take_free_units() {
    FIDUCIAL_TRY(const JobProgress progress, job_.progress());
    const std::int64_t step = std::clamp<std::int64_t>(request_.workers, 1, plan_.units);
    const std::int64_t first = request_.index % step;
    for (std::int64_t round = 0; round < step; ++round) {
      for (std::int64_t unit = (first + round) % step; unit < plan_.units; unit += step) {
        if (progress.is_done(unit) || progress.claims.contains(unit)) continue;
        FIDUCIAL_TRY_DONE(go_on());
        const Claim mine{unit, 0, 0};
        FIDUCIAL_TRY(const bool is_mine, job_.claim(mine));
        if (is_mine) FIDUCIAL_TRY_DONE(work_unit(mine, false));
      }
    }
    return done();
  }

  // Units of the dead, and copies of those that take long, until every unit has a result.
  Outcome help_others() {
    double wait_s = shortest_wait_s;
    for (;;) {
      FIDUCIAL_TRY_DONE(go_on());
      FIDUCIAL_TRY(const JobProgress progress, job_.progress());
      FIDUCIAL_TRY_DONE(check_agreement(plan_, progress, job_.path()));
      std::vector<std::int64_t> open = progress.open_units(plan_.units);
      std::erase_if(open, [this](std::int64_t unit) { return left_.contains(unit); });
      if (open.empty()) return done();
      FIDUCIAL_TRY(const bool has_worked, take_slowest(progress, open));
      wait_s = has_worked ? shortest_wait_s : std::min(2 * wait_s, longest_wait_s);
      if (!has_worked) std::this_thread::sleep_for(Seconds(wait_s));
    }
  }

  Result<bool> take_slowest(const JobProgress& progress, const std::vector<std::int64_t>& open) {
    std::optional<Claim> wanted;
    bool is_copy = false;
    Clock::time_point earliest = Clock::time_point::max();
    for (const std::int64_t unit : open) {
      const auto found = progress.claims.find(unit);
      if (found == progress.claims.end()) return take({unit, 0, 0}, false);
      const Seen& seen = look_at(found->second);
      const Clock::time_point now = Clock::now();
      const bool is_dead = Seconds(now - seen.grew).count() > request_.patience_s;
      const bool is_slow = request_.makes_copies && Seconds(now - seen.first).count() > slow_s();
      if (!is_dead && (!is_slow || seen.first >= earliest)) continue;
      const Claim next{unit, found->second.attempt + 1, 0};
      if (next.attempt >= most_attempts) {
        leave(unit, Error(ErrorCode::unfinished, "unit " + decimal(unit) + ": " + decimal(most_attempts) +
                                                     " attempts did not end; 'fiducial work --unit " +
                                                     decimal(unit) + "' tries it once more"));
        continue;
      }
      if (is_dead) return take(next, false);
      earliest = seen.first;
      wanted = next;
      is_copy = true;
    }
    if (!wanted) return false;
    return take(*wanted, is_copy);
  }

  Result<bool> take(const Claim& wanted, bool is_copy) {
    FIDUCIAL_TRY(const bool is_mine, job_.claim(wanted));
    if (is_mine) FIDUCIAL_TRY_DONE(work_unit(wanted, is_copy));
    return is_mine;
  }

  const Seen& look_at(const Claim& claim) {
    Seen& seen = seen_[claim.unit];
    const Clock::time_point now = Clock::now();
    if (seen.attempt != claim.attempt) seen = {claim.attempt, claim.beats, now, now};
    if (seen.beats != claim.beats) seen.grew = now;
    seen.beats = claim.beats;
    return seen;
  }

  double slow_s() const {
    return done_.units == 0 ? first_copy_s : slow_times * worked_.count() / static_cast<double>(done_.units);
  }

  Outcome work_unit(const Claim& mine, bool is_copy) {
    const Clock::time_point began = Clock::now();
    std::optional<Heart> heart(std::in_place, job_, mine, request_.patience_s, !request_.unit);
    Result<UnitResult> result = [&] {
      const CallScope scope(heart->given_up());
      const Path journal = job_.journal(mine, !is_copy);
      JobFolder::rename_journal(std::exchange(spare_journal_, Path()), journal);
      return work_(mine.unit, journal);
    }();
    const bool is_given_up = heart->given_up()->load();
    Outcome outcome = result.ok() ? job_.publish(*result) : Outcome(result.error());
    heart.reset();
    if (outcome.ok()) {
      spare_journal_ = job_.spare_journal(mine);
      worked_ += Clock::now() - began;
      ++done_.units;
      done_.copies += is_copy ? 1 : 0;
      return outcome;
    }
    job_.release(mine);
    if (is_given_up && outcome.error().code() == ErrorCode::interrupted && !stop_requested()) {
      job_.forget_journals(mine);
      return done();
    }
    if (ends_a_worker(outcome.error().code())) return outcome;
    log_.warn("unit " + decimal(mine.unit) + ": " + outcome.error().text());
    leave(mine.unit, outcome.error());
    return done();
  }

  void leave(std::int64_t unit, const Error& why) {
    left_.insert(unit);
    if (!first_failure_) first_failure_ = why;
  }

  static Outcome go_on() {
    if (!stop_requested()) return done();
    return Error(ErrorCode::interrupted, "stopped; the same command goes on from here");
  }

  const JobFolder& job_;
  const JobPlan& plan_;
  const WorkRequest& request_;
  const UnitWork& work_;
  Log& log_;
  WorkDone done_;
  Seconds worked_{0};
  Path spare_journal_;  // of the unit before
  std::map<std::int64_t, Seen> seen_;
  std::set<std::int64_t> left_;
  std::optional<Error> first_failure_;
};

}  // namespace

Result<WorkDone> work_on(const JobFolder& job, const JobPlan& plan, const WorkRequest& request,
                         const UnitWork& work, Log& log) {
  return Worker(job, plan, request, work, log).run();
}

}  // namespace fiducial
