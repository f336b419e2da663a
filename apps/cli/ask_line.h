#pragma once

#include <chrono>
#include <string>

#include "fiducial/chat/asker.h"

namespace fiducial::cli {

// One line that says how far a run is, where standard error is a terminal: done, failed, rate, tokens, cost
// and how long it will take; in a narrow terminal less of it. Wiped at its end.
class AskLine final : public AskWatcher {
 public:
  explicit AskLine(bool has_price);
  ~AskLine() override;
  AskLine(const AskLine&) = delete;
  AskLine& operator=(const AskLine&) = delete;

  void changed(const AskState& state) override;

 private:
  std::string line(const AskState& state, double seconds);

  bool has_price_;
  bool interactive_;
  std::size_t width_;
  bool is_drawn_ = false;
  std::int64_t known_items_ = 0;  // at their end before anything was answered
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point drawn_at_;
};

}  // namespace fiducial::cli
