"""SciPy labelling every predicted finding with 18 neighbours, from arrays in C order."""

import sys

from repetitions import answer_repetitions, load_channels
from scipy import ndimage

masks = [channel > 0 for channel in load_channels(sys.argv[2])]
neighbours = ndimage.generate_binary_structure(3, 2)


def label_all():
    for mask in masks:
        ndimage.label(mask, structure=neighbours)


answer_repetitions(label_all)
