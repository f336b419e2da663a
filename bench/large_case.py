#!/usr/bin/env python3
"""Writes a dataset with one CT of 512 x 512 x 300 voxels and 8 findings, and a prediction, enlarged from the demo.

usage: large_case.py DEMO OUT
"""

import json
import pathlib
import sys

import nibabel
import numpy

NAME = "train_79_a_1.nii.gz"
SHAPE = (512, 512, 300)


def enlarged(values):
    """Nearest neighbours along the last three axes."""
    for axis, size in zip((-3, -2, -1), SHAPE):
        values = numpy.take(values, numpy.arange(size) * values.shape[axis] // size, axis)
    return values


def main():
    demo, out = (pathlib.Path(word) for word in sys.argv[1:])
    source = next((demo / "rexgroundingct/volumes").rglob(NAME))
    ct = nibabel.load(source)
    noise = numpy.random.default_rng(7).normal(0, 12, SHAPE).astype(numpy.float32)
    voxels = (enlarged(numpy.asarray(ct.dataobj)) + noise).round().astype(numpy.int16)
    spacing = numpy.array(ct.shape) / numpy.array(SHAPE)
    for folder in ("volumes", "segmentations"):
        (out / "dataset" / folder).mkdir(parents=True, exist_ok=True)
    (out / "predictions").mkdir(parents=True, exist_ok=True)
    nibabel.save(nibabel.Nifti1Image(voxels, ct.affine @ numpy.diag([*spacing, 1])), out / "dataset/volumes" / NAME)

    five = enlarged(numpy.asarray(nibabel.load(demo / "rexgroundingct/segmentations" / NAME).dataobj))
    masks = numpy.concatenate([five, numpy.roll(five[:3], 24, -1)])  # eight, some overlapping
    plain = numpy.eye(4)
    nibabel.save(nibabel.Nifti1Image(masks, plain), out / "dataset/segmentations" / NAME)
    nibabel.save(nibabel.Nifti1Image((numpy.roll(masks, 6, 1) > 0).astype(numpy.uint8), plain), out / "predictions" / NAME)

    splits = json.loads((demo / "rexgroundingct/dataset.json").read_text())
    case = next(one for split in splits.values() for one in split if one["name"] == NAME)
    texts = [case["findings"][str(i % 5)] for i in range(8)]
    entry = {"name": NAME, "findings": {str(i): text for i, text in enumerate(texts)}, "shape": list(SHAPE),
             "entity_counts": {str(i): int(masks[i].max()) for i in range(8)},
             "pixels": {str(i): int((masks[i] > 0).sum()) for i in range(8)},
             "categories": {str(i): case["categories"][str(i % 5)] for i in range(8)}, "protocol": case["protocol"]}
    (out / "dataset/dataset.json").write_text(json.dumps({"train": [], "val": [], "test": [entry]}))


if __name__ == "__main__":
    main()
