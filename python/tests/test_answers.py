"""Answers to questions from Python: the numbers of the command."""

import json
import os
import subprocess

import pytest
from fixtures import medthink

import fiducial


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    root = tmp_path_factory.mktemp("questions")
    medthink.write_dataset(str(root / "data"), 12, 1, ["test"])
    for kind in ("half", "perfect", "steps"):
        medthink.write_predictions(str(root / "data"), str(root / f"{kind}.jsonl"), kind, "test")
    return root


def test_scores_as_the_command_does(questions, tmp_path):
    card = fiducial.score(fiducial.open(questions / "data"), questions / "half.jsonl", baselines={"zero": questions / "perfect.jsonl"})
    assert card.summary["metrics"]["accuracy"]["correct"] == 6
    assert card.summary["baselines"]["runs"][0]["value"] == 1.0
    assert "accuracy" in str(card) and not card.failures
    card.write(tmp_path / "python")
    command = [os.path.join(os.path.dirname(fiducial.__file__), "bin", "fiducial"), "score", str(questions / "data"), str(questions / "half.jsonl"), "-o",
               str(tmp_path / "command"), "--baseline", f"zero={questions / 'perfect.jsonl'}"]
    subprocess.run(command, check=True, capture_output=True)
    for name in ("summary.json", "plan.json", "rows.parquet", "report.html"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes()
    assert len(card.rows()) == 12 * 4


def test_judges_steps_and_compares(questions, tmp_path):
    verdicts = tmp_path / "verdicts.jsonl"
    verdicts.write_text(json.dumps({"title": "Case number 66", "step": 1, "is_factual": True, "is_critical": True,
                                    "explanation": "ok"}) + "\n")
    first = fiducial.score(questions / "data", questions / "perfect.jsonl", verdicts=verdicts)
    assert first.summary["metrics"]["step_factuality"]["value"] == 1.0
    second = fiducial.score(questions / "data", questions / "half.jsonl")
    document = fiducial.compare(first, second).document
    assert document["metric"] == "accuracy"
    assert document["slots"]["accuracy"]["difference"]["mcnemar"]["only_first"] == 6


def test_refuses_options_of_the_other_kind(questions):
    with pytest.raises(fiducial.errors.BadUsage):
        fiducial.score(questions / "data", questions / "half.jsonl", volumes=questions)
    with pytest.raises(fiducial.errors.Unavailable):
        fiducial.score(questions / "data", questions / "half.jsonl", metrics=["radcliq"])


def test_compares_texts():
    scores = fiducial.metrics.text(["a small nodule", "no effusion"], ["a small nodule", "an effusion"], stem=True)
    assert scores["rouge_1"] == pytest.approx((1 + 0.5) / 2)
    assert scores["meteor_wordnet"] is None and "WordNet" in scores.reasons["meteor_wordnet"]
    with pytest.raises(fiducial.errors.BadUsage):
        fiducial.metrics.text(["a"], [])


def test_measures_agreement():
    found = fiducial.metrics.agreement([[0, 0], [1, 1], [1, 2], [2, 2], [2, 2], [0, 0], [1, 1], [2, 1], [0, 0], [1, 0]])
    assert found["cohen_kappa"]["value"] == pytest.approx(0.5522388059701493)
    assert found["cohen_kappa"]["ci95"][0] < found["cohen_kappa"]["value"]
    assert fiducial.metrics.agreement([[1, None], [0, 0], [1, 1]])["po"]["value"] == 1.0
