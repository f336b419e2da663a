#!/usr/bin/env python3
"""Writes volume_formats.json: NRRD and MetaImage files as pynrrd and SimpleITK write them, and what SimpleITK
reads from each.

usage: PYTHON tests/reference/make_volume_format_reference.py   (Python with requirements/segmentations.txt)
"""

import base64
import hashlib
import json
import pathlib
import tempfile

import nrrd
import numpy as np
import SimpleITK as sitk

HERE = pathlib.Path(__file__).resolve().parent
TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"]
SPACES = ["left-posterior-superior", "right-anterior-superior", "left-anterior-superior"]
SIZE = (4, 3, 2)


def values(dtype, seed):
    low = -50 if np.dtype(dtype).kind in "if" else 0
    made = np.random.default_rng(seed).integers(low, 100, SIZE)
    return (made / (4 if np.dtype(dtype).kind == "f" else 1)).astype(dtype)


def directions(seed):
    turned, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return np.round(turned, 12) * np.array([[0.7], [0.8], [2.5]]), np.array([-11.25, 7.5, 300.125])


def affine_in_ras(image):
    matrix = np.array(image.GetDirection()).reshape(3, 3) * np.array(image.GetSpacing())
    out = np.hstack([matrix, np.array(image.GetOrigin())[:, None]])
    out[:2] *= -1
    return out.tolist()


def case(name, path):
    image = sitk.ReadImage(str(path))
    array = sitk.GetArrayFromImage(image).astype("<f8")
    return {"name": name, "file": base64.b64encode(path.read_bytes()).decode(), "shape": list(image.GetSize()),
            "channels": image.GetNumberOfComponentsPerPixel(), "affine": affine_in_ras(image),
            "sha256": hashlib.sha256(array.tobytes()).hexdigest()}


def by_pynrrd(folder):
    for index, dtype in enumerate(TYPES):
        for encoding, endian in (("gzip", "little"), ("raw", "big")):
            steps, origin = directions(index)
            path = folder / "case.nrrd"
            nrrd.write(str(path), values(dtype, index), {
                "space": SPACES[index % 3], "space directions": steps, "space origin": origin, "encoding": encoding,
                "endian": endian, "kinds": ["domain"] * 3, "space units": ["mm"] * 3})
            yield case(f"pynrrd {dtype} {encoding} {endian} {SPACES[index % 3]}", path)
    steps, origin = directions(40)
    channels = np.stack([values("uint8", seed) for seed in range(3)])
    path = folder / "case.seg.nrrd"
    nrrd.write(str(path), channels, {
        "space": SPACES[0], "space directions": np.vstack([[np.nan] * 3, steps]), "space origin": origin,
        "kinds": ["list"] + ["domain"] * 3, "encoding": "gzip"})
    yield case("pynrrd channels first", path)


def by_simpleitk(folder):
    for index, dtype in enumerate(TYPES):
        for ending, compressed in ((".nrrd", True), (".mha", False), (".mha", True)):
            image = sitk.GetImageFromArray(values(dtype, index + 20).transpose(2, 1, 0))
            steps, origin = directions(index + 20)
            spacing = np.linalg.norm(steps, axis=1)
            image.SetDirection((steps / spacing[:, None]).T.ravel().tolist())
            image.SetSpacing(spacing.tolist())
            image.SetOrigin(origin.tolist())
            path = folder / ("case" + ending)
            sitk.WriteImage(image, str(path), useCompression=compressed)
            yield case(f"SimpleITK {dtype} {ending} {'compressed' if compressed else 'raw'}", path)
    vectors = sitk.GetImageFromArray(np.stack([values("int16", seed).transpose(2, 1, 0) for seed in range(3)], -1), isVector=True)
    path = folder / "case.mha"
    sitk.WriteImage(vectors, str(path), useCompression=True)
    yield case("SimpleITK channels of .mha", path)


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        cases = [*by_pynrrd(folder), *by_simpleitk(folder)]
    document = {"tool": f"SimpleITK {sitk.Version_VersionString()}, pynrrd {nrrd.__version__}, numpy {np.__version__}",
                "command": "python tests/reference/make_volume_format_reference.py", "cases": cases}
    (HERE / "volume_formats.json").write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
