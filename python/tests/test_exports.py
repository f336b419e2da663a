"""Exports for other programs, and what comes back from them."""

import importlib.util
import json

import numpy as np
import pytest

import fiducial

TERMS = {"licence": "CC0-1.0", "source": "phantoms", "allowed_use": "any"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    root = tmp_path_factory.mktemp("exported")
    fiducial.demo(root / "demo", cases=3)
    return root / "demo"


@pytest.fixture(scope="module")
def hub(demo, tmp_path_factory):
    out = tmp_path_factory.mktemp("exports") / "hub"
    source = demo / "rexgroundingct"
    manifest = fiducial.export(source, output=out, to="hf", volumes=source / "volumes", no_check=True, **TERMS)
    assert manifest == json.loads((out / "manifest.json").read_text())
    return out


def test_a_hub_folder_opens_as_what_it_was_made_from(hub, demo):
    source = fiducial.open(demo / "rexgroundingct")
    found = fiducial.open(hub)
    assert (found.benchmark, found.splits, len(found)) == (source.benchmark, source.splits, len(source))
    for case, expected in zip(found, source):
        assert (case.name, case.split, case.shape, case.protocol) == (expected.name, expected.split, expected.shape, expected.protocol)
        assert [finding.text for finding in case.findings] == [finding.text for finding in expected.findings]
        assert all(mask == other for mask, other in zip(case.masks, expected.masks))
    case, expected = found[0], source[0]
    assert np.array_equal(case.volume.hu, expected.volume.hu) and np.array_equal(case.volume.affine, expected.volume.affine)


def test_a_hub_folder_scores_like_its_source(hub, demo):
    predictions = demo / "systems" / "rexgroundingct" / "good"
    assert fiducial.score(hub, predictions)["dice_per_case"] == fiducial.score(demo / "rexgroundingct", predictions)["dice_per_case"]
    assert fiducial.check(hub).ok == fiducial.check(demo / "rexgroundingct").ok


def test_data_without_terms_are_not_exported(demo, tmp_path):
    with pytest.raises(fiducial.errors.Refused, match="licence, source, allowed_use are missing"):
        fiducial.export(demo / "rexgroundingct", output=tmp_path / "hub", to="hf")
    assert not (tmp_path / "hub").exists()


def test_options_are_those_of_the_target(demo, tmp_path):
    source = demo / "rexgroundingct"
    manifest = fiducial.export(source, output=tmp_path / "raw", to="nnunet", volumes=source / "volumes", findings="category", **TERMS)
    assert all(each["category"] for each in manifest["datasets"])
    with pytest.raises(fiducial.errors.BadUsage, match="to hf takes no findings"):
        fiducial.export(source, output=tmp_path / "hub", to="hf", findings="category", **TERMS)
    with pytest.raises(fiducial.errors.BadUsage, match="output is missing"):
        fiducial.export(source, to="hf", **TERMS)
    with pytest.raises(fiducial.errors.UnknownName, match="there is submission"):
        fiducial.export(source, output=tmp_path / "hub", to="nowhere")


@pytest.mark.skipif(importlib.util.find_spec("monai") is not None, reason="monai is installed")
def test_views_of_frameworks_say_what_they_lack(dataset):
    with pytest.raises(fiducial.errors.Unavailable, match="needs the package monai"):
        dataset.to_monai()
    with pytest.raises(fiducial.errors.Unavailable, match="needs the package torchio"):
        dataset.to_torchio()
