#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fiducial/base/case_budget.h"
#include "fiducial/base/interruption.h"
#include "fiducial/eval/task/case_journal.h"
#include "fiducial/eval/task/task.h"

namespace fiducial {

// A request while a task carries it out: its options resolved and typed, which cases it holds, the journal,
// and whether somebody wants it to stop.
class TaskCall {
 public:
  // Refuses options that the task does not have, and values that are none of theirs.
  static Result<TaskCall> begin(const Task& task, const TaskRequest& request, const Executor& executor,
                                Progress& progress);

  const Path& dataset() const { return request_.dataset; }
  const Path& predictions() const { return request_.predictions; }
  std::string predictions_name() const;  // of the file or folder
  const Executor& executor() const { return *executor_; }
  Progress& progress() const { return *progress_; }
  bool is_shard() const { return request_.shard || request_.part; }

  // Values of options; those that were not given and have no fallback are empty.
  bool given(const std::string& option) const { return values_.contains(option); }
  std::string text(const std::string& option) const;
  std::optional<std::string> optional_text(const std::string& option) const;
  std::vector<std::string> texts(const std::string& option) const;
  std::int64_t integer(const std::string& option) const;
  double number(const std::string& option) const;
  std::vector<double> numbers(const std::string& option) const;
  bool flag(const std::string& option) const { return given(option); }
  std::optional<Path> path(const std::string& option) const;
  std::vector<std::pair<std::string, Path>> named_paths(const std::string& option) const;
  ScoreMode mode() const;
  CaseLimits limits() const;  // of a task that reads masks

  // Whether a case of the split is scored: it is in the list of --cases, if any, and in the shard, if any.
  bool holds(const std::string& case_name) const;
  // Likewise of all shards together.
  bool lists(const std::string& case_name) const;
  bool in_shard(const std::string& name) const {
    return (!request_.shard || request_.shard->holds(name)) && (!request_.part || request_.part->holds(name));
  }
  // An error once somebody asked for a stop; looked at between pieces of work.
  Outcome go_on() const;

  // A run of this call, with what the request says of it filled in.
  ScoreRun new_run(const std::string& benchmark, const std::string& split) const;
  // The journal of the cases, for a key that all it depends on is part of; null where none is kept.
  Result<std::unique_ptr<CaseJournal>> open_journal(const std::string& further_key) const;

  // A piece of work that the journal has under this name, or that is made now and kept there: for tasks whose
  // work is not case by case. The journal begins anew when any file changed that the request names. Pieces
  // are objects; a stop is heard before one is made. Safe from several threads.
  using Piece = std::function<Result<Json>()>;
  Result<Json> kept_or_made(const std::string& name, const Piece& make) const;
  // The work failed for good: there is nothing to go on with.
  void forget_pieces() const;

  // Adds what every task has: groups by metadata, the hash of the list of cases. Refuses a list with names
  // that the split has not.
  Outcome finish(ScoreRun& run) const;

 private:
  struct Pieces;
  TaskCall(const Task& task, const TaskRequest& request, const Executor& executor, Progress& progress)
      : task_(&task), request_(request), executor_(&executor), progress_(&progress), pieces_(no_pieces()) {}

  static std::shared_ptr<Pieces> no_pieces();
  std::string state_of_inputs() const;
  Outcome resolve();
  Outcome read_case_list();
  std::string system() const;
  OptionValues recorded_options() const;

  const Task* task_;
  TaskRequest request_;
  const Executor* executor_;
  Progress* progress_;
  OptionValues values_;
  std::optional<std::set<std::string>> listed_;
  std::optional<InputFile> list_file_;
  mutable std::set<std::string> seen_;  // of listed_
  std::shared_ptr<Pieces> pieces_;
};

}  // namespace fiducial
