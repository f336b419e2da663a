"""nibabel loading both mask files into arrays."""

import sys

import nibabel
import numpy
from repetitions import answer_repetitions


def load_both():
    for path in sys.argv[1:3]:
        numpy.asarray(nibabel.load(path).dataobj)


answer_repetitions(load_both)
