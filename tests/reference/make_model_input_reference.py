#!/usr/bin/env python3
"""Writes model_input.json: what NumPy makes of a small volume, by the formulas of published preprocessing.

usage: make_model_input_reference.py > model_input.json

Area resizing is adaptive average pooling, as torch.nn.functional.interpolate(mode="area") is defined: voxel i of n is the
mean of input voxels floor(i * size / n) to ceil((i + 1) * size / n) - 1.
"""

import json

import numpy as np


def volume(shape):
    count = int(np.prod(shape))
    return ((np.arange(count, dtype=np.int64) * 7919 % 3001) - 1500).astype(np.float32).reshape(shape, order="F")


def area(array, shape):
    for axis, size in enumerate(shape):
        old = array.shape[axis]
        pieces = [array.take(range(i * old // size, -(-(i + 1) * old // size)), axis).mean(axis, dtype=np.float64)
                  for i in range(size)]
        array = np.stack(pieces, axis)
    return array


def main():
    raw = volume((13, 11, 9))
    clipped = np.clip(raw, -1000, 200).astype(np.float64)
    scored = (clipped - clipped.mean()) / max(clipped.std(), 1e-8)
    mask = (raw > 0).astype(np.float64)
    out = {"tool": "numpy", "version": np.__version__, "command": "tests/reference/make_model_input_reference.py",
           "shape": [13, 11, 9], "size": [6, 4, 16],
           "scored": scored.ravel(order="F")[::97].tolist(),
           "resized": area(scored, (6, 4, 16)).ravel(order="F").tolist(),
           "mask": area(mask, (6, 4, 16)).ravel(order="F").tolist()}
    print(json.dumps(out))


if __name__ == "__main__":
    main()
