#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fiducial {

// Seeded random numbers that are the same on every machine (xoshiro256**, seeded by splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed);
  // A stream of its own for a named part of a seeded whole: adding a part never shifts another.
  Random(std::uint64_t seed, std::string_view name);

  std::uint64_t next();
  std::uint64_t below(std::uint64_t bound);  // uniform in [0, bound), without bias; bound > 0
  // The next out.size() numbers of below(bound), quicker than one by one.
  void fill_below(std::uint32_t bound, std::span<std::uint32_t> out);
  std::int64_t between(std::int64_t low, std::int64_t high);  // uniform in [low, high]
  double uniform();                                           // [0, 1), 53 bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();  // sum of twelve uniforms minus six: additions only, so equal on every machine

 private:
  std::uint64_t state_[4];
};

}  // namespace fiducial
