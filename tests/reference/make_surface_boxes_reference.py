#!/usr/bin/env python3
"""Writes surface_boxes.json: the situations that the surface-distance package tests itself by, as boxes.

    .venv-peers/bin/python tests/reference/make_surface_boxes_reference.py

Two voxels two steps apart, slabs and squares of which one reaches a voxel further, and empty masks on either side
or both; those that the package has in the plane stand here as one slice. A box is low corner and size, [x, y, z].
NaN and infinity, the package's words for a distance that does not exist, are null. Run by a developer; the result
is checked in.
"""

import importlib.metadata
import json
import math
import pathlib
import warnings

import numpy as np
import surface_distance as peer

TARGET = pathlib.Path(__file__).with_name("surface_boxes.json")
VOXEL = [1, 1, 1]
CASES = [
    ("two voxels two steps apart", [128, 128, 128], [3, 2, 1], [[[50, 60, 70], VOXEL]], [[[50, 60, 72], VOXEL]]),
    ("slabs, one a voxel thicker", [100, 100, 100], [2, 1, 1], [[[0, 0, 0], [50, 100, 100]]], [[[0, 0, 0], [51, 100, 100]]]),
    ("empty prediction", [128, 128, 128], [3, 2, 1], [[[50, 60, 70], VOXEL]], []),
    ("empty reference", [128, 128, 128], [3, 2, 1], [], [[[50, 60, 72], VOXEL]]),
    ("both empty", [128, 128, 128], [3, 2, 1], [], []),
    ("two pixels two steps apart", [128, 128, 1], [2, 1, 1], [[[50, 70, 0], VOXEL]], [[[50, 72, 0], VOXEL]]),
    ("squares, one a pixel longer", [6, 6, 1], [2, 1, 1], [[[1, 1, 0], [2, 2, 1]]], [[[1, 1, 0], [3, 2, 1]]]),
    ("empty prediction of one slice", [128, 128, 1], [3, 2, 1], [[[50, 60, 0], VOXEL]], []),
    ("empty reference of one slice", [128, 128, 1], [3, 2, 1], [], [[[50, 60, 0], VOXEL]]),
]


def drawn(shape, boxes):
    out = np.zeros(shape, bool)
    for low, size in boxes:
        out[tuple(slice(a, a + n) for a, n in zip(low, size))] = True
    return out


def number(value):
    return float(value) if math.isfinite(value) else None


def values(reference, prediction, spacing):
    found = peer.compute_surface_distances(reference, prediction, spacing)
    means = peer.compute_average_surface_distance(found)
    return {"nsd_surfel": number(peer.compute_surface_dice_at_tolerance(found, 1)),
            "hd95_surfel_directed_max": number(peer.compute_robust_hausdorff(found, 95)),
            "hd_surfel": number(peer.compute_robust_hausdorff(found, 100)),
            "asd_surfel_directed_reference_to_prediction": number(means[0]),
            "asd_surfel_directed_prediction_to_reference": number(means[1]),
            "dice": number(peer.compute_dice_coefficient(reference, prediction))}


def main():
    warnings.simplefilter("ignore")
    tool = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("surface-distance", "numpy", "scipy"))
    cases = []
    for name, shape, spacing, reference, prediction in CASES:
        cases.append({"name": name, "shape": shape, "spacing_mm": spacing, "reference": reference,
                      "prediction": prediction,
                      "values": values(drawn(shape, reference), drawn(shape, prediction), spacing)})
    document = {"tool": tool, "command": "python tests/reference/make_surface_boxes_reference.py", "cases": cases}
    TARGET.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
