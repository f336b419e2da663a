"""SimpleITK resampling labels from voxels of 1 x 1 x 3 mm onto the grid of the case, on all cores, from images in memory."""

import sys

import numpy
import SimpleITK as sitk
from repetitions import answer_repetitions, load_channels

labels = None
for number, channel in enumerate(load_channels(sys.argv[1]), 1):
    labels = numpy.zeros(channel.shape, numpy.uint8) if labels is None else labels
    labels[channel > 0] = number
grid = sitk.GetImageFromArray(numpy.ascontiguousarray(labels.transpose()))
grid.SetSpacing((0.75, 0.75, 1.12))
size = [round((n - 1) * s / t + 1) for n, s, t in zip(grid.GetSize(), grid.GetSpacing(), (1, 1, 3))]
coarse = sitk.Resample(grid, size, sitk.Transform(), sitk.sitkNearestNeighbor, (0, 0, 0), (1, 1, 3), grid.GetDirection())
answer_repetitions(lambda: sitk.Resample(coarse, grid, sitk.Transform(), sitk.sitkNearestNeighbor))
