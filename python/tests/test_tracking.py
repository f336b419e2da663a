"""Scores as flat numbers, and what a tracker is given of them."""

import json
import subprocess
import sys

import pytest

import fiducial
from fiducial import errors, tracking


@pytest.fixture
def tracker(monkeypatch):
    """A tracker that knows lists, and keeps what it is given in them."""
    kept = {"stays_here": False}
    monkeypatch.setattr(tracking, "TRACKERS", (tracking.Tracker(
        "builtins", lambda run: kept["stays_here"],
        lambda run, entry: run.append((entry, {file.name: file.read_bytes() for file in entry.files}))),))
    return kept


@pytest.fixture
def scores(corpus):
    return fiducial.score(corpus / "data", corpus / "predictions", volumes=corpus / "volumes")


def test_numbers_are_the_values_of_the_summary_with_the_ends_of_their_intervals(scores):
    numbers = scores.numbers()
    assert numbers["dice_per_finding"] == scores["dice_per_finding"]
    assert numbers["official_dice_per_finding"] == scores.summary["official"]["dice_per_finding"]["value"]
    for name, slot in scores.summary["metrics"].items():
        assert (name in numbers) == (slot["value"] is not None)
        assert [numbers.get(name + "_low"), numbers.get(name + "_high")] == (slot.get("ci95") or [None, None])


def test_a_tracker_gets_numbers_facts_and_files_but_no_rows(scores, tracker):
    run = []
    told = scores.log(run, prefix="val/", step=3)
    entry, files = run[0]
    assert entry.numbers == {f"val/{name}": value for name, value in scores.numbers().items()} and entry.step == 3
    assert entry.facts["task"] == "finding_masks" and set(files) == {"summary.json", "plan.json", "report.html"}
    assert json.loads(files["plan.json"]) == scores.plan
    assert told == [*entry.numbers, "fiducial/summary.json", "fiducial/plan.json", "fiducial/report.html"]
    assert scores.log(run, report=False)[-1] == "fiducial/plan.json"


def test_scores_of_arrays_get_their_page(dataset, tracker):
    run = []
    fiducial.score(dataset, ((case, case.masks) for case in dataset)).log(run)
    assert b"<svg" in run[0][1]["report.html"]


@pytest.mark.parametrize("terms", [{"egress": "forbidden"}, {"private_splits": ["test"]}, {"flagged_cases": ["train_1_a_1.nii.gz"]}])
def test_files_of_data_that_must_stay_leave_only_for_a_tracker_here(own_corpus, tracker, terms):
    (own_corpus / "data" / "terms.json").write_text(json.dumps(terms))
    scores, run = fiducial.score(own_corpus / "data", own_corpus / "predictions"), []
    assert scores.log(run) == list(scores.numbers())
    tracker["stays_here"] = True
    assert "fiducial/report.html" in scores.log(run)


def test_private_scores_give_files_without_cases(corpus, tracker):
    run = []
    fiducial.score(corpus / "data", corpus / "predictions", private=True, min_group=2).log(run)
    assert not any(b"train_1_a_1" in data for data in run[0][1].values())


def test_what_is_no_run_is_refused_by_its_type(scores):
    with pytest.raises(errors.BadUsage, match=r"run is builtins\.dict; expected a run of mlflow or wandb"):
        scores.log({})


def test_extras_cost_nothing_until_they_are_named():
    code = "import fiducial, sys; print([name for name in sys.modules if name in ('fiducial.inspect', 'fiducial.tracking', 'inspect_ai', 'mlflow')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_missing_extra_is_said_by_its_name():
    try:
        import inspect_ai  # noqa: F401
        pytest.skip("inspect_ai is here")
    except ImportError:
        pass
    with pytest.raises(errors.Unavailable, match=r"pip install 'fiducial\[inspect\]'"):
        fiducial.inspect  # noqa: B018
