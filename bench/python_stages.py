"""python_stages.py STAGE PACKAGE CASE: one thing that users of the Python package wait for.

    volume   the voxels of a CT (ct_volume.py), read from nii.gz
    arrays   Dice of every finding, from arrays in C order
    iterate  every name and sentence of 1,000 cases
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [sys.argv[2], str(HERE / "rivals")]

import fiducial  # noqa: E402
from ct_volume import ct_volume  # noqa: E402
from repetitions import answer_repetitions, load_channels  # noqa: E402


def volume(case):
    path = ct_volume(case)
    return lambda: fiducial.Volume(path).hu


def arrays(case):
    pair = [load_channels(case / part / "train_1_a_1.nii.gz") for part in ("segmentations", "predictions")]
    pairs = [(a > 0, b > 0) for a, b in zip(*pair)]
    for a, b in pairs:
        assert fiducial.metrics.dice(a, b) == 2 * int((a & b).sum()) / (int(a.sum()) + int(b.sum()))
    return lambda: [fiducial.metrics.dice(a, b) for a, b in pairs]


def iterate(case):
    folder = case / "thousand"
    folder.mkdir(exist_ok=True)
    entries = [{"name": f"train_{i}_a_1.nii.gz", "findings": {str(k): f"Finding {k} of scan {i}." for k in range(3)},
                "categories": {str(k): "2d" for k in range(3)}} for i in range(1000)]
    (folder / "dataset.json").write_text(json.dumps({"train": entries}))
    dataset = fiducial.open(folder)

    def work():
        texts = [finding.text for one in dataset for finding in one.findings]
        assert len(texts) == 3000 and [one.name for one in dataset][999] == "train_999_a_1"

    return work


answer_repetitions({"volume": volume, "arrays": arrays, "iterate": iterate}[sys.argv[1]](pathlib.Path(sys.argv[3])))
