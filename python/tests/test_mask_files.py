"""Files of masks, and slices of volumes, against nibabel."""

import nibabel
import numpy as np
import pytest

import fiducial

AFFINE = np.array([[-0.75, 0, 0, 10], [0, -0.75, 0, 20], [0, 0, 1.5, -30], [0, 0, 0, 1]])


@pytest.fixture
def masks():
    random = np.random.default_rng(3)
    return {"aorta": (random.random((9, 8, 7)) < 0.2).astype(np.uint8), "empty": np.zeros((9, 8, 7), np.uint8),
            "lesions": random.integers(0, 400, (9, 8, 7)).astype(np.int16)}


@pytest.mark.parametrize("name", ["case.fmask", "case.tar.gz", "folder"])
def test_masks_come_back_as_they_were(tmp_path, masks, name):
    assert fiducial.write_masks(tmp_path / name, masks, affine=AFFINE, ids={"aorta": 52, "empty": 3, "lesions": 9},
                                codes={"aorta": ("SCT", "15825003", "Aorta")}) == str(tmp_path / name)
    found = fiducial.read_masks(tmp_path / name)
    assert list(found) == list(masks) and found.shape == (9, 8, 7) and len(found) == 3
    for each, voxels in masks.items():
        np.testing.assert_array_equal(found[each].dense(), voxels)
        np.testing.assert_array_equal(found[each].affine, AFFINE)
    assert found.ids == {"aorta": 52, "empty": 3, "lesions": 9}
    assert found.codes == {"aorta": ("SCT", "15825003", "Aorta")}
    with pytest.raises(KeyError):
        found["none"]


def test_a_file_of_masks_is_written_again_with_equal_bytes(tmp_path, masks):
    fiducial.write_masks(tmp_path / "a.fmask", masks, affine=AFFINE)
    fiducial.write_masks(tmp_path / "b.fmask", fiducial.read_masks(tmp_path / "a.fmask"))
    assert (tmp_path / "a.fmask").read_bytes() == (tmp_path / "b.fmask").read_bytes()
    with pytest.raises(fiducial.errors.BadUsage):
        fiducial.write_masks(tmp_path / "a.fmask", masks)


def test_a_label_map_is_read_by_its_names_and_written(tmp_path):
    labels = np.zeros((9, 8, 7), np.uint8)
    labels[1:4], labels[5:7] = 10, 52
    nibabel.save(nibabel.Nifti1Image(labels, AFFINE), tmp_path / "map.nii.gz")
    found = fiducial.read_masks(tmp_path / "map.nii.gz", labels={10: "lung", 52: "aorta"})
    np.testing.assert_array_equal(found["aorta"].dense(), labels == 52)
    fiducial.write_masks(tmp_path / "again.nii.gz", found)
    np.testing.assert_array_equal(np.asarray(nibabel.load(tmp_path / "again.nii.gz").dataobj), labels)
    assert list(fiducial.read_masks(tmp_path / "again.nii.gz")) == ["lung", "aorta"]


def test_masks_of_two_grids_are_refused(tmp_path):
    with pytest.raises(fiducial.errors.BadUsage, match="another grid"):
        fiducial.write_masks(tmp_path / "x.fmask", {"a": np.ones((2, 2, 2), np.uint8), "b": np.ones((2, 2, 3), np.uint8)})


@pytest.mark.parametrize("indexed", [False, True])
def test_a_slice_is_read_as_nibabel_reads_it(tmp_path, indexed):
    voxels = np.random.default_rng(1).integers(-1000, 1000, (128, 96, 300)).astype(np.int16)
    image = nibabel.Nifti1Image(voxels, AFFINE)
    image.header.set_slope_inter(1, -24)
    nibabel.save(image, tmp_path / "ct.nii.gz")
    if indexed:
        fiducial.convert(tmp_path / "ct.nii.gz", index=True)
        assert (tmp_path / "ct.nii.gz.gzidx").exists()
    ct = fiducial.Volume(tmp_path / "ct.nii.gz")
    expected = nibabel.load(tmp_path / "ct.nii.gz")
    for index in (0, 1, 150, 299, -1):
        np.testing.assert_array_equal(ct.slice(index), expected.dataobj[..., index])
    with pytest.raises(IndexError):
        ct.slice(300)
