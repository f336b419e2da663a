#pragma once

#include <cstdint>
#include <string_view>

namespace fiducial {

// Told how far a long task is. Calls may come from any thread.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void begin(std::string_view what, std::int64_t total) = 0;
  virtual void advance(std::int64_t steps) = 0;
  virtual void end() = 0;
};

class SilentProgress final : public Progress {
 public:
  void begin(std::string_view, std::int64_t) override {}
  void advance(std::int64_t) override {}
  void end() override {}
};

}  // namespace fiducial
