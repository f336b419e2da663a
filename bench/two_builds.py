"""Two builds timed in turns on the same work: the ratio of their processor times, row by row."""

import statistics

MOST = 1.03  # slower than this is slower


class Ratios:
    """Prints a line a row; counts the rows in which this build is slower than the other."""

    def __init__(self):
        self.rows, self.slower = {}, 0
        print(f"\n{'row':<44} {'cpu':>10} {'other cpu':>10} {'ratio':>7}")

    def add(self, name, cpu, other):
        """Processor times of the repetitions of both, in one unit."""
        this_build, other_build = statistics.median(cpu), statistics.median(other)
        ratio = this_build / other_build if other_build > 0 else 1.0
        is_slower = ratio > MOST
        self.slower += is_slower
        self.rows[name] = {"cpu": this_build, "other_cpu": other_build, "cpu_ratio": ratio}
        print(f"{name:<44} {this_build:>10.3f} {other_build:>10.3f} {ratio:>7.3f}{'  SLOWER' if is_slower else ''}", flush=True)

    def status(self):
        print(f"{self.slower} of {len(self.rows)} rows are slower than {MOST} x the other build")
        return 1 if self.slower else 0


def in_turns(works, repeat):
    """Results of calls by name, `repeat` of each, one of each in turn; the first of each is thrown away."""
    out = {name: [] for name in works}
    for turn in range(repeat + 1):
        for name, work in works.items():
            result = work()
            if turn > 0:
                out[name].append(result)
    return out
