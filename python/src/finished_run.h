#pragma once

#include <memory>
#include <optional>

#include <nanobind/nanobind.h>

#include "fiducial/pages/run_page.h"

namespace fiducial::python {

// A run of any task with what is told of it, or what a folder of scores holds.
struct FinishedRun {
  std::shared_ptr<const ScoreRun> run;  // nothing where it was read from a folder
  std::optional<int> min_group;         // set where it is private
  std::optional<PageSources> sources;   // what report.html is made from; nothing where it came from arrays
  Json summary;
  Json plan;
  std::shared_ptr<const Table> rows;  // of a folder; nothing in a private one
};

// Pools a run and keeps what may be told of it.
Result<FinishedRun> finished(ScoreRun run, std::optional<int> min_group, std::optional<PageSources> sources,
                             const Executor& executor);

void define_finished_run(nanobind::module_& module);

}  // namespace fiducial::python
