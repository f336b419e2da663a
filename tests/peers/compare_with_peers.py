#!/usr/bin/env python3
"""Compares `fiducial metric mask --json` and the rows of `fiducial score` with what the surface-distance package
and panoptica compute now, on seeded random masks with anisotropic spacing: Hausdorff distances of surfels to the
last bit, everything else to 1e-12 (relative above 1).

usage: compare_with_peers.py FIDUCIAL PEERS_PYTHON [SEEDS]
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import nibabel
import numpy
import pyarrow.parquet
from scipy import ndimage

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "reference"))

import make_surface_reference as reference_maker  # noqa: E402

EXACT = ("hd95_surfel_directed_max", "hd_surfel")
SKIPPED = 77


def random_pair(random):
    """Labelled blobs, moved and spoilt for the prediction; some reach the border of the image."""
    shape = tuple(int(n) for n in random.integers(9, 34, size=3))
    smooth = ndimage.gaussian_filter(random.normal(size=shape), random.uniform(0.8, 2.5))
    mask = smooth > random.uniform(0.3, 1.2) * smooth.std()
    moved = numpy.roll(mask, random.integers(-2, 3, size=3), axis=(0, 1, 2))
    prediction = moved ^ (random.random(shape) < random.choice([0, 0.005, 0.03]))
    return reference_maker.instances(mask, ndimage), reference_maker.instances(prediction, ndimage)


def random_cases(seeds):
    cases = []
    for seed in range(seeds):
        random = numpy.random.default_rng([seed, 20260801])
        reference, prediction = random_pair(random)
        if not reference.any() or not prediction.any():
            continue  # peers and we say in different ways that there is no distance
        cases.append({"name": f"train_{seed}_a_1.nii.gz", "shape": list(reference.shape),
                      "spacing_mm": [float(numpy.float32(s)) for s in random.uniform(0.4, 3.5, size=3)],
                      "tolerance_mm": float(random.choice([0.5, 1.0, 2.0, 3.0])),
                      "reference": reference_maker.stored(reference),
                      "prediction": reference_maker.stored(prediction)})
    return cases


def masks_of(case):
    return reference_maker.loaded(case, "reference"), reference_maker.loaded(case, "prediction")


def save(path, voxels, spacing_mm=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    affine = numpy.eye(4) if spacing_mm is None else numpy.diag([*spacing_mm, 1.0])
    nibabel.save(nibabel.Nifti1Image(voxels, affine), path)


def metric_mask(fiducial, case, folder):
    """Every strict value of the pair, by metric."""
    for name, mask in zip(("a.nii.gz", "b.nii.gz"), masks_of(case)):
        save(folder / name, mask, case["spacing_mm"])
    text = subprocess.run([fiducial, "metric", "mask", "--reference", folder / "a.nii.gz", "--prediction",
                           folder / "b.nii.gz", "--tolerance-mm", str(case["tolerance_mm"]), "--json"],
                          check=True, capture_output=True, text=True).stdout
    scores = json.loads(text)["findings"][0]["scores"]
    return {metric: score["value"] for metric, score in scores.items()}


def score_rows(fiducial, cases, folder):
    """Every strict value of every case of one tolerance, by case and metric."""
    entries = []
    for case in cases:
        reference, prediction = masks_of(case)
        save(folder / "data/segmentations" / case["name"], reference[None])
        save(folder / "predictions" / case["name"], prediction[None])
        save(folder / "volumes" / case["name"], numpy.zeros(case["shape"], numpy.int16), case["spacing_mm"])
        entries.append({"name": case["name"], "findings": {"0": "a finding"}})
    (folder / "data/dataset.json").write_text(json.dumps({"test": entries}))
    subprocess.run([fiducial, "score", folder / "data", folder / "predictions", "-o", folder / "out", "--volumes",
                    folder / "volumes", "--metrics", "surface,panoptic", "--tolerance-mm",
                    str(cases[0]["tolerance_mm"])], check=True, capture_output=True)
    table = pyarrow.parquet.read_table(folder / "out/rows.parquet").to_pylist()
    found = {case["name"]: {} for case in cases}
    for row in table:
        if row["scorer"] == "strict":
            found[row["case"]][row["metric"]] = row["value"]
    return found


def plain(metric):
    """The id without the parameters that the options changed."""
    return metric.split("_tol")[0]


def differences(case, ours, where):
    compared, out = 0, []
    ours = {plain(metric): value for metric, value in ours.items()}
    for tool in ("surface-distance", "panoptica"):
        for metric, theirs in case[tool].items():
            if metric not in ours:
                out.append(f"{where} {case['name']}: no {metric}")
                continue
            mine = ours[metric]
            if mine is None:
                # Without a match panoptica's segmentation quality is 0 and ours is undefined.
                if metric == "sq_greedy_iou50" and theirs in (0, None):
                    continue
                out.append(f"{where} {case['name']}: {metric} is undefined, {tool} gives {theirs!r}")
                continue
            compared += 1
            allowed = 0 if metric in EXACT else 1e-12 * max(1, abs(theirs))
            if abs(mine - theirs) > allowed:
                out.append(f"{where} {case['name']}: {metric} is {mine!r}, {tool} gives {theirs!r}")
    return compared, out


def main():
    fiducial, peers = sys.argv[1:3]
    if not pathlib.Path(peers).exists():
        print(f"skipped: no {peers}; ./dev test --full installs it")
        return SKIPPED
    cases = random_cases(int(sys.argv[3]) if len(sys.argv) > 3 else 60)
    answer = subprocess.run([peers, HERE / "peer_values.py"], input=json.dumps({"cases": cases}), check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    cases = json.loads(answer)["cases"]
    compared, found = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        rows = {}
        for tolerance in sorted({case["tolerance_mm"] for case in cases}):
            alike = [case for case in cases if case["tolerance_mm"] == tolerance]
            rows.update(score_rows(fiducial, alike, scratch / str(tolerance)))
        for case in cases:
            for where, ours in (("metric mask", metric_mask(fiducial, case, scratch)), ("score", rows[case["name"]])):
                count, different = differences(case, ours, where)
                compared += count
                found += different
    print("\n".join(found))
    print(f"{len(cases)} pairs, {compared} values compared, {len(found)} differ")
    return 1 if found or compared < 20 * len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
