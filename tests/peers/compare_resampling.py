#!/usr/bin/env python3
"""Holds `fiducial resample` against SimpleITK on images of the data pack, in every axis order they are stored in or can be
turned to: labels voxel by voxel, volumes to 2e-5 of their range (affines are stored in float32). Places that headers in float32 put within a
thousandth of a voxel of half way, where rounding decides, may differ. Skips where SimpleITK or the data pack is not there.

usage: compare_resampling.py FIDUCIAL [PYTHON_WITH_SIMPLEITK]
"""

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import nibabel
    import numpy
    import SimpleITK as sitk
except ImportError as missing:
    if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
        os.execv(sys.argv[2], [sys.argv[2], __file__, sys.argv[1]])
    print(f"skipped: {missing}")
    sys.exit(77)

CODES = ("RAS", "LPS", "PIR", "ASL", "SRP", "IPL")
# Image, reference, how.
PAIRS = [
    ("totalsegmentator/pulmonary_report/heart.nii.gz", "totalsegmentator/pulmonary_report/ct_cropped.nii.gz", "labels"),
    ("totalsegmentator/pulmonary_report/pulmonary_artery.nii.gz", "totalsegmentator/pulmonary_report/heart.nii.gz", "labels"),
    ("totalsegmentator/example_seg_fast_force_split.nii.gz", "grid:1,1,3", "labels"),
    ("totalsegmentator/example_ct.nii.gz", "grid:1,1,3", "linear"),
    ("totalsegmentator/pulmonary_report/ct_cropped.nii.gz", "totalsegmentator/pulmonary_report/heart.nii.gz", "linear"),
    ("panoptica/semantic/ref.nii.gz", "grid:0.9,0.7,1.1", "labels"),
    *((f"niivue/{code}.nii.gz", "grid:1.7,2.3,1.9", "linear") for code in ("RAS", "LPS", "PIR", "ARI", "LSA", "RIP")),
]


def reference_of(image, words, folder):
    """The image to resample like: a file of the pack, or a grid of other spacing, turned by a little, over the image."""
    if not words.startswith("grid:"):
        return sitk.ReadImage(words)
    spacing = [float(word) for word in words[5:].split(",")]
    size = [max(1, int(n * s / t * 0.9)) for n, s, t in zip(image.GetSize(), image.GetSpacing(), spacing)]
    grid = sitk.Image(size, sitk.sitkUInt8)
    grid.SetSpacing(spacing)
    turn = sitk.Euler3DTransform((0, 0, 0), 0.03, -0.02, 0.05).GetMatrix()
    grid.SetDirection((numpy.array(image.GetDirection()).reshape(3, 3) @ numpy.array(turn).reshape(3, 3)).ravel().tolist())
    grid.SetOrigin(image.TransformContinuousIndexToPhysicalPoint([n * 0.05 for n in image.GetSize()]))
    sitk.WriteImage(grid, str(folder / "grid.nii.gz"))
    return sitk.ReadImage(str(folder / "grid.nii.gz"))


def is_half_way(image, reference, place):
    """Whether a voxel of the reference lies within a thousandth of a voxel of a face between voxels of the image."""
    index = image.TransformPhysicalPointToContinuousIndex(reference.TransformIndexToPhysicalPoint([int(p) for p in place]))
    return min(abs((p - 0.5) - round(p - 0.5)) for p in index) < 1e-3


def differences(fiducial, image_file, reference_file, how, folder):
    image, reference = sitk.ReadImage(str(image_file)), sitk.ReadImage(str(reference_file))
    out = folder / "out.nii.gz"
    subprocess.run([fiducial, "resample", image_file, out, "--like", reference_file, f"--{how}", "--overwrite", "--outside", "0"],
                   check=True, capture_output=True)
    interpolator = sitk.sitkNearestNeighbor if how == "labels" else sitk.sitkLinear
    expected = sitk.GetArrayFromImage(sitk.Resample(image, reference, sitk.Transform(), interpolator, 0.0, sitk.sitkFloat32))
    found = numpy.asarray(nibabel.load(out).dataobj).astype(numpy.float32).transpose()
    allowed = 0 if how == "labels" else 2e-5 * float(expected.max() - expected.min())
    places = numpy.argwhere(abs(found - expected) > allowed)[:, ::-1]
    return sum(not is_half_way(image, reference, place) for place in places), expected.size


def main():
    pack = pathlib.Path(os.environ.get("FIDUCIAL_DATA_PACK", "")) / "nifti"
    if not os.environ.get("FIDUCIAL_DATA_PACK") or not pack.exists():
        print("skipped: data pack folder nifti not found")
        return 77
    failed = compared = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for image_name, words, how in PAIRS:
            stored = pack / image_name
            grid = reference_of(sitk.ReadImage(str(stored)), words if words.startswith("grid:") else str(pack / words), folder)
            sitk.WriteImage(grid, str(folder / "reference.nii.gz"))
            for code in CODES:
                turned = folder / f"{code}.nii.gz"
                subprocess.run([sys.argv[1], "convert", stored, turned, "--orient", code, "--overwrite"], check=True,
                               capture_output=True)
                wrong, voxels = differences(sys.argv[1], turned, folder / "reference.nii.gz", how, folder)
                compared += 1
                if wrong:
                    failed += 1
                    print(f"{image_name} as {code} onto {words}: {wrong} of {voxels} voxels differ")
    print(f"{compared} resampled images compared with SimpleITK {sitk.Version_VersionString()}, {failed} differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
