#include "fiducial/base/random.h"

#include <bit>

#include "fiducial/base/error.h"

namespace fiducial {

namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

Random::Random(std::uint64_t seed) : state_{} {
  for (std::uint64_t& word : state_) word = splitmix(seed);
}

Random::Random(std::uint64_t seed, std::string_view name) : Random(seed ^ fnv1a(name)) {}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  FIDUCIAL_ASSERT(bound > 0);
  // Numbers under 2^64 mod bound are dropped, so that every remainder is equally likely.
  const std::uint64_t threshold = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t value = next();
    if (value >= threshold) return value % bound;
  }
}

void Random::fill_below(std::uint32_t bound, std::span<std::uint32_t> out) {
  FIDUCIAL_ASSERT(bound > 0);
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t threshold = (0 - std::uint64_t{bound}) % bound;
  const std::uint64_t inverse = ~std::uint64_t{0} / bound;
  for (std::uint32_t& each : out) {
    std::uint64_t value = next();
    while (value < threshold) value = next();
    // The quotient by the inverse is right or one too small.
    const auto quotient = static_cast<std::uint64_t>((Wide{value} * inverse) >> 64U);
    const std::uint64_t rest = value - quotient * bound;
    each = static_cast<std::uint32_t>(rest >= bound ? rest - bound : rest);
  }
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  FIDUCIAL_ASSERT(low <= high);
  const auto base = static_cast<std::uint64_t>(low);  // unsigned, because high - low may not fit 63 bits
  return static_cast<std::int64_t>(base + below(static_cast<std::uint64_t>(high) - base + 1));
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Random::normal() {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum - 6;
}

}  // namespace fiducial
