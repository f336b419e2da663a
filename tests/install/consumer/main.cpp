#include <iostream>

#include <fiducial/eval/outputs/write_scores.h>
#include <fiducial/tasks/all_tasks.h>

// Scores predictions against a dataset and prints the summary.
int main(int count, char** words) {
  if (count != 3) return 2;
  const fiducial::TaskRequest request{.dataset = words[1], .predictions = words[2]};
  const auto task = fiducial::choose_task(request.dataset, request.predictions, "");
  if (!task.ok()) {
    std::cerr << task.error().text() << "\n";
    return 1;
  }
  const fiducial::Executor executor(0);
  fiducial::SilentProgress progress;
  const auto run = fiducial::score_task(**task, request, executor, progress);
  if (!run.ok()) {
    std::cerr << run.error().text() << "\n";
    return 1;
  }
  std::cout << summary_json(*run, *pooled(*run, executor), {}).compact() << "\n";
}
