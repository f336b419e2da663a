#pragma once

#include <string>

#include "fiducial/base/child_process.h"
#include "fiducial/base/log.h"

namespace fiducial::cli {

// A command that serves a model on this machine for as long as a run lasts. What it prints goes to serve.log
// beside the run's folder.
class ServedEngine {
 public:
  // Starts the command with {port} replaced by a free port, and waits until somebody listens there.
  static Result<ServedEngine> start(const std::string& command, const Path& output, Log& log);

  std::string url() const;

 private:
  ServedEngine(ChildProcess process, int port) : process_(std::move(process)), port_(port) {}

  ChildProcess process_;
  int port_;
};

}  // namespace fiducial::cli
