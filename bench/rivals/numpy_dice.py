"""NumPy's Dice of every finding, from boolean arrays in C order."""

import sys

import numpy
from repetitions import answer_repetitions, load_channels

reference, prediction = ([channel > 0 for channel in load_channels(path)] for path in sys.argv[1:3])


def dice_all():
    for a, b in zip(reference, prediction):
        both = numpy.count_nonzero(a & b)
        2 * both / (numpy.count_nonzero(a) + numpy.count_nonzero(b))


answer_repetitions(dice_all)
