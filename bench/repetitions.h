#pragma once

#include <cstdio>
#include <ctime>
#include <optional>
#include <string>

#include "fiducial/base/number_text.h"

namespace fiducial::bench {

// How long something took: by the clock on the wall, and of the processor. The second hardly changes when
// other programs want the machine too.
struct Took {
  double wall_ms = 0;
  double cpu_ms = 0;

  Took& operator+=(const Took& other) {
    wall_ms += other.wall_ms;
    cpu_ms += other.cpu_ms;
    return *this;
  }
};

inline double clock_ms(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

template <typename Work>
Took timed(Work work) {
  const double wall_ms = clock_ms(CLOCK_MONOTONIC);
  const double cpu_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
  work();
  return {clock_ms(CLOCK_MONOTONIC) - wall_ms, clock_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu_ms};
}

// Counts as a use of the value, so that the compiler may not leave out the work that made it.
template <typename Value>
void keep(const Value& value) {
  __asm__ volatile("" : : "r"(&value) : "memory");
}

// Says "ready", then answers every line of standard input with the milliseconds of one repetition (wall and
// processor), so that bench/run.py can take turns between programs. A repetition without a result ends the
// program with status 1.
template <typename Repetition>
int answer_repetitions(Repetition repetition) {
  std::puts("ready");
  std::fflush(stdout);
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c != '\n') continue;
    const std::optional<Took> took = repetition();
    if (!took) return 1;
    std::puts((fixed(took->wall_ms, 4) + " " + fixed(took->cpu_ms, 4)).c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace fiducial::bench
