"""Tiny datasets for the tests, written once a session by tests/fixtures."""

import pathlib
import shutil
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))

from fixtures import nifti, rex  # noqa: E402

import fiducial  # noqa: E402


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """A folder with data/ (four cases of three findings, split test), volumes/ and predictions/ (slightly wrong)."""
    root = tmp_path_factory.mktemp("corpus")
    rex.write_dataset(str(root / "data"), cases=4, findings=3, seed=5, split="test", volumes=str(root / "volumes"))
    write_predictions(root)
    return root


def write_predictions(root):
    """Every mask moved by a voxel in x, one case left out."""
    import nibabel
    import numpy

    (root / "predictions").mkdir()
    for case in list(fiducial.open(root / "data"))[:3]:
        masks = numpy.asarray(nibabel.load(case.mask_path).dataobj)
        moved = (numpy.roll(masks, 1, axis=1) > 0).astype("uint8")
        nibabel.Nifti1Image(moved, numpy.eye(4)).to_filename(root / "predictions" / case.file_name)


@pytest.fixture
def dataset(corpus):
    return fiducial.open(corpus / "data", volumes=corpus / "volumes")


@pytest.fixture
def own_corpus(corpus, tmp_path):
    """A copy that a test may break."""
    shutil.copytree(corpus, tmp_path / "own")
    return tmp_path / "own"


@pytest.fixture
def write_image():
    """Writes a NIfTI file of any type and byte order: write_image(path, shape, values, type)."""

    def write(path, shape, values, kind="int16", **options):
        nifti.write(str(path), nifti.Image(shape, values, kind, **options))
        return path

    return write
