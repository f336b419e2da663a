#!/usr/bin/env python3
"""How the time of a case grows with its slices, findings, entities and components; draws docs/pictures/growth.svg.

    python bench/growth.py --bin-dir build/release/bin --data build/bench-data [--repeat N] [--out FILE.svg]

One of the four numbers varies, the others stay at 346 slices, 2 findings, 4 entities and 10 further components. Three
cases a folder, one thread, processor time of the whole command divided by the cases, median of the repetitions taken
in turns.
"""

import argparse
import pathlib
import statistics
import sys
import tempfile

from challenge import generated, score_command, timed

USUAL = {"slices": 346, "findings": 2, "entities": 4, "components": 10}
SERIES = {"slices": (50, 100, 200, 346, 568, 1000), "findings": (1, 2, 4, 8, 13),
          "entities": (1, 4, 10, 20, 36), "components": (0, 10, 50, 200, 1000)}
CASES = 3
WIDTH, HEIGHT, GAP = 300, 200, 70


def measured(options):
    """Milliseconds a case: {what varies: [(value, time), ...]}."""
    folders = {}
    for what, values in SERIES.items():
        for value in values:
            sizes = dict(USUAL, **{what: value})
            name = "growth_" + "_".join(str(size) for size in sizes.values())
            folders[what, value] = generated(options.bin_dir, options.data, name, CASES, *sizes.values())
    times = {key: [] for key in folders}
    with tempfile.TemporaryDirectory() as scratch:
        for turn in range(options.repeat + 1):
            for key, folder in folders.items():
                command = score_command(options.bin_dir, folder, pathlib.Path(scratch) / "scores")
                command[command.index("--threads") + 1] = "1"
                _, cpu_s, _ = timed(command)
                if turn > 0:
                    times[key].append(1000 * cpu_s / CASES)
    return {what: [(value, statistics.median(times[what, value])) for value in values]
            for what, values in SERIES.items()}


def round_above(value):
    step = 10 ** (len(str(int(value))) - 1)
    return -(-value // step) * step


def panel(what, points, left, top, highest):
    most = points[-1][0]

    def at(value, ms):
        return left + WIDTH * value / most, top + HEIGHT * (1 - ms / highest)

    line = " ".join("%.1f,%.1f" % at(*point) for point in points)
    out = [f'<text class="title" x="{left}" y="{top - 12}">{what}</text>',
           f'<path class="axis" d="M{left} {top}V{top + HEIGHT}H{left + WIDTH}"/>', f'<polyline points="{line}"/>']
    for share in (0, 0.5, 1):
        y = top + HEIGHT * (1 - share)
        out.append(f'<path class="grid" d="M{left} {y}h{WIDTH}"/>'
                   f'<text class="left" x="{left - 6}" y="{y + 4}">{highest * share:g}</text>')
    for value, ms in points:
        x, y = at(value, ms)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{value} {what}: {ms:.1f} ms</title></circle>')
    for value in (points[0][0], most):
        out.append(f'<text class="below" x="{at(value, 0)[0]:.1f}" y="{top + HEIGHT + 16}">{value}</text>')
    return out


def drawing(series):
    highest = round_above(max(ms for points in series.values() for _, ms in points))
    wide, high = 2 * (WIDTH + GAP) + 20, 2 * (HEIGHT + GAP) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img" '
           f'font-family="sans-serif" font-size="12">',
           "<title>Processor time of a case against its slices, findings, entities and components</title>",
           "<style>text{fill:#333}.title{font-weight:bold}.left{text-anchor:end}.below{text-anchor:middle}"
           ".axis{fill:none;stroke:#333}.grid{stroke:#ccc;stroke-width:.5}"
           "polyline{fill:none;stroke:#0072b2;stroke-width:2}circle{fill:#0072b2}</style>",
           f'<rect width="{wide}" height="{high}" fill="#fff"/>',
           '<text x="20" y="20">ms of processor time a case, one thread</text>']
    for index, (what, points) in enumerate(series.items()):
        out += panel(what, points, 50 + index % 2 * (WIDTH + GAP), 60 + index // 2 * (HEIGHT + GAP), highest)
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/pictures/growth.svg"))
    options = parser.parse_args()
    series = measured(options)
    for what, points in series.items():
        print(f"{what:<11}", "  ".join(f"{value}: {ms:.1f} ms" for value, ms in points))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(drawing(series))
    return 0


if __name__ == "__main__":
    sys.exit(main())
