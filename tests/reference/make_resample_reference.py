#!/usr/bin/env python3
"""Writes resample.json: what SimpleITK makes of a small volume on other grids.

usage: make_resample_reference.py > resample.json
"""

import json
import math

import numpy as np
import SimpleITK as sitk

SHAPE = (13, 11, 9)
SOURCE = [[-0.75, 0, 0, 40], [0, -0.8, 0, 35], [0, 0, 1.5, -100]]


def turned(degrees, spacing, origin):
    """A grid turned about z, then about x."""
    a, b = math.radians(degrees), math.radians(degrees / 2)
    z = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    x = np.array([[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]])
    return np.column_stack([z @ x @ np.diag(spacing), origin]).tolist()


TARGETS = {
    "finer": ((15, 11, 13), [[-0.41, 0, 0, 40.1], [0, -0.53, 0, 35.2], [0, 0, 0.67, -100.3]]),
    "ras_1x1x3": ((10, 8, 5), [[1, 0, 0, 31.03], [0, 1, 0, 27.02], [0, 0, 3, -100.01]]),
    "pir": ((11, 9, 13), [[0, 0, 0.75, 31.01], [-0.8, 0, 0, 35.03], [0, -1.5, 0, -88.02]]),
    "sal_shifted": ((12, 14, 10), [[0, 0, -0.71, 44.02], [0, 0.93, 0, 25.01], [1.31, 0, 0, -103.03]]),
    "halves": ((6, 5, 4), [[-1.5, 0, 0, 39.625], [0, -1.6, 0, 34.7], [0, 0, 3, -99.25]]),
    "oblique": ((12, 10, 11), turned(17, (0.9, 0.7, 1.2), (30.5, 26.1, -101.2))),
}


def volume(shape):
    count = int(np.prod(shape))
    return ((np.arange(count, dtype=np.int64) * 7919 % 3001) - 1500).astype(np.int16).reshape(shape, order="F")


def placed(image, affine):
    """Gives an image the place that a NIfTI affine says; SimpleITK's world is LPS."""
    matrix = np.array(affine, dtype=float)
    matrix[:2] *= -1
    spacing = np.linalg.norm(matrix[:, :3], axis=0)
    image.SetSpacing(spacing.tolist())
    image.SetOrigin(matrix[:, 3].tolist())
    image.SetDirection((matrix[:, :3] / spacing).ravel().tolist())
    return image


def main():
    source = placed(sitk.GetImageFromArray(volume(SHAPE).transpose()), SOURCE)
    cases = []
    for name, (shape, affine) in TARGETS.items():
        grid = placed(sitk.Image(list(shape), sitk.sitkUInt8), affine)
        case = {"name": name, "shape": shape, "affine": affine}
        for key, how in (("nearest", sitk.sitkNearestNeighbor), ("linear", sitk.sitkLinear)):
            made = sitk.Resample(source, grid, sitk.Transform(), how, -2000, sitk.sitkFloat32)
            case[key] = [int(value) if key == "nearest" else round(float(value), 3) for value in sitk.GetArrayFromImage(made).ravel()]
        cases.append(case)
    print(json.dumps({"tool": "SimpleITK", "version": sitk.Version_VersionString(),
                      "command": "tests/reference/make_resample_reference.py", "shape": SHAPE, "affine": SOURCE,
                      "outside": -2000, "cases": cases}, separators=(",", ":")))


if __name__ == "__main__":
    main()
