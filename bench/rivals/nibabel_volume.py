"""nibabel_volume.py CASE: nibabel's get_fdata of a CT in nii.gz."""

import pathlib
import sys

import nibabel
from ct_volume import ct_volume
from repetitions import answer_repetitions

path = ct_volume(pathlib.Path(sys.argv[1]))
answer_repetitions(lambda: nibabel.load(path).get_fdata(caching="unchanged"))
