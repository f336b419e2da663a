#!/usr/bin/env python3
"""Writes nifti.json: small NIfTI files and what nibabel reads from them.

    .venv/bin/python tests/reference/make_nifti_reference.py

Run by a developer; the result is checked in. Each case holds the file (gzip, base64), the affine, the axis codes,
the shape and the SHA-256 of the scaled voxels as little-endian float64, first axis fastest.
"""

import base64
import gzip
import hashlib
import io
import itertools
import json
import logging
import pathlib

import nibabel
import numpy as np

logging.disable(logging.CRITICAL)
TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"]
CLASSES = {1: nibabel.Nifti1Image, 2: nibabel.Nifti2Image}
HEADERS = {1: nibabel.Nifti1Header, 2: nibabel.Nifti2Header}


def random_voxels(generator, shape, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return generator.normal(0, 100, shape).astype(dtype)
    limits = np.iinfo(dtype)
    low, high = max(limits.min, -(2**52)), min(limits.max, 2**52)  # exact as float64
    return generator.integers(low, high, shape, dtype=np.int64 if low < 0 else np.uint64, endpoint=True).astype(dtype)


def random_affine(generator, oblique):
    rotation, _ = np.linalg.qr(generator.normal(size=(3, 3)))
    if not oblique:
        rotation = np.eye(3)[generator.permutation(3)] * generator.choice([-1, 1], 3)
    affine = np.eye(4)
    affine[:3, :3] = rotation * generator.uniform(0.4, 5, 3)
    affine[:3, 3] = generator.uniform(-300, 300, 3)
    return affine


def file_bytes(voxels, *, version=1, big_endian=False, sform=None, qform=None, slope=None, intercept=0, change=None):
    header = HEADERS[version](endianness=">" if big_endian else "<")
    header.set_data_dtype(voxels.dtype.newbyteorder(">" if big_endian else "<"))
    header.set_data_shape(voxels.shape)
    header["pixdim"][1:4] = (0.7, 0.8, 2.5)
    if qform is not None:
        header.set_qform(qform, 1, strip_shears=True)
    if sform is not None:
        header.set_sform(sform, 2)
    header["magic"] = b"n+1" if version == 1 else b"n+2"
    header["vox_offset"] = 352 if version == 1 else 544
    header["scl_slope"], header["scl_inter"] = (np.nan, np.nan) if slope is None else (slope, intercept)
    if change:
        change(header)
    stored = voxels.astype(header.get_data_dtype()).tobytes(order="F")
    return header.binaryblock + bytes(4) + stored


def recorded(name, raw, version):
    image = CLASSES[version].from_file_map({"image": nibabel.FileHolder(fileobj=io.BytesIO(raw))})
    values = image.get_fdata(dtype=np.float64)
    return {
        "name": name,
        "shape": list(image.shape),
        "affine": image.affine[:3].tolist(),
        "axcodes": "".join(nibabel.aff2axcodes(image.affine)),
        "sha256": hashlib.sha256(values.astype("<f8").tobytes(order="F")).hexdigest(),
        "file": base64.b64encode(gzip.compress(raw, 9, mtime=0)).decode(),
    }


def set_field(name, value, index=None):
    def change(header):
        if index is None:
            header[name] = value
        else:
            header[name][index] = value
    return change


def recipes(generator):
    for dtype, version, big in itertools.product(TYPES, (1, 2), (False, True)):
        voxels = random_voxels(generator, (3, 4, 2), dtype)
        yield (f"{dtype}, version {version}, {'big' if big else 'little'} endian", voxels,
               {"version": version, "big_endian": big, "sform": random_affine(generator, False)})
    for dtype in TYPES:
        voxels = random_voxels(generator, (3, 2, 2), dtype)
        yield (f"scaled {dtype}", voxels, {"sform": np.eye(4), "slope": 0.37, "intercept": -1024.5})
    small = random_voxels(generator, (4, 3, 2), "uint8")
    for index, (version, oblique) in enumerate(itertools.product((1, 2), (False, True, True, True))):
        affine, other = random_affine(generator, oblique), random_affine(generator, oblique)
        yield f"sform {index}", small, {"version": version, "sform": affine}
        yield f"qform {index}", small, {"version": version, "qform": affine}
        yield f"both forms {index}", small, {"version": version, "sform": affine, "qform": affine}
        yield f"forms that disagree {index}", small, {"version": version, "sform": affine, "qform": other}
    yield "no form", small, {}
    yield "no form, version 2, big endian", small, {"version": 2, "big_endian": True}
    yield "slope of zero", small, {"sform": np.eye(4), "slope": 0, "intercept": 7}
    yield "slope of one and an intercept", small, {"sform": np.eye(4), "slope": 1, "intercept": 7}
    yield "qfac of zero", small, {"qform": np.eye(4), "change": set_field("pixdim", 0, 0)}
    yield "negative spacing beside a qform", small, {"qform": np.eye(4), "change": set_field("pixdim", -2, 2)}
    yield "zero spacing beside a qform", small, {"qform": np.eye(4), "change": set_field("pixdim", 0, 3)}
    yield "negative spacing without forms", small, {"change": set_field("pixdim", -2, 2)}
    for shape in ((7,), (3, 4), (2, 3, 4, 5), (2, 3, 2, 1, 2)):
        voxels = random_voxels(generator, shape, "int16")
        yield f"{len(shape)} axes", voxels, {"sform": random_affine(generator, False)}


def main():
    generator = np.random.default_rng(20250101)
    cases = [recorded(name, file_bytes(voxels, **options), options.get("version", 1))
             for name, voxels, options in recipes(generator)]
    document = {
        "tool": "nibabel",
        "version": nibabel.__version__,
        "command": "python tests/reference/make_nifti_reference.py",
        "cases": cases,
    }
    path = pathlib.Path(__file__).with_name("nifti.json")
    path.write_text(json.dumps(document, indent=0) + "\n")
    print(f"{path.name}: {len(cases)} cases, {path.stat().st_size} bytes")


main()
