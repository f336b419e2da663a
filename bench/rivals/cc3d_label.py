"""cc3d labelling every predicted finding with 18 neighbours, from arrays in C order."""

import sys

import cc3d
from repetitions import answer_repetitions, load_channels

masks = [channel > 0 for channel in load_channels(sys.argv[2])]


def label_all():
    for mask in masks:
        cc3d.connected_components(mask, connectivity=18, binary_image=True)


answer_repetitions(label_all)
