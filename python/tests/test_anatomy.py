"""Names, masks and lungs."""

import numpy as np
import pytest

import fiducial
from fiducial import anatomy

nibabel = pytest.importorskip("nibabel")
AFFINE = np.diag([-3.0, -3.0, 3.0, 1.0])


def write(path, array):
    path.parent.mkdir(parents=True, exist_ok=True)
    nibabel.save(nibabel.Nifti1Image(array, AFFINE), path)


def test_names_paths_and_codes_are_those_of_the_release():
    assert len(anatomy.names()) == 210
    assert len(anatomy.paths()) == 174
    by_name = {each.name: each for each in anatomy.structures()}
    assert by_name["liver"].total_label == 5 and by_name["liver"].snomed_code == "10200004"
    assert by_name["lung"].parts == ("left lung", "right lung")
    assert anatomy.find("lung_upper_lobe_left") == "left lung upper lobe"
    assert anatomy.find("nothing") is None
    assert anatomy.path_status("bone/bone/rib/left rib/left rib 3") == "sibling"


def test_masks_are_resolved_with_their_status(tmp_path):
    mask = np.zeros((6, 5, 4), np.uint8)
    write(tmp_path / "seg_v" / "spleen.nii.gz", mask)
    mask[1:3] = 1
    write(tmp_path / "seg_v" / "left lung.nii.gz", mask)
    write(tmp_path / "seg_v" / "right lung.nii.gz", np.roll(mask, 2, axis=0))
    lung = anatomy.resolve(tmp_path, "v.nii.gz", "lung")
    assert (lung.status, lung.source, lung.mask.voxels) == ("present", "union", 4 * 20)
    found = {each.name: each.status for each in anatomy.resolve(tmp_path, "v")}
    assert found == {"left lung": "present", "right lung": "present", "spleen": "empty"}
    missing = anatomy.resolve(tmp_path, "v", "heart")
    assert missing.status == "missing" and missing.mask is None
    with pytest.raises(fiducial.Error):
        anatomy.resolve(tmp_path / "none", "v", "heart")


def test_lungs_of_a_toy_are_found_on_their_sides(tmp_path):
    x, y, z = np.meshgrid(np.arange(100) - 49.5, np.arange(70) - 34.5, np.arange(60) - 29.5, indexing="ij")
    ct = np.full(x.shape, -1000, np.int16)
    ct[(x / 48) ** 2 + (y / 33) ** 2 < 1] = 40
    left, right = (((x - side) / 16) ** 2 + (y / 20) ** 2 + (z / 25) ** 2 < 1 for side in (24, -24))
    ct[left | right] = -850
    write(tmp_path / "ct.nii.gz", ct)
    found = anatomy.segment(tmp_path / "ct.nii.gz")
    for name, truth in (("lung_left", left), ("lung_right", right)):
        inside = found[name].dense() != 0
        assert 2 * (inside & truth).sum() > 0.95 * (inside.sum() + truth.sum())
    assert found.how["orientation"] == "LPS"
    with pytest.raises(KeyError):
        found["heart"]
