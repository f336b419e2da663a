#!/usr/bin/env python3
"""What Slicer's, ITK's and DICOM's own software reads of the masks and images that `fiducial convert` writes, and what
`fiducial convert` reads of theirs: pynrrd, SimpleITK, highdicom, dcmqi and rt-utils on seeded random masks.

usage: compare_segmentations.py FIDUCIAL PYTHON   (PYTHON with requirements/segmentations.txt)
Skips (status 77) where the packages are not installed.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def main():
    fiducial, python = sys.argv[1:3]
    probe = "import nrrd, SimpleITK, highdicom, rt_utils, nibabel"
    if subprocess.run([python, "-c", probe], capture_output=True).returncode:
        print(f"skipped: {python} has no pynrrd, SimpleITK, highdicom, rt-utils and nibabel (requirements/segmentations.txt)")
        return SKIPPED
    return subprocess.run([python, str(HERE / "segmentation_peers.py"), fiducial]).returncode


if __name__ == "__main__":
    sys.exit(main())
