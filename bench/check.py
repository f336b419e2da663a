#!/usr/bin/env python3
"""check.py CASE BIN_DIR [OPERATION...]: scores and components of a case, held against SciPy and the obvious
evaluation; for the operation "surface" its distances, held against the surface-distance package.

A process of its own: the arrays it holds would count as peak memory of every program that run.py starts.
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import pyarrow.parquet
from measurements import SURFACE_DISTANCE_PYTHON, mask_files, score_command
from obvious_score import score_case

HERE = pathlib.Path(__file__).resolve().parent


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


def number_lines(command):
    text = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout
    return [[float(word) for word in line.split()] for line in text.splitlines()]


def surface_differences(folder, places):
    """Ours beside the surface-distance package's: Hausdorff distances equal, the rest to 1e-11 (sums in another order)."""
    ours = number_lines([places["bin"] / "bench_surfaces", "values", *mask_files(folder)])
    theirs = number_lines([SURFACE_DISTANCE_PYTHON, HERE / "rivals" / "surface_distance_rival.py", *mask_files(folder),
                           "values"])
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        for j, (a, b) in enumerate(zip(mine, other, strict=True)):
            if not (a == b if j in (2, 3) else math.isclose(a, b, rel_tol=1e-11)):
                yield f"finding {i}: surface value {j} is {a!r}, the surface-distance package says {b!r}"


def row_differences(folder, places):
    """Rows and images of both files counted by Python; ROUGE of all pairs beside the package's, to the last bits of the mean."""
    command = [places["bin"] / "bench_rows", "values", folder]
    *counts, ours = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line) for line in (folder / "jsonl" / "train.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    expected = f"{len(rows)} {sum(row['image_count'] for row in rows)}"
    for found in counts:
        if found != expected:
            yield f"rows and images are {found}, Python counts {expected}"
    if SURFACE_DISTANCE_PYTHON:
        theirs = number_lines([SURFACE_DISTANCE_PYTHON, HERE / "rivals" / "rouge_score_rival.py", folder, "values"])[0]
        if not all(math.isclose(float(a), b, rel_tol=1e-12) for a, b in zip(ours.split(), theirs, strict=True)):
            yield f"ROUGE is {ours}, rouge-score says {theirs}"


def scoring_differences(folder, places):
    values, findings = our_scores(folder, places)
    sizes = our_component_sizes(folder, places)
    yield from differences(score_case(*mask_files(folder)), values, findings, sizes)


def label_differences(folder, places):
    """The labels of the command beside those that were planted in the reports."""
    output = places["scratch"] / "labels.csv"
    subprocess.run([places["bin"] / "fiducial", "curate", "labels", folder / "reports.csv", "-o", output], check=True,
                   stdout=subprocess.DEVNULL)
    found = ["".join(row[1:]) for row in csv.reader(output.open())][1:]
    planted = (folder / "truth.csv").read_text().split()
    for i, (mine, other) in enumerate(zip(found, planted, strict=True)):
        if mine != other:
            yield f"report {i}: labels {mine}, planted {other}"


def answer_differences(folder, places):
    """The share of right answers beside the one that counting letters gives."""
    output = places["scratch"] / "answers"
    subprocess.run([places["bin"] / "fiducial", "score", folder, folder / "answers.jsonl", "-o", output, "--no-report"],
                   check=True, stdout=subprocess.DEVNULL)
    keys = [json.loads(line)["correct_answer"] for line in open(folder / "test.jsonl")]
    given = [json.loads(line)["prediction"][-1] for line in open(folder / "answers.jsonl")]
    expected = sum(key == letter for key, letter in zip(keys, given, strict=True)) / len(keys)
    found = json.loads((output / "summary.json").read_text())["metrics"]["accuracy"]["value"]
    if found != expected:
        yield f"accuracy is {found}, counting says {expected}"


def main():
    folder, operations = pathlib.Path(sys.argv[1]), set(sys.argv[3:])
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        places = {"bin": pathlib.Path(sys.argv[2]), "scratch": pathlib.Path(scratch)}
        if operations == {"labels"}:
            wrong += label_differences(folder, places)
            print("checked: labels of all reports against those that were planted", flush=True)
        elif operations == {"answers"}:
            wrong += answer_differences(folder, places)
            print("checked: accuracy against counting", flush=True)
        elif operations == {"images"}:
            print("not checked: the same program on one and on two threads", flush=True)
        elif operations & {"jsonl", "parquet", "rouge", "texts"}:
            wrong += row_differences(folder, places)
            print("checked: rows, images and ROUGE against Python's json and rouge-score", flush=True)
        elif operations & {"organs", "slice"}:
            pass  # bench_masks make has held both ways of reading against each other
        elif operations != {"surface"}:
            wrong += scoring_differences(folder, places)
            print("checked: Dice, TP, FP, FN and components of all findings against the obvious evaluation", flush=True)
        if SURFACE_DISTANCE_PYTHON and "surface" in operations:
            wrong += surface_differences(folder, places)
            print("checked: surface values of all findings against the surface-distance package", flush=True)
    if wrong:
        sys.exit("bench: wrong result, nothing is timed\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
