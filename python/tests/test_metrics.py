"""Metrics against SciPy and NumPy, on arrays of every type and layout."""

import hypothesis
import hypothesis.extra.numpy
import nibabel
import numpy as np
import pytest
import scipy.ndimage
from hypothesis import strategies as st

import fiducial
from fiducial import errors, metrics

TYPES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", ">i2", ">u4", "<i8", ">i8"]
STRUCTURES = {6: 1, 18: 2, 26: 3}

hypothesis.settings.register_profile("quick", max_examples=60, deadline=None)
hypothesis.settings.load_profile("quick")

shapes = st.tuples(*[st.integers(1, 9)] * 3)


@st.composite
def layouts(draw, shape=None):
    """A mask in C order, and an equal array of another type and layout in memory."""
    shape = draw(shapes) if shape is None else shape
    plain = draw(hypothesis.extra.numpy.arrays(np.uint8, shape, elements=st.integers(0, 1)))
    dtype = np.dtype(draw(st.sampled_from(TYPES)))
    steps = draw(st.tuples(*[st.sampled_from([1, 2, -1, -3])] * 3))
    order = draw(st.permutations(range(3)))
    room = [n * abs(step) for n, step in zip(shape, steps)]
    wide = np.zeros([room[axis] for axis in order], dtype).transpose(np.argsort(order))
    view = wide[tuple(slice(None, None, step) for step in steps)]
    view = view[tuple(slice(n) for n in shape)]
    view[...] = plain
    if draw(st.booleans()):
        view.flags.writeable = False
    return plain, view


@st.composite
def pairs(draw):
    shape = draw(shapes)
    return draw(layouts(shape)), draw(layouts(shape))


@hypothesis.given(layouts())
def test_every_layout_gives_the_same_mask(layout):
    plain, view = layout
    np.testing.assert_array_equal(fiducial.Mask(view).dense(), plain)


@hypothesis.given(pairs())
def test_dice_iou_and_overlap_equal_numpys_counts(pair):
    (a, first), (b, second) = pair
    both, total = int((a & b).sum()), int(a.sum()) + int(b.sum())
    assert metrics.overlap(first, second) == (a.sum(), b.sum(), both)
    assert metrics.dice(first, second) == (2 * both / total if total else 1.0)
    assert metrics.iou(first, second) == (both / (total - both) if total else 1.0)


@hypothesis.given(layouts(), st.sampled_from([6, 18, 26]))
def test_components_equal_scipys(layout, connectivity):
    plain, view = layout
    expected, count = scipy.ndimage.label(plain, scipy.ndimage.generate_binary_structure(3, STRUCTURES[connectivity]))
    found = metrics.components(view, connectivity)
    assert found.count == count
    np.testing.assert_array_equal(found.mask.dense(), expected)
    assert found.voxels == [int((expected == i).sum()) for i in range(1, count + 1)]


def edge_distances(a, b, spacing):
    """From every voxel of a's edge to the nearest of b's, by SciPy."""
    def edge(mask):
        return mask & ~scipy.ndimage.binary_erosion(mask)

    return scipy.ndimage.distance_transform_edt(~edge(b), sampling=spacing)[edge(a)]


@hypothesis.given(pairs(), st.tuples(*[st.sampled_from([0.5, 0.7, 1.0, 2.5])] * 3))
def test_voxel_edge_distances_equal_scipys(pair, spacing):
    (a, first), (b, second) = pair
    found = metrics.surface(first, second, spacing=spacing)
    if not a.any() or not b.any():
        assert found["hd"] is None and found.reasons["hd"]
        return
    there = edge_distances(a > 0, b > 0, spacing)
    back = edge_distances(b > 0, a > 0, spacing)
    pooled = np.concatenate([there, back])
    assert found["assd_pooled"] == pytest.approx(pooled.mean(), rel=1e-12)
    assert found["hd95_pooled"] == pytest.approx(np.percentile(pooled, 95), rel=1e-12)


def test_surface_of_equal_masks_is_perfect():
    ball = np.zeros((12, 12, 12), bool)
    ball[3:8, 4:9, 2:7] = True
    found = metrics.surface(ball, ball, spacing=(0.7, 0.7, 1.0))
    assert found["nsd_surfel"] == 1 and found["hd"] == 0 and found["assd_pooled"] == 0


def test_evaluate_names_every_metric_and_the_reason_for_none():
    empty = np.zeros((4, 4, 4), bool)
    found = metrics.evaluate(empty, empty)
    assert set(found) == {contract["id"] for contract in metrics.contracts()}
    assert all((value is None) == (metric in found.reasons) for metric, value in found.items())
    assert found["dice"] == 1


class OnlyDlpack:
    """What a tensor library without NumPy hands over."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class OnlyArray:
    def __init__(self, array):
        self._array = array

    def __array__(self, dtype=None, copy=None):
        return self._array


def test_takes_dlpack_array_buffers_images_masks_and_paths(tmp_path):
    values = np.zeros((5, 6, 7), np.uint8)
    values[1:3, 2:5, 3:6] = 1
    image = nibabel.Nifti1Image(values, np.diag([0.7, 0.8, 1.5, 1]))
    image.to_filename(tmp_path / "mask.nii.gz")
    kinds = [values, OnlyDlpack(values), OnlyArray(values), memoryview(values), values.tolist(), image,
             fiducial.Mask(values), tmp_path / "mask.nii.gz", str(tmp_path / "mask.nii.gz")]
    for kind in kinds:
        assert metrics.dice(values, kind) == 1, kind
    assert fiducial.Mask(image).spacing == pytest.approx((0.7, 0.8, 1.5))
    assert metrics.surface(image, image)["hd"] == 0  # millimetres from the image


def test_reads_arrays_in_place(monkeypatch):
    big = np.zeros((64, 64, 64), np.int64)[::2, :, ::-1]
    before = big.base.ctypes.data
    fiducial.Mask(big)
    assert big.base.ctypes.data == before and not big.flags["OWNDATA"]


@pytest.mark.parametrize("value, words", [
    (np.zeros((3, 3, 3), np.float32), "array of float32; expected integers or booleans"),
    (np.zeros((3, 3, 3), np.float16), "float16"),
    (np.zeros((3, 3, 3), np.complex64), "complex64"),
    (np.zeros((3, 3, 3), "M8[s]"), "cannot|datetime64"),
    (np.zeros((3, 3, 3), "S3"), r"\|S3"),
    (np.zeros((3, 3, 3), object), "object"),
    (np.zeros((3, 3), bool), "2 axes; expected 3"),
    (np.zeros((2, 3, 3, 3), bool), "4 axes; expected 3"),
    (np.zeros((0, 3, 3), bool), "without voxels"),
    (np.int8(3), "0 axes"),
    (7, "is int; expected a 3D array"),
    (None, "is NoneType"),
])
def test_refuses_what_is_no_mask(value, words):
    with pytest.raises((errors.BadUsage, ValueError), match=words):
        metrics.dice(np.zeros((3, 3, 3), bool), value)


def test_refuses_arrays_of_different_shapes():
    with pytest.raises(errors.BadUsage, match="reference has 3 x 3 x 3 voxels, the prediction 3 x 3 x 4") as raised:
        metrics.dice(np.zeros((3, 3, 3), bool), np.zeros((3, 3, 4), bool))
    assert raised.value.code == "bad_usage" and raised.value.status == 2


@pytest.mark.parametrize("spacing", [(1, 1), (1, 1, 0), (1, 1, -1), (1, 1, float("nan")), (1, 1, float("inf"))])
def test_refuses_a_spacing_that_is_none(spacing):
    mask = np.ones((3, 3, 3), bool)
    with pytest.raises(errors.BadUsage, match="spacing"):
        metrics.surface(mask, mask, spacing=spacing)


def test_refuses_unknown_metrics_and_connectivities():
    mask = np.ones((3, 3, 3), bool)
    with pytest.raises(errors.BadUsage, match='no metric "other"'):
        metrics.evaluate(mask, mask, ["other"])
    with pytest.raises(errors.BadUsage, match="6, 18 or 26"):
        metrics.components(mask, 7)


def test_refuses_labels_that_do_not_fit():
    with pytest.raises(errors.BadUsage, match="label 1099511627776 does not fit 32 bits"):
        fiducial.Mask(np.full((2, 2, 2), 2**40))


def test_views_outlive_what_they_were_taken_from():
    values = np.zeros((40, 40, 40), np.uint8)
    values[3:9, 3:9, 3:9] = 2
    mask = fiducial.Mask(values)
    del values
    dense, runs = mask.dense()[2:10], mask.runs
    del mask
    assert dense.sum() == 2 * 6**3
    assert (runs[:, 2] - runs[:, 1]).sum() == 6**3
    assert not runs.flags.writeable


def test_a_mask_knows_its_box_and_entities():
    values = np.zeros((9, 9, 9), np.int16)
    values[1:3, 2:5, 4:8] = 3
    values[6, 6, 6] = 300
    mask = fiducial.Mask(values)
    assert mask.bbox == (slice(1, 7), slice(2, 7), slice(4, 8))
    assert mask.entities == [3, 300] and mask.entity(300).voxels == 1
    assert mask.dense().dtype == np.int32
    assert fiducial.Mask(np.zeros((2, 2, 2), bool)).bbox == (slice(0, 0),) * 3
