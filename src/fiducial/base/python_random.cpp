#include "fiducial/base/python_random.h"

#include <bit>
#include <unordered_set>

#include "fiducial/base/error.h"

namespace fiducial {

namespace {

constexpr std::size_t words = 624;
constexpr std::size_t offset = 397;

// Matsumoto and Nishimura's recurrence for one word.
std::uint32_t twisted(std::uint32_t high, std::uint32_t low, std::uint32_t far) {
  const std::uint32_t joined = (high & 0x80000000U) | (low & 0x7FFFFFFFU);
  return far ^ (joined >> 1U) ^ ((joined & 1U) != 0 ? 0x9908B0DFU : 0U);
}

// Up to here CPython keeps a pool to draw from; beyond, a set of what was drawn.
std::size_t largest_pool(std::size_t count) {
  std::size_t size = 21;
  if (count > 5) {
    std::size_t power = 1;
    while (power < count * 3) power *= 4;
    size += power;
  }
  return size;
}

}  // namespace

PythonRandom::PythonRandom(std::uint64_t seed) {
  state_[0] = 19650218;
  for (std::uint32_t i = 1; i < words; ++i) {
    state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30U)) + i;
  }
  const std::array<std::uint32_t, 2> key{static_cast<std::uint32_t>(seed),
                                         static_cast<std::uint32_t>(seed >> 32U)};
  const std::size_t length = key[1] != 0 ? 2 : 1;
  std::size_t i = 1;
  const auto advance = [&] {
    if (++i < words) return;
    state_[0] = state_[words - 1];
    i = 1;
  };
  std::size_t j = 0;
  for (std::size_t k = words; k > 0; --k) {
    const std::uint32_t mixed = (state_[i - 1] ^ (state_[i - 1] >> 30U)) * 1664525U;
    state_[i] = (state_[i] ^ mixed) + key[j] + static_cast<std::uint32_t>(j);
    advance();
    if (++j >= length) j = 0;
  }
  for (std::size_t k = words - 1; k > 0; --k) {
    const std::uint32_t mixed = (state_[i - 1] ^ (state_[i - 1] >> 30U)) * 1566083941U;
    state_[i] = (state_[i] ^ mixed) - static_cast<std::uint32_t>(i);
    advance();
  }
  state_[0] = 0x80000000U;
}

void PythonRandom::refill() {
  for (std::size_t i = 0; i < words; ++i) {
    state_[i] = twisted(state_[i], state_[(i + 1) % words], state_[(i + offset) % words]);
  }
  used_ = 0;
}

std::uint32_t PythonRandom::next() {
  if (used_ == words) refill();
  ++drawn_;
  std::uint32_t out = state_[used_++];
  out ^= out >> 11U;
  out ^= (out << 7U) & 0x9D2C5680U;
  out ^= (out << 15U) & 0xEFC60000U;
  return out ^ (out >> 18U);
}

std::uint64_t PythonRandom::bits(int count) {
  FIDUCIAL_ASSERT(count >= 1 && count <= 64);
  if (count <= 32) return next() >> static_cast<unsigned>(32 - count);
  const std::uint64_t low = next();
  return low | std::uint64_t{next() >> static_cast<unsigned>(64 - count)} << 32U;
}

std::uint64_t PythonRandom::below(std::uint64_t bound) {
  FIDUCIAL_ASSERT(bound > 0);
  const auto width = static_cast<int>(std::bit_width(bound));
  std::uint64_t out = bits(width);
  while (out >= bound) out = bits(width);
  return out;
}

double PythonRandom::uniform() {
  const std::uint32_t high = next() >> 5U;
  const std::uint32_t low = next() >> 6U;
  return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

std::vector<std::size_t> PythonRandom::sample(std::size_t population, std::size_t count) {
  FIDUCIAL_ASSERT(count <= population);
  std::vector<std::size_t> out;
  out.reserve(count);
  if (population <= largest_pool(count)) {
    std::vector<std::size_t> pool(population);
    for (std::size_t i = 0; i < population; ++i) pool[i] = i;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = below(population - i);
      out.push_back(pool[at]);
      pool[at] = pool[population - i - 1];
    }
    return out;
  }
  std::unordered_set<std::size_t> taken;
  while (out.size() < count) {
    const std::size_t at = below(population);
    if (taken.insert(at).second) out.push_back(at);
  }
  return out;
}

}  // namespace fiducial
