#pragma once

#include <chrono>

#include "fiducial/chat/asker.h"

namespace fiducial::cli {

// One line that says how far a run is, where standard error is a terminal: done, failed, rate, tokens, cost
// and how long it will take. Wiped at its end.
class AskLine final : public AskWatcher {
 public:
  explicit AskLine(std::int64_t items, bool has_price);
  ~AskLine() override;
  AskLine(const AskLine&) = delete;
  AskLine& operator=(const AskLine&) = delete;

  void changed(const AskState& state) override;

 private:
  std::int64_t items_;
  bool has_price_;
  bool interactive_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point drawn_at_;
};

}  // namespace fiducial::cli
