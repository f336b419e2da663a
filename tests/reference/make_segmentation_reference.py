#!/usr/bin/env python3
"""Writes segmentations.json: DICOM segmentations by highdicom and dcmqi and contours by rt-utils, and the masks that they
were made of.

usage: PYTHON tests/reference/make_segmentation_reference.py   (Python with requirements/segmentations.txt)

Masks are lists of voxels: index x + columns * (y + rows * z) of the series, whose affine is in RAS.
"""

import base64
import importlib.metadata
import json
import pathlib
import sys
import tempfile
import zlib

import numpy as np
import pydicom

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
from segmentation_inputs import SIZE, blobs, contour_file, dcmqi_file, highdicom_file, make_series  # noqa: E402


def voxels(mask):
    return np.flatnonzero(mask.transpose(2, 1, 0)).tolist()


def affine(series):
    first, last = np.array(series[0].ImagePositionPatient, float), np.array(series[-1].ImagePositionPatient, float)
    turned = np.array(series[0].ImageOrientationPatient, float).reshape(2, 3)
    spacing = np.array(series[0].PixelSpacing, float)[::-1]
    out = np.column_stack([turned[0] * spacing[0], turned[1] * spacing[1], (last - first) / (len(series) - 1), first])
    out[:2] *= -1
    return out.tolist()


def case(name, path, names, masks, place):
    packed = base64.b64encode(zlib.compress(path.read_bytes(), 9)).decode()
    return {"name": name, "bytes": path.stat().st_size, "zlib": packed, "segments": names,
            "masks": [voxels(mask) for mask in masks], **place}


def place_of(series):
    return {"affine": affine(series), "size": list(SIZE), "frame_of_reference": series[0].FrameOfReferenceUID}


def cases(folder, series, arguments):
    place = place_of(series)
    two = blobs(70, 2)
    two[1] &= ~two[0]
    labels = two[0] + 2 * two[1].astype(np.uint8)
    for kind, syntax in (("BINARY", "1.2.840.10008.1.2.1"), ("LABELMAP", "1.2.840.10008.1.2.1"), ("LABELMAP", "1.2.840.10008.1.2.5")):
        highdicom_file(series, labels, kind, syntax).save_as(folder / "made.dcm")
        yield case(f"highdicom {kind} {syntax}", folder / "made.dcm", ["left lung", "right lung"], two, place)
    overlapping = blobs(80, 2)
    dcmqi_file(folder, overlapping)
    yield case("dcmqi", folder / "dcmqi.dcm", ["part 0", "part 1"], overlapping, place)
    square = folder / "square"
    square.mkdir()
    place = place_of(make_series(square / "series", [*arguments, "--spacing", "0.9,0.9"]))
    contour_file(square, overlapping)
    yield case("rt-utils", square / "contours.dcm", ["part 0", "part 1"], overlapping, place)


def main():
    out = []
    with tempfile.TemporaryDirectory() as made:
        oblique = ["--orientation", "0.8,0.6,0,0,0,-1", "--step=1.2,-1.6,0", "--spacing", "0.6,1.1"]
        for number, arguments in enumerate(([], oblique)):
            folder = pathlib.Path(made) / str(number)
            folder.mkdir()
            out += cases(folder, make_series(folder / "series", arguments), arguments[:3])
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("highdicom", "dcmqi", "rt-utils", "pydicom"))
    document = {"tool": versions, "command": "python tests/reference/make_segmentation_reference.py", "cases": out}
    (HERE / "segmentations.json").write_text(json.dumps(document, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
