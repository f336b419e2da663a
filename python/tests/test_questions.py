"""Questions for programs that ask models themselves, and the scores of replies that come back."""

import json

import pytest

import fiducial
import fiducial.lmms
from fiducial import errors
from fiducial.questions import Asked, prepared


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("questions") / "demo"
    fiducial.demo(folder, cases=2, seed=3)
    return folder / "medthinkvqa"


def keys(cases):
    return {case.title: case.key for case in fiducial.open(cases).split("test")}


def test_replies_by_case_are_scored_as_the_command_scores_them(cases, tmp_path):
    questions, right = prepared(Asked(str(cases), "direct")), keys(cases)
    assert set(questions.by_case) == set(right)
    replies = {case: {lines[0]["request"]: {"reply": right[case] if at else "none of these"}}
               for at, (case, lines) in enumerate(questions.by_case.items())}
    with (tmp_path / "predictions.jsonl").open("w") as file:
        for case, lines in questions.by_case.items():
            print(json.dumps({"title": case, "prediction": replies[case][lines[0]["request"]]["reply"]}), file=file)
    assert questions.numbers(replies) == fiducial.score(cases, tmp_path / "predictions.jsonl").numbers()
    one = next(iter(replies))
    assert questions.numbers({one: replies[one]})["accuracy"] == 0  # the others are no part of it


def test_what_has_no_reply_scores_nothing_and_what_failed_is_wrong(cases):
    questions = prepared(Asked(str(cases), "direct"))
    first, second = list(questions.by_case)[:2]
    assert questions.numbers({first: {}}) == {}
    replies = {first: {questions.of(first)[0]["request"]: {"error": "timed out"}},
               second: {questions.of(second)[0]["request"]: {"reply": keys(cases)[second]}}}
    assert questions.numbers(replies)["accuracy"] == 0.5


def test_questions_for_a_host_that_nobody_named_are_refused(cases):
    with pytest.raises(errors.Refused, match="allow_remote"):
        prepared(Asked(str(cases), "direct")).allow(("--endpoint", "https://models.example.org/v1"))


def test_a_task_of_lmms_eval_is_a_folder_with_its_documents(cases, tmp_path):
    file = fiducial.lmms.write_task(cases, tmp_path / "task", workflow="text-only")
    assert file == str(tmp_path / "task" / "fiducial_medthinkvqa_text_only.yaml")
    documents = [json.loads(line) for line in (tmp_path / "task" / "documents.jsonl").read_text().splitlines()]
    results = []
    for doc in documents:
        assert "Clinical history" in fiducial.lmms.doc_to_text(doc) and fiducial.lmms.doc_to_visual(doc) == []
        results.append(fiducial.lmms.process_results(doc, [keys(cases)[doc["case"]]])["accuracy"])
    assert fiducial.lmms.accuracy(results) == 1
    with pytest.raises(errors.BadUsage, match="is there"):
        fiducial.lmms.write_task(cases, tmp_path / "task")
    with pytest.raises(errors.BadUsage, match="expected one of direct"):
        fiducial.lmms.write_task(cases, tmp_path / "other", workflow="twi")
    with pytest.raises(AttributeError):
        fiducial.lmms.no_metric
