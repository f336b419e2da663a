#include <iostream>

#include <fiducial/eval/score.h>

int main(int count, char** words) {
  fiducial::ScoreRequest request{.dataset = words[count - 2], .predictions = words[count - 1]};
  fiducial::SilentProgress progress;
  const auto run = fiducial::score_run(request, fiducial::Executor(1), progress);
  std::cout << (run.ok() ? fiducial::summary_json(*run, {}).compact() : run.error().text()) << "\n";
}
