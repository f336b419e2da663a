#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace fiducial {

// The numbers that CPython's random.Random(seed) draws, call for call: MT19937 seeded by init_by_array.
//
// For reproducing published scripts; everything of our own draws from Random.
class PythonRandom {
 public:
  explicit PythonRandom(std::uint64_t seed);

  std::uint32_t next();                           // one 32-bit output
  std::uint64_t drawn() const { return drawn_; }  // outputs so far
  std::uint64_t bits(int count);                  // getrandbits, for 1 to 64
  std::uint64_t below(std::uint64_t bound);       // randrange(bound); bound > 0
  double uniform();                               // random(): [0, 1), 53 bits

  // The positions that sample(population, count) takes, in its order; count is at most population.
  std::vector<std::size_t> sample(std::size_t population, std::size_t count);

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  void refill();

  std::array<std::uint32_t, 624> state_{};
  std::size_t used_ = 624;
  std::uint64_t drawn_ = 0;
};

}  // namespace fiducial
