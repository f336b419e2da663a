#!/usr/bin/env python3
"""Times scoring and its stages beside rivals on the same files, checks the results first, prints one table.

    python bench/run.py --bin-dir build/release/bin --data build/bench-data [--filter F] [--repeat N] [--json FILE]
    python bench/run.py ... --against BIN_DIR

Every measurement takes turns with every other, so that a busy machine is busy for all of them. With --against what is ours
takes turns with the same of another build instead of with rivals, and the ratio of processor times is printed.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from cases import CASES
from measurements import MEASUREMENTS
from two_builds import Ratios, in_turns

HERE = pathlib.Path(__file__).resolve().parent


class Served:
    """A program that answers each line with the time of one repetition (repetitions.h)."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            sys.exit(f"bench: {' '.join(map(str, command))} did not start")

    def repeat(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        wall_ms, cpu_ms = self.process.stdout.readline().split()
        return float(wall_ms), float(cpu_ms)

    def finish(self):
        self.process.stdin.close()
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = status
        return usage.ru_maxrss / 1024


class Cold:
    """A command started anew for every repetition, timed from start to exit."""

    def __init__(self, command):
        self.command = command
        self.peak_mb = 0

    def repeat(self):
        start = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall_ms = 1e3 * (time.perf_counter() - start)
        process.returncode = status
        if status != 0:
            sys.exit(f"bench: {' '.join(map(str, self.command))} ended with status {status}")
        self.peak_mb = max(self.peak_mb, usage.ru_maxrss / 1024)
        return wall_ms, 1e3 * (usage.ru_utime + usage.ru_stime)

    def finish(self):
        return self.peak_mb


def started(item, case, places):
    command = [str(word) for word in item.command(case, places)]
    return Cold(command) if item.cold else Served(command)


def measure(chosen, case, places, repeat):
    """Medians of each measurement by name; one repetition of each in turn, the first one thrown away."""
    running = {item.name: started(item, case, places) for item in chosen}
    times = in_turns({name: program.repeat for name, program in running.items()}, repeat)
    out = {}
    for name, program in running.items():
        wall, cpu = zip(*times[name])
        out[name] = {"wall_ms": statistics.median(wall), "least_wall_ms": min(wall),
                     "cpu_ms": statistics.median(cpu), "peak_mb": program.finish()}
    return out


def is_ours(item, case, places):
    """Whether a measurement runs what the build made, and no rival."""
    made = places["bin"].parent
    return any(pathlib.Path(word).is_relative_to(made) and not pathlib.Path(word).name.startswith(("rival_", "limit_"))
               for word in item.command(case, places) if isinstance(word, pathlib.Path))


def compare(case, folder, builds, options, ratios):
    """Times what is ours on a case with both builds in turns."""
    for item in MEASUREMENTS:
        if not case.takes(item.operation) or options.filter not in item.full_name(case) or not is_ours(item, folder, builds[0]):
            continue
        running = [started(item, folder, places) for places in builds]
        times = in_turns({number: program.repeat for number, program in enumerate(running)}, options.repeat)
        for program in running:
            program.finish()
        ratios.add(item.full_name(case), *([cpu for _, cpu in times[number]] for number in (0, 1)))


def against(options):
    ratios = Ratios()
    with tempfile.TemporaryDirectory() as scratch:
        builds = []
        for number, bin_dir in enumerate((options.bin_dir, options.against)):
            place = pathlib.Path(scratch) / str(number)
            place.mkdir()
            builds.append({"bin": bin_dir.resolve(), "rivals": HERE / "rivals", "scratch": place})
        for case in CASES:
            if any(case.takes(item.operation) and options.filter in item.full_name(case) for item in MEASUREMENTS):
                compare(case, case.make(options.bin_dir, options.data), builds, options, ratios)
    if options.json:
        options.json.write_text(json.dumps({"repeat": options.repeat, "results": ratios.rows}, indent=2) + "\n")
    return ratios.status()


def with_verdict(item, measured):
    """The measurement beside its rival: ratio of medians, and whether the goal is reached."""
    row = dict(measured[item.name])
    if item.rival in measured:
        row["rival"] = item.rival
        row["ratio"] = row["wall_ms"] / measured[item.rival]["wall_ms"]
        row["cpu_ratio"] = row["cpu_ms"] / measured[item.rival]["cpu_ms"]
        if item.at_most is not None:
            row["goal"] = item.at_most
            row["reached"] = row["ratio"] <= item.at_most
    return row


def table_line(name, row):
    ratio = f"{row['ratio']:.3f} x {row['rival']}" if "ratio" in row else ""
    goal = f"<= {row['goal']} {'reached' if row['reached'] else 'MISSED'}" if "goal" in row else ""
    return f"{name:<36} {row['wall_ms']:>10.2f} {row['cpu_ms']:>10.2f} {row['peak_mb']:>8.0f}  {ratio:<34} {goal}"


def with_rivals(names):
    """The chosen measurements and those they are compared with, in the order of the list."""
    wanted = set(names)
    for item in MEASUREMENTS:
        if item.name in wanted and item.rival:
            wanted.add(item.rival)
    return [item for item in MEASUREMENTS if item.name in wanted]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True, help="release binaries, with FIDUCIAL_BENCH=ON")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder where generated cases are kept")
    parser.add_argument("--filter", default="", help="only measurements whose operation/input/variant contains this")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path, help="also write the numbers here")
    parser.add_argument("--against", type=pathlib.Path, help="binaries of another build, to be timed in turns with these")
    return parser.parse_args()


def main():
    options = arguments()
    if options.against:
        return against(options)
    results = {}
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        places = {"bin": options.bin_dir, "rivals": HERE / "rivals", "scratch": pathlib.Path(scratch)}
        for case in CASES:
            names = [item.name for item in MEASUREMENTS
                     if case.takes(item.operation) and options.filter in item.full_name(case)]
            if not names:
                continue
            folder = case.make(options.bin_dir, options.data)
            operations = {name.split("/")[0] for name in names}
            subprocess.run([sys.executable, HERE / "check.py", folder, options.bin_dir, *operations], check=True)
            chosen = with_rivals(names)
            measured = measure(chosen, folder, places, options.repeat)
            print(f"\n{'operation/input/variant':<36} {'wall ms':>10} {'cpu ms':>10} {'peak MB':>8}  "
                  f"{'ratio of wall medians':<34} goal")
            for item in chosen:
                row = with_verdict(item, measured)
                missed += row.get("reached") is False
                results[item.full_name(case)] = row
                print(table_line(item.full_name(case), row), flush=True)
    if not results:
        sys.exit(f"bench: no measurement matches \"{options.filter}\"")
    if options.json:
        options.json.write_text(json.dumps({"repeat": options.repeat, "results": results}, indent=2) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
