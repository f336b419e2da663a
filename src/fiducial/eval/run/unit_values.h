#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace fiducial {

// A number for each unit of a run. Most are small counts: packed, those take a byte each, and every value
// stays what it is.
class UnitValues {
 public:
  UnitValues() = default;
  explicit UnitValues(std::size_t units, double value = 0) : values_(units, value) {}

  bool empty() const { return size() == 0; }
  std::size_t size() const { return values_.empty() ? small_.size() : values_.size(); }
  double operator[](std::size_t unit) const { return values_.empty() ? small_[unit] : values_[unit]; }
  double& operator[](std::size_t unit) { return values_[unit]; }  // while it is not packed

  // Nothing is written to it any more.
  void pack();

  friend bool operator==(const UnitValues& a, const UnitValues& b);

 private:
  std::vector<double> values_;
  std::vector<std::uint8_t> small_;
};

// Values that several columns of a run may have in common.
using SharedValues = std::shared_ptr<const UnitValues>;
SharedValues shared(UnitValues values);  // packed

}  // namespace fiducial
