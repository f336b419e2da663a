#include "fiducial/tasks/all_tasks.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"

namespace fiducial {

#define FIDUCIAL_TASK(name) Task name##_task();
#include "fiducial/tasks/all_tasks.def"
#undef FIDUCIAL_TASK

const std::vector<Task>& all_tasks() {
  static const std::vector<Task> tasks{
#define FIDUCIAL_TASK(name) name##_task(),
#include "fiducial/tasks/all_tasks.def"
#undef FIDUCIAL_TASK
  };
  return tasks;
}

Result<const Task*> find_task(std::string_view id) {
  std::vector<std::string> known;
  for (const Task& task : all_tasks()) {
    if (task.id == id) return &task;
    known.push_back(task.id);
  }
  return no_such_name("task", id, known);
}

Result<const Task*> choose_task(const Path& dataset, const Path& predictions, std::string_view asked) {
  Result<const DatasetAdapter*> found = find_dataset_adapter(dataset);
  if (!found.ok()) {
    if (!find_dataset_adapter(predictions).ok()) return std::move(found).error();
    return bad_usage("dataset and predictions are swapped: " + predictions.string() + " is the dataset");
  }
  const DatasetAdapter* adapter = *found;
  const std::vector<std::string>& ids = adapter->tasks;
  if (!asked.empty()) {
    FIDUCIAL_TRY(const Task* task, find_task(asked));
    if (std::find(ids.begin(), ids.end(), asked) != ids.end()) return task;
    return bad_usage("--task " + std::string(asked) + ": " + dataset.string() + " (" + adapter->id +
                     ") is scored by " + (ids.empty() ? "no task yet" : joined(ids)));
  }
  if (ids.empty())
    return Error(ErrorCode::unavailable, adapter->id + " is scored by no task yet",
                 Place{.path = dataset.string()});
  for (const std::string& id : ids) {
    FIDUCIAL_TRY(const Task* task, find_task(id));
    if (task->takes != nullptr && task->takes(predictions)) return task;
  }
  return find_task(ids.front());
}

Result<const Task*> task_of_plan(const Json& plan) {
  const std::string* id = find_string(plan, "task");
  if (text_at(plan, "schema") != "fiducial.plan/1") {
    if (id == nullptr) return invalid_data("the plan names no task");
    return find_task(*id);
  }
  if (id != nullptr) return find_task("grounded_reports");
  if (plan.find("dataset_files") != nullptr) return find_task("region_tables");
  return find_task(plan.find("predictions") != nullptr ? "diagnosis" : "finding_masks");
}

std::string unit_of_plan(const Json& plan) {
  const Result<const Task*> task = task_of_plan(plan);
  return task.ok() ? (*task)->unit : "case";
}

std::vector<std::string> headline_of_plan(const Json& plan) {
  const Result<const Task*> task = task_of_plan(plan);
  return task.ok() ? (*task)->headline : std::vector<std::string>{};
}

}  // namespace fiducial
