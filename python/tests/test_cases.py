"""Teaching cases: opened, checked and described as the command does."""

import pickle

import pytest
from fixtures import medthink

import fiducial
from fiducial import errors


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("medthink") / "data"
    medthink.write_dataset(root, cases=6, seed=1, splits=["train", "test"])
    return root


def test_open_gives_cases_with_their_images(folder):
    dataset = fiducial.open(folder)
    assert dataset.benchmark == "medthinkvqa" and dataset.splits == ["train", "test"] and len(dataset) == 12
    case = dataset.split("test")["Case number 74"]
    assert case.key_text == case.options[case.key] and case.history.startswith("A patient of 94 years")
    with open(dataset.image_path(case.images[0]), "rb") as file:
        assert file.read(3) == b"\xff\xd8\xff"
    assert pickle.loads(pickle.dumps(dataset))[3] == dataset[3]
    with pytest.raises(KeyError):
        dataset["Case number 1"]
    with pytest.raises(errors.BadUsage):
        len(dataset.split("val"))


def test_view_holds_nothing_but_history_options_and_images(folder):
    case = fiducial.open(folder)[0]
    view = case.view
    assert vars(view).keys() == {"history", "options", "image_paths"}
    assert case.images[0].caption not in repr(view) and case.discussion not in repr(view)


def test_check_holds_answers_against_the_published_rows(folder, tmp_path):
    report = fiducial.check(folder)
    assert report.ok and report.document["audit"]["images"]["decoded"] == 24
    for kind, codes in (("blind", []), ("changed", ["answer_field_changed"]), ("two-letters", ["answer_letter"])):
        answers = tmp_path / f"{kind}.jsonl"
        medthink.write_submission(folder, answers, kind, "test")
        report = fiducial.check(fiducial.open(folder), predictions=answers)
        assert [finding["code"] for finding in report.findings] == codes and report.ok == (not codes)


def test_check_looks_for_synonyms_in_histories(folder, tmp_path):
    (tmp_path / "names").write_text("Diagnosis B of 66|cough\n")
    leakage = fiducial.check(folder, synonyms=tmp_path / "names").document["audit"]["leakage"]
    assert leakage["with_option"] == 1 and leakage["mentions"][0]["level"] == "L2"


def test_stats_are_those_of_the_command(folder, corpus):
    assert fiducial.stats(folder)["splits"]["test"]["images"] == 12
    assert fiducial.stats(fiducial.open(corpus / "data"))["schema"] == "fiducial.stats/1"
