#!/usr/bin/env python3
"""Writes components.json: connected components of seeded random masks by SciPy and cc3d.

    .venv/bin/python tests/reference/make_components_reference.py

Run by a developer; the result is checked in. A mask is an array indexed [x, y, z]; its bits, ids and hashes are in
C order (z fastest). Ids are hashed as little-endian int32. SciPy's ids stand as SciPy gives them; cc3d's are
renumbered by their first voxel in C order, because its own order is not documented.
"""

import base64
import hashlib
import importlib.metadata
import json
import pathlib

import cc3d
import numpy as np
import scipy
from scipy import ndimage

NEIGHBOURS = {1: 6, 2: 18, 3: 26}


def digest(ids):
    return hashlib.sha256(np.ascontiguousarray(ids, dtype="<i4").tobytes()).hexdigest()


def by_first_voxel(ids):
    kept, first = np.unique(ids.ravel(), return_index=True)
    order = [label for _, label in sorted(zip(first, kept)) if label != 0]
    table = np.zeros(ids.max() + 1, dtype=np.int32)
    table[order] = np.arange(1, len(order) + 1)
    return table[ids]


def masks():
    generator = np.random.default_rng(20250102)
    for shape in ((17, 13, 11), (1, 19, 23), (31, 1, 7), (40, 5, 1)):
        for density in (0.02, 0.1, 0.25, 0.4, 0.6, 0.9):
            yield f"random {shape} density {density}", generator.random(shape) < density
    for sigma in (0.7, 1.2):
        smooth = ndimage.gaussian_filter(generator.normal(size=(32, 28, 20)), sigma)
        yield f"blobs of sigma {sigma}", smooth > 0.4 * smooth.std()
    yield "empty", np.zeros((5, 4, 3), bool)
    yield "full", np.ones((5, 4, 3), bool)
    corner = np.zeros((4, 4, 4), bool)
    corner[0, 0, 0] = corner[1, 1, 1] = corner[2, 2, 1] = corner[3, 2, 1] = True
    yield "corners, edges and faces", corner


def recorded(name, mask):
    out = {"name": name, "shape": list(mask.shape), "bits": base64.b64encode(np.packbits(mask)).decode(),
           "results": []}
    for rank, neighbours in NEIGHBOURS.items():
        ids, count = ndimage.label(mask, ndimage.generate_binary_structure(3, rank))
        other = cc3d.connected_components(mask.astype(np.uint8), connectivity=neighbours)
        out["results"].append({
            "connectivity": neighbours,
            "count": int(count),
            "scipy_ids_sha256": digest(ids),
            "cc3d_count": int(other.max()),
            "cc3d_ids_sha256": digest(by_first_voxel(other)),
            "sizes": np.bincount(ids.ravel(), minlength=count + 1)[1:].tolist()[:40],
        })
    return out


def main():
    document = {
        "tool": "scipy.ndimage.label and cc3d.connected_components",
        "version": f"scipy {scipy.__version__}, connected-components-3d {importlib.metadata.version('connected-components-3d')}",
        "command": "python tests/reference/make_components_reference.py",
        "cases": [recorded(name, mask) for name, mask in masks()],
    }
    path = pathlib.Path(__file__).with_name("components.json")
    path.write_text(json.dumps(document, indent=0) + "\n")
    print(f"{path.name}: {len(document['cases'])} cases, {path.stat().st_size} bytes")


main()
