#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/eval/task/task.h"

namespace fiducial {

// Every task, in the order of all_tasks.def.
const std::vector<Task>& all_tasks();
Result<const Task*> find_task(std::string_view id);

// The task that predictions for a dataset are scored by: the one that is asked for, which the dataset must
// know, else the first of the dataset's tasks that such predictions are for.
Result<const Task*> choose_task(const Path& dataset, const Path& predictions, std::string_view asked);

// The task that a plan belongs to; plans of schema fiducial.plan/1 do not name it.
Result<const Task*> task_of_plan(const Json& plan);

// What its rows are about (Task::unit); of a task that is not known, "case".
std::string unit_of_plan(const Json& plan);

// The slots that stand for its runs (Task::headline); none of a task that is not known.
std::vector<std::string> headline_of_plan(const Json& plan);

}  // namespace fiducial
