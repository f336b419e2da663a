"""What models are given of a CT: the steps that published code does with NumPy and PyTorch, value for value.

    volume = fiducial.preprocess.clip(fiducial.Volume("ct.nii.gz").hu, -1000, 200)
    volume = fiducial.preprocess.area_resize(fiducial.preprocess.zscore(volume), (256, 256, 64))

`fiducial convert --hu --clip LOW,HIGH --zscore --size X,Y,Z` does the same to files.
"""

from __future__ import annotations

import collections.abc
import typing

from fiducial import _native
from fiducial.errors import BadUsage

if typing.TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Shape = collections.abc.Sequence[int]


def _floats(volume: npt.ArrayLike) -> npt.NDArray[np.float32]:
    import numpy

    return numpy.asfortranarray(volume, dtype=numpy.float32)


def clip(volume: npt.ArrayLike, low: float, high: float) -> npt.NDArray[np.float32]:
    """Values below `low` and above `high` become these."""
    if not low <= high:
        raise BadUsage(f"expected a low and a high value, found {low} and {high}")
    return _native.clipped(_floats(volume), low, high)


def zscore(volume: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """(x - mean) / max(std, 1e-8), with the standard deviation of the whole volume."""
    return _native.standardised(_floats(volume))


def area_resize(volume: npt.ArrayLike, shape: Shape) -> npt.NDArray[np.float32]:
    """The volume in another shape, every voxel the mean of those it covers; masks become fractions.

    As `torch.nn.functional.interpolate(mode="area")`.
    """
    return _native.area_resized(_floats(volume), list(shape))


def sliding_windows(shape: Shape, window: Shape) -> list[tuple[int, int, int]]:
    """Low corners of windows that cover a volume, half a window apart, the last one shifted back inside.

    An axis that is shorter than the window has one, at 0.
    """
    return [(x, y, z) for x, y, z in _native.sliding_windows(list(shape), list(window))]


def window_weights(window: Shape) -> npt.NDArray[np.float32]:
    """The weight of each voxel of a window where windows overlap: a bell, sigma an eighth of the size, 10 at its top."""
    return _native.window_weights(list(window))
