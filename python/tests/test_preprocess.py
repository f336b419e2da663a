"""Preprocessing against the formulas of published code, written out with NumPy."""

import math

import numpy as np
import pytest

import fiducial
from fiducial import preprocess

VOLUME = np.random.default_rng(5).normal(-300, 500, (7, 5, 6)).astype(np.float32)


def covered(size, count):
    return [slice(size * i // count, math.ceil(size * (i + 1) / count)) for i in range(count)]


def test_clip_and_zscore_are_those_of_numpy():
    clipped = preprocess.clip(VOLUME, -1000, 200)
    assert np.array_equal(clipped, np.clip(VOLUME, -1000, 200))
    wanted = (clipped - clipped.mean(dtype=np.float64)) / max(clipped.std(dtype=np.float64), 1e-8)
    assert np.allclose(preprocess.zscore(clipped), wanted, atol=1e-6)
    assert not preprocess.zscore(np.full((2, 2, 2), 7)).any()


def test_clip_refuses_limits_that_are_none():
    for low, high in ((200, -1000), (float("nan"), 200)):
        with pytest.raises(fiducial.errors.BadUsage, match="low and a high"):
            preprocess.clip(VOLUME, low, high)


def test_area_resize_takes_the_mean_of_what_a_voxel_covers():
    shape = (3, 8, 2)
    wanted = [[[VOLUME[x, y, z].mean() for z in covered(6, 2)] for y in covered(5, 8)] for x in covered(7, 3)]
    resized = preprocess.area_resize(VOLUME, shape)
    assert resized.shape == shape and np.allclose(resized, wanted, rtol=1e-5)
    with pytest.raises(fiducial.errors.BadUsage):
        preprocess.area_resize(VOLUME, (0, 1, 1))


def test_windows_cover_the_volume_and_weigh_most_in_their_middle():
    assert preprocess.sliding_windows((10, 4, 5), (4, 4, 6)) == [(0, 0, 0), (2, 0, 0), (4, 0, 0), (6, 0, 0)]
    assert preprocess.sliding_windows((9, 1, 1), (4, 1, 1))[-1] == (5, 0, 0)
    weights = preprocess.window_weights((8, 8, 4))
    assert weights[4, 4, 2] == weights.max() == 10
