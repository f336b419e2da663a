#!/usr/bin/env python3
"""check.py CASE BIN_DIR: the scores and components of a case, held against SciPy and the obvious evaluation.

A process of its own: the arrays it holds would count as peak memory of every program that run.py starts.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import pyarrow.parquet
from measurements import mask_files, score_command
from obvious_score import score_case


def our_scores(folder, places):
    """Scores of each finding by metric id, and what rexrank.json says of it."""
    subprocess.run([str(word) for word in score_command(folder, places, 1)], check=True, stdout=subprocess.DEVNULL)
    output = places["scratch"] / "scores"
    rows = pyarrow.parquet.read_table(output / "rows.parquet").to_pylist()
    findings = json.loads((output / "rexrank.json").read_text())["cases"][0]["findings"]
    count = 1 + max(row["finding"] for row in rows)
    values = [{row["metric"]: row["value"] for row in rows if row["finding"] == i} for i in range(count)]
    return values, [findings[f"finding_{i}"] for i in range(count)]


def our_component_sizes(folder, places):
    lines = subprocess.run([places["bin"] / "bench_stages", "sizes", *mask_files(folder)], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return [[int(word) for word in line.split()] for line in lines]


def differences(expected, values, findings, sizes):
    for i, want in enumerate(expected):
        found = {"dice": values[i]["dice"], "dice_filtered": values[i]["dice_rexrank_filtered"],
                 "tp": findings[i]["tp"], "fp": findings[i]["fp"], "fn": findings[i]["fn"],
                 "component_sizes": sizes[i]}
        for key, value in found.items():
            if value != want[key]:
                yield f"finding {i}: {key} is {value}, the obvious evaluation says {want[key]}"


def main():
    folder = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        places = {"bin": pathlib.Path(sys.argv[2]), "scratch": pathlib.Path(scratch)}
        values, findings = our_scores(folder, places)
        sizes = our_component_sizes(folder, places)
    wrong = list(differences(score_case(*mask_files(folder)), values, findings, sizes))
    if wrong:
        sys.exit("bench: wrong result, nothing is timed\n" + "\n".join(wrong))
    print(f"checked: Dice, TP, FP, FN and components of {len(sizes)} findings equal the obvious evaluation", flush=True)


if __name__ == "__main__":
    main()
