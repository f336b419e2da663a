#pragma once

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

}  // namespace fiducial
