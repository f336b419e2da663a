#!/usr/bin/env python3
"""Scores generated cases after the challenge's published statistics, without surfaces, on two threads.

    python bench/challenge.py --bin-dir build/release/bin --data build/bench-data [--repeat N] [--json FILE] [--against BIN_DIR]

30 and 300 cases (582 findings), each a process from start to exit: wall and processor time and peak memory. Goals:
300 cases under 60 s, and no more memory for 300 than for 30 but what their results take (a quarter more, or 16 MB).
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from processes import arguments, timed
from two_builds import Ratios, in_turns

CASES = (30, 300)
MOST_SECONDS = 60


def score_command(bin_dir, folder, output):
    return [str(bin_dir / "fiducial"), "score", str(folder), str(folder / "predictions"), "-o", str(output),
            "--overwrite", "--threads", "2", "--no-report", "--metrics", "dice,hit,instances"]


def generated(bin_dir, data, name, *sizes):
    folder = data / name
    subprocess.run([bin_dir / "bench_challenge", folder, *map(str, sizes)], check=True)
    return folder


def repeated(bin_dir, folder, repeat):
    with tempfile.TemporaryDirectory() as scratch:
        runs = [timed(score_command(bin_dir, folder, pathlib.Path(scratch) / "scores")) for _ in range(repeat + 1)]
        summary = json.loads((pathlib.Path(scratch) / "scores" / "summary.json").read_text())
    wall, cpu, peak = zip(*runs[1:])
    return {"cases": summary["counts"]["cases"], "findings": summary["counts"]["findings"],
            "wall_s": statistics.median(wall), "cpu_s": statistics.median(cpu), "peak_mb": max(peak)}


def against(options):
    """Both builds in turns, and no goals."""
    ratios = Ratios()
    for count in CASES:
        folder = generated(options.bin_dir, options.data, f"challenge_{count}", count)
        with tempfile.TemporaryDirectory() as scratch:
            works = {bin_dir: lambda bin_dir=bin_dir: timed(score_command(bin_dir, folder, pathlib.Path(scratch) / "scores"))
                     for bin_dir in (options.bin_dir, options.against)}
            took = in_turns(works, options.repeat)
        ratios.add(f"challenge/{count}_cases", *([cpu for _, cpu, _ in took[bin_dir]] for bin_dir in works))
    return ratios.status()


def main():
    options = arguments(__doc__, 3)
    if options.against:
        return against(options)
    results = {}
    print("\nchallenge: generated cases, Dice, hits and instances of both scorers, 2 threads")
    for count in CASES:
        folder = generated(options.bin_dir, options.data, f"challenge_{count}", count)
        row = results[count] = repeated(options.bin_dir, folder, options.repeat)
        print(f"challenge/{count}_cases {row['findings']:>6} findings {row['wall_s']:>8.2f} s wall "
              f"{row['cpu_s']:>8.2f} s cpu {row['peak_mb']:>7.0f} MB", flush=True)
    few, many = (results[count] for count in CASES)
    in_time = many["wall_s"] < MOST_SECONDS
    flat = many["peak_mb"] <= max(1.25 * few["peak_mb"], few["peak_mb"] + 16)
    print(f"goals: under {MOST_SECONDS} s {'reached' if in_time else 'MISSED'}, "
          f"flat memory {'reached' if flat else 'MISSED'}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0 if in_time and flat else 1


if __name__ == "__main__":
    sys.exit(main())
