#!/usr/bin/env python3
"""Writes dicom.json: what pydicom (values) and SimpleITK (geometry) read from DICOM series.

    python -m venv peers && peers/bin/pip install pydicom==3.0.2 SimpleITK==2.5.6 pylibjpeg-openjpeg numpy
    FIDUCIAL_DATA_PACK=... peers/bin/python tests/reference/make_dicom_reference.py

Run by a developer; the result is checked in. Synthetic series are written by tests/fixtures (gdcmconv compresses them);
the one real series is read from the data pack, of which only numbers are kept. Each case has the shape, the affine in
RAS+ and the SHA-256 of the values as little-endian float64, first axis fastest. Slices are sorted along their normal.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import numpy as np
import pydicom
import SimpleITK

TESTS = pathlib.Path(__file__).resolve().parent.parent
PACKED = "nifti/totalsegmentator/example_ct_dicom.tar.gz"
SYNTHETIC = {
    "explicit": [],
    "jpeg 2000": ["--compress", "j2k", "--size", "33,21", "--slices", "7"],
    "signed": ["--signed", "--bits", "16", "--intercept", "0"],
    "slopes": ["--slope", "1,0.5,2.25", "--intercept=-1024,0,-100"],
    "oblique": ["--orientation", "0.8,0.6,0,0,0,-1", "--step=1.2,-1.6,0", "--spacing", "0.6,1.1"],
    "descending": ["--step", "0,0,-1.25", "--origin=-11.5,22.25,-333.125"],
    "big endian": ["--syntax", "big"],
}


def sorted_files(folder):
    files = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            header = pydicom.dcmread(path, stop_before_pixels=True)
            across, down = np.array(header.ImageOrientationPatient, float).reshape(2, 3)
            files[float(np.dot(np.cross(across, down), np.array(header.ImagePositionPatient, float)))] = str(path)
    return [files[height] for height in sorted(files)]


def values(files):
    slices = []
    for path in files:
        image = pydicom.dcmread(path)
        slices.append(image.pixel_array.astype(float) * float(image.RescaleSlope) + float(image.RescaleIntercept))
    return np.stack(slices, axis=-1).transpose(1, 0, 2)


def affine(files):
    reader = SimpleITK.ImageSeriesReader()
    reader.SetFileNames(files)
    image = reader.Execute()
    out = np.eye(4)
    out[:3, :3] = np.array(image.GetDirection()).reshape(3, 3) @ np.diag(image.GetSpacing())
    out[:3, 3] = image.GetOrigin()
    return np.diag([-1, -1, 1, 1]) @ out


def case(name, folder, **more):
    files = sorted_files(folder)
    found = values(files)
    digest = hashlib.sha256(found.astype("<f8").tobytes(order="F")).hexdigest()
    return {"name": name, **more, "shape": list(found.shape), "affine": affine(files)[:3].tolist(), "sha256": digest,
            "least": found.min(), "greatest": found.max()}


def main():
    cases = []
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    with tempfile.TemporaryDirectory() as work:
        for name, options in SYNTHETIC.items():
            folder = os.path.join(work, name)
            subprocess.run([sys.executable, "-m", "fixtures", "dicom", folder, *options], check=True, env=environment)
            cases.append(case(name, folder, options=options))
        with tarfile.open(os.path.join(os.environ["FIDUCIAL_DATA_PACK"], PACKED)) as archive:
            archive.extractall(os.path.join(work, "real"), filter="data")
        cases.append(case("data pack", os.path.join(work, "real"), file=PACKED))
    document = {"tool": "pydicom, SimpleITK", "version": f"{pydicom.__version__}, {SimpleITK.__version__}",
                "command": "python tests/reference/make_dicom_reference.py", "cases": cases}
    (TESTS / "reference" / "dicom.json").write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
