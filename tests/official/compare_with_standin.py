#!/usr/bin/env python3
"""Scores seeded adversarial datasets with `fiducial score --mode official` and with standin_scorer.py and
compares every value of the two files: counts and per-finding scores exactly, means to 1e-12.

usage: compare_with_standin.py FIDUCIAL [SEEDS]
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

import nibabel
import numpy

HERE = pathlib.Path(__file__).resolve().parent
MEANS = ("mean", "overall", "hit_rate", "instance_")


def blob(random, shape, low, high):
    """A ball or box of random size and place."""
    centre = [random.integers(0, n) for n in shape]
    radius = random.integers(low, high + 1)
    axes = numpy.ogrid[tuple(slice(0, n) for n in shape)]
    distance = [numpy.abs(a - c) for a, c in zip(axes, centre)]
    if random.random() < 0.5:
        return sum(d * d for d in distance) <= radius * radius
    return numpy.maximum(numpy.maximum(distance[0], distance[1]), distance[2]) <= radius // 2


def reference_channel(random, shape, kind):
    channel = numpy.zeros(shape, numpy.uint8)
    if kind == 0:
        return channel
    ids = random.choice(numpy.arange(1, 256), size=random.integers(1, 8), replace=False)
    for value in ids:
        channel[blob(random, shape, 1, 5)] = value
    return channel


def predicted_channel(random, reference, kind):
    shape = reference.shape
    if kind == 0:
        return numpy.zeros(shape, numpy.uint8)
    if kind == 1:
        return (random.random(shape) < random.choice([0.02, 0.1, 0.3, 0.6])).astype(numpy.uint8)
    if kind == 2:  # more components than the cap, many of equal size
        channel = numpy.zeros(shape, numpy.uint8)
        for x in range(0, shape[0] - 3, 4):
            for y in range(0, shape[1] - 3, 4):
                size = random.choice([2, 3])
                channel[x : x + size, y : y + size, 2 : 2 + 3] = 1
        return channel
    shifted = numpy.roll(reference, random.integers(-2, 3, size=3), axis=(0, 1, 2))
    noise = random.random(shape) < 0.01
    return ((shifted > 0) ^ noise).astype(numpy.uint8)


def write(path, array):
    nibabel.save(nibabel.Nifti1Image(array, numpy.eye(4)), path)


def make_dataset(folder, seed):
    random = numpy.random.default_rng(seed)
    (folder / "segmentations").mkdir(parents=True)
    (folder / "predictions").mkdir()
    entries = []
    for index in range(4):
        name = f"train_{seed}{index}_a_1.nii.gz"
        shape = tuple(int(n) for n in random.integers(9, 30, size=3))
        findings = int(random.integers(1, 5))
        reference = numpy.stack([reference_channel(random, shape, random.integers(0, 6)) for _ in range(findings)])
        prediction = numpy.stack([predicted_channel(random, r, random.integers(0, 6)) for r in reference])
        types = (numpy.uint8, numpy.int16, numpy.float32, numpy.int32)
        dtype = types[index % len(types)]
        if dtype is numpy.float32:
            prediction = prediction.astype(dtype) * 1.5
        write(folder / "segmentations" / name, reference)
        entries.append({"seg_path": name})
        if not (seed % 3 == 0 and index == 3):
            write(folder / "predictions" / name, prediction.astype(dtype))
    (folder / "dataset.json").write_text(json.dumps({"test": entries}))


def differences(ours, theirs, place=""):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            if key not in ours or key not in theirs:
                yield f"{place}/{key}: only in {'theirs' if key in theirs else 'ours'}"
            else:
                yield from differences(ours[key], theirs[key], f"{place}/{key}")
    elif isinstance(theirs, list) and isinstance(ours, list):
        if len(ours) != len(theirs):
            yield f"{place}: {len(ours)} items against {len(theirs)}"
        for index, (a, b) in enumerate(zip(ours, theirs)):
            yield from differences(a, b, f"{place}/{index}")
    elif isinstance(theirs, float) and place.rsplit("/", 1)[-1].startswith(MEANS):
        if not math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=0):
            yield f"{place}: {ours!r} against {theirs!r}"
    elif ours != theirs:
        yield f"{place}: {ours!r} against {theirs!r}"


def compare(fiducial, folder, extra):
    ours = folder / "scores"
    scorer_words = [word.replace("--global-only", "--global_only").replace("--min-size", "--min_size")
                    .replace("--connectivity", "--cc_connectivity") for word in extra]
    subprocess.run([fiducial, "score", folder, folder / "predictions", "-o", ours, "--mode", "official",
                    "--overwrite", "--max-failures", "100%", *extra], check=True, capture_output=True)
    subprocess.run([sys.executable, HERE / "standin_scorer.py", "--gt_dir", folder / "segmentations", "--pred_dir",
                    folder / "predictions", "--output_json", folder / "theirs.json", "--dataset_json",
                    folder / "dataset.json", *scorer_words], check=True)
    return list(differences(json.loads((ours / "rexrank.json").read_text()),
                            json.loads((folder / "theirs.json").read_text())))


def main():
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    variants = [[], ["--global-only"], ["--min-size", "3", "--connectivity", "1"], ["--connectivity", "3"]]
    failures = 0
    compared = 0
    for seed in range(1, seeds + 1):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make_dataset(folder, seed)
            for extra in variants:
                found = compare(fiducial, folder, extra)
                compared += 1
                failures += bool(found)
                for line in found[:10]:
                    print(f"seed {seed} {' '.join(extra)}: {line}")
    print(f"{compared - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
