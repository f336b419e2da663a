#pragma once

#include <string_view>

namespace fiducial {

// Where the library says what a person may want to know. The library itself never prints.
class Log {
 public:
  virtual ~Log() = default;
  virtual void note(std::string_view message) = 0;
  virtual void warn(std::string_view message) = 0;
};

// Says nothing.
class SilentLog final : public Log {
 public:
  void note(std::string_view) override {}
  void warn(std::string_view) override {}
};

}  // namespace fiducial
