#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace fiducial {

// A number or the reason there is none. Never NaN, never a sentinel.
class Score {
 public:
  Score(double value) : value_(value) {}  // NOLINT: implicit by design
  static Score undefined(std::string reason) {
    Score out(0);
    out.value_.reset();
    out.reason_ = std::move(reason);
    return out;
  }

  bool defined() const { return value_.has_value(); }
  double value() const { return *value_; }
  const std::string& reason() const { return reason_; }  // empty when defined

  friend bool operator==(const Score&, const Score&) = default;

 private:
  std::optional<double> value_;
  std::string reason_;
};

// A part of a whole, undefined where there is nothing to divide.
inline Score ratio(std::int64_t part, std::int64_t whole, const char* reason) {
  if (whole == 0) return Score::undefined(reason);
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace fiducial
