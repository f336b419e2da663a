"""Tables of RadGenome-Chest CT: checked, counted and scored as the command does."""

import pathlib
import subprocess
import sys

import fiducial

TESTS = pathlib.Path(__file__).resolve().parents[2] / "tests"


def fixture(*words):
    subprocess.run([sys.executable, "-m", "fixtures", *map(str, words)], cwd=TESTS, check=True)


def test_tables_are_checked_counted_and_scored(tmp_path):
    fixture("radgenome", tmp_path / "data")
    fixture("radgenome-answers", tmp_path / "data", tmp_path / "perfect")
    report = fiducial.check(tmp_path / "data")
    assert report.ok and "answerable_blind" in {finding["code"] for finding in report.findings}
    assert fiducial.check(tmp_path / "data/validation_vqa_size.csv").ok
    assert [table["rows"] for table in fiducial.stats(tmp_path / "data")["tables"]] == [48, 40, 32, 72, 8, 8]
    card = fiducial.score_tables(tmp_path / "data", tmp_path / "perfect", tmp_path / "out")
    assert card.summary["metrics"]["presence_accuracy"]["value"] == 1
    assert len(card.rows()) > 0
    again = fiducial.score(tmp_path / "data", tmp_path / "perfect", resamples=100)  # into a folder that goes with the card
    assert again.summary["metrics"]["size_error"]["value"] == 0


def test_masks_beside_tables_take_their_grid_from_the_volumes(tmp_path):
    fixture("radgenome", tmp_path / "data")
    name = (tmp_path / "data/validation_vqa_presence.csv").read_text().splitlines()[-1].split(",")[0]
    for folder in ("data/valid_anatomy_mask", "said/masks"):
        (tmp_path / folder / f"seg_{name.removesuffix('.nii.gz')}").mkdir(parents=True)
        fixture("nifti", tmp_path / folder / f"seg_{name.removesuffix('.nii.gz')}" / "heart.nii.gz")
    (tmp_path / "ct").mkdir()
    fixture("nifti", tmp_path / "ct" / name)
    card = fiducial.score(tmp_path / "data", tmp_path / "said", volumes=tmp_path / "ct", tolerance_mm=2)
    assert card.summary["metrics"]["mask_nsd"]["value"] == 1
    assert card.plan["rules"]["mask_rules"] == {"tolerance_mm": 2, "spacing_mm": None, "volumes": True}


def test_grounded_reports_are_scored(tmp_path):
    fixture("rex", tmp_path / "data")
    fixture("grounded-reports", tmp_path / "data", tmp_path / "wrong", "--kind", "wrong-place")
    card = fiducial.score_tables(tmp_path / "data", tmp_path / "wrong", tmp_path / "out", task="grounded-report")
    assert card.summary["metrics"]["fact_f1"]["value"] == 1
    assert card.summary["metrics"]["grounded_f1"]["value"] < 0.5
    assert fiducial.score(tmp_path / "data", tmp_path / "wrong").summary["metrics"] == card.summary["metrics"]
