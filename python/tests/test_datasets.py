import json
import os
import pickle

import nibabel
import numpy as np
import pytest

import fiducial
from fiducial import errors


def test_knows_its_length_names_and_splits(dataset):
    assert len(dataset) == 4
    assert dataset.splits == ["train", "val", "test"]
    assert [case.name for case in dataset] == [f"train_{i}_a_1" for i in (1, 2, 3, 4)]
    assert len(dataset.split("test")) == 4 and len(dataset.split("train")) == 0
    assert dataset.benchmark == "rexgroundingct"


def test_finds_cases_by_place_name_and_slice(dataset):
    assert dataset["train_2_a_1"].name == dataset["train_2_a_1.nii.gz"].name == dataset[1].name == dataset[-3].name
    assert [case.name for case in dataset[1:3]] == ["train_2_a_1", "train_3_a_1"]
    assert "train_2_a_1" in dataset and "nobody" not in dataset
    assert dataset[0] in dataset


def test_says_which_case_is_not_there(dataset):
    with pytest.raises(KeyError, match="no case 'nobody'"):
        dataset["nobody"]
    with pytest.raises(IndexError):
        dataset[4]
    with pytest.raises(errors.BadUsage, match='no split "other"'):
        dataset.split("other")


def test_findings_carry_what_the_dataset_file_lists(corpus, dataset):
    listed = json.loads((corpus / "data" / "dataset.json").read_text())["test"][0]
    findings = dataset[0].findings
    assert [finding.text for finding in findings] == list(listed["findings"].values())
    assert [finding.category for finding in findings] == list(listed["categories"].values())
    assert [finding.voxels for finding in findings] == list(listed["pixels"].values())
    assert [finding.entities for finding in findings] == list(listed["entity_counts"].values())
    assert dataset[0].patient == "train_1" and dataset[0].shape == tuple(listed["shape"])


def test_masks_equal_nibabels_arrays(dataset):
    for case in dataset:
        stored = np.asarray(nibabel.load(case.mask_path).dataobj)
        for finding, channel in zip(case.findings, stored, strict=True):
            np.testing.assert_array_equal(finding.mask.dense(), channel)
            assert finding.mask.voxels == np.count_nonzero(channel)
            assert finding.mask.entities == sorted(set(np.unique(channel)) - {0})


def test_masks_take_the_grid_of_their_volume(dataset):
    mask = dataset[0].findings[0].mask
    np.testing.assert_allclose(mask.affine, nibabel.load(dataset[0].volume_path).affine)
    assert mask.spacing == pytest.approx((0.75, 0.75, 1.5))
    assert mask.volume_mm3 == pytest.approx(mask.voxels * 0.75 * 0.75 * 1.5)


def test_masks_have_no_millimetres_without_a_volume(corpus):
    mask = fiducial.open(corpus / "data")[0].findings[0].mask
    assert mask.affine is None and mask.spacing is None and mask.volume_mm3 is None


def test_volumes_equal_nibabels_numbers_and_geometry(dataset):
    volume, image = dataset[0].volume, nibabel.load(dataset[0].volume_path)
    np.testing.assert_array_equal(volume.hu, image.get_fdata())
    np.testing.assert_allclose(volume.affine, image.affine)
    assert volume.spacing == pytest.approx(image.header.get_zooms())
    assert volume.orientation == "".join(nibabel.aff2axcodes(image.affine))
    assert volume.shape == image.shape and len(volume) == image.shape[0]


def test_volume_slices_are_views_of_one_array(dataset):
    volume = dataset[0].volume
    assert np.shares_memory(volume[:, :, 3], volume.hu)
    assert np.asarray(volume) is volume.hu
    assert volume.dtype == np.int16


@pytest.mark.parametrize("slope, intercept, dtype", [(1, -1024, "float32"), (0.5, 3, "float32"), (0, 0, "int16"), (1, 0, "int16")])
def test_volumes_apply_the_headers_scaling(tmp_path, slope, intercept, dtype):
    image = nibabel.Nifti1Image(np.arange(-12, 12, dtype=np.int16).reshape(2, 3, 4), np.eye(4))
    image.header.set_slope_inter(slope or None, intercept if slope else None)
    image.to_filename(tmp_path / "scaled.nii.gz")
    raw = np.arange(-12, 12).reshape(2, 3, 4)
    volume = fiducial.Volume(tmp_path / "scaled.nii.gz")
    loaded = nibabel.load(tmp_path / "scaled.nii.gz")
    np.testing.assert_allclose(volume.hu, loaded.get_fdata())
    assert volume.shape == raw.shape


def test_a_missing_volume_is_said_with_the_folders_looked_in(corpus):
    case = fiducial.open(corpus / "data")[0]
    assert case.volume_path is None
    with pytest.raises(errors.InvalidData, match="no volume of train_1_a_1.nii.gz under .*volumes"):
        case.volume


def test_paths_with_odd_characters_work(corpus, tmp_path):
    odd = tmp_path / "a folder ü 中\udcff\n"
    os.symlink(corpus / "data", odd)
    assert len(fiducial.open(odd)) == 4
    with pytest.raises(errors.InvalidData) as raised:
        fiducial.open(os.path.join(odd, "not here"))
    assert raised.value.place.path == os.path.join(odd, "not here")


def test_handles_survive_pickling(dataset):
    for thing in (dataset, dataset.split("test"), dataset[1], dataset[1].findings[2]):
        again = pickle.loads(pickle.dumps(thing))
        assert repr(again) == repr(thing)
    mask = dataset[0].findings[0].mask
    assert pickle.loads(pickle.dumps(mask)) == mask
    volume = pickle.loads(pickle.dumps(dataset[0].volume))
    np.testing.assert_array_equal(volume.hu, dataset[0].volume.hu)


def test_refuses_a_pickled_mask_whose_runs_leave_its_grid():
    from fiducial import _native

    mask = _native.LabelMask.__new__(_native.LabelMask)
    runs = np.array([[0, 0, 99, 1]], dtype=np.int32).tobytes()
    with pytest.raises(ValueError, match="not a pickled mask"):
        mask.__setstate__(((4, 4, 4), [1.0] * 12, False, runs))


def test_samples_are_shaped_like_a_torch_dataset(dataset):
    samples = dataset.split("test").samples()
    assert len(samples) == 12
    sample = samples[4]
    assert sample["case"] == "train_2_a_1" and sample["finding"] == 1
    np.testing.assert_array_equal(sample["mask"], dataset["train_2_a_1"].findings[1].mask.dense())
    assert sample["volume"].shape == sample["mask"].shape
    assert len(list(samples)) == 12
    with pytest.raises(IndexError):
        samples[12]


def test_samples_by_case_stack_masks_and_apply_a_transform(dataset):
    samples = dataset.samples(by="case", transform=lambda sample: sample["masks"].shape)
    assert len(samples) == 4 and samples[0] == (3, *dataset[0].shape)
    with pytest.raises(errors.BadUsage, match="by is 'organ'"):
        dataset.samples(by="organ")
