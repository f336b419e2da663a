#include <iostream>

#include <fiducial/eval/outputs/write_scores.h>
#include <fiducial/tasks/all_tasks.h>

int main(int count, char** words) {
  const fiducial::TaskRequest request{.dataset = words[count - 2], .predictions = words[count - 1]};
  const auto task = fiducial::choose_task(request.dataset, request.predictions, "");
  const fiducial::Executor executor(1);
  fiducial::SilentProgress progress;
  const auto run = fiducial::score_task(**task, request, executor, progress);
  if (!run.ok()) std::cout << run.error().text() << "\n";
  if (run.ok()) std::cout << summary_json(*run, *pooled(*run, executor), {}).compact() << "\n";
  return run.ok() ? 0 : 1;
}
