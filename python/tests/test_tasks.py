"""Every task from Python: the bytes of the command, by the options that the task declares."""

import os
import pathlib
import pickle
import subprocess
import sys

import pytest

import fiducial
from fiducial import errors

TESTS = pathlib.Path(__file__).resolve().parents[2] / "tests"
TASKS = [task.id for task in fiducial.tasks()]


def fixture(*words):
    subprocess.run([sys.executable, "-m", "fixtures", *map(str, words)], cwd=TESTS, check=True)


def write_organs(root):
    """Organ masks alone: two volumes of the tables have one, one of them is predicted."""
    fixture("radgenome", root / "data")
    names = [line.split(",")[0] for line in (root / "data/validation_vqa_presence.csv").read_text().splitlines()[1:]]
    names = sorted(set(names))[:2]
    for folder, chosen in (("data/valid_anatomy_mask", names), ("predictions/masks", names[:1])):
        for name in chosen:
            organs = root / folder / f"seg_{name.removesuffix('.nii.gz')}"
            organs.mkdir(parents=True)
            fixture("nifti", organs / "heart.nii.gz")


def drop_last_line(path):
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def write_answers(root):
    fixture("medthink", root / "data", "--cases", "12")
    fixture("medthink-predictions", root / "data", root / "predictions", "--kind", "half")
    drop_last_line(root / "predictions")


def write_tables(root):
    fixture("radgenome", root / "data")
    fixture("radgenome-answers", root / "data", root / "predictions", "--kind", "one-missing")


def write_reports(root):
    fixture("rex", root / "data")
    fixture("grounded-reports", root / "data", root / "predictions", "--kind", "wrong-place")
    drop_last_line(root / "predictions" / "grounded_reports.jsonl")


def write_controls(root):
    fixture("controls", root / "data")
    fixture("control-answers", root / "data", root / "predictions", "--kind", "drawn")
    (root / "predictions" / "train_3_a_1.nii.gz").unlink()


WRITERS = {"diagnosis": write_answers, "region_tables": write_tables, "grounded_reports": write_reports,
           "organ_masks": write_organs, "controls": write_controls}


@pytest.fixture(scope="module", params=TASKS)
def bench(request, tmp_path_factory, corpus):
    """(task, dataset, predictions) of every task."""
    if request.param == "finding_masks":
        return request.param, corpus / "data", corpus / "predictions"
    root = tmp_path_factory.mktemp(request.param)
    WRITERS[request.param](root)
    return request.param, root / "data", root / "predictions"


def command(*words):
    program = os.path.join(os.path.dirname(fiducial.__file__), "bin", "fiducial")
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr  # 1: more failures than allowed


def bytes_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def case_names(scores):
    return sorted(set(scores.rows().column("case")))


@pytest.fixture
def further(bench, tmp_path):
    """A list of some cases and a table of facts about them, as options of Python and words of the command."""
    names = case_names(fiducial.score(*bench[1:], task=bench[0], resamples=100))
    kept = names[:max(1, len(names) - 1)]
    (tmp_path / "cases.txt").write_text("".join(f"{name}\n" for name in kept))
    (tmp_path / "facts.csv").write_text("VolumeName,PatientSex\n" + "".join(
        f"\"{name}\",{'MF'[i % 2]}\n" for i, name in enumerate(kept)))
    options = {"cases": tmp_path / "cases.txt", "metadata": tmp_path / "facts.csv", "group_by": ["PatientSex"], "seed": 7,
               "resamples": 100, "system": "ours"}
    words = ["--cases", tmp_path / "cases.txt", "--metadata", tmp_path / "facts.csv", "--group-by", "PatientSex", "--seed",
             "7", "--resamples", "100", "--system", "ours"]
    return options, words


def test_writes_what_the_command_writes(bench, tmp_path):
    task, data, predictions = bench
    command("score", data, predictions, "-o", tmp_path / "command", "--task", task)
    scores = fiducial.score(data, predictions, task=task)
    scores.write(tmp_path / "python")
    assert bytes_of(tmp_path / "python") == bytes_of(tmp_path / "command")
    assert scores.summary["task"] == task and scores.summary["system"] in repr(scores)
    again = fiducial.Scores.read(tmp_path / "command")
    assert (again.summary, again.plan, again.failures) == (scores.summary, scores.plan, scores.failures)
    assert again.rows().to_pandas().equals(scores.rows().to_pandas())
    pickle.loads(pickle.dumps(scores)).write(tmp_path / "pickled")
    assert bytes_of(tmp_path / "pickled") == bytes_of(tmp_path / "command")


def test_takes_the_options_that_all_tasks_have(bench, further, tmp_path):
    task, data, predictions = bench
    options, words = further
    command("score", data, predictions, "-o", tmp_path / "command", "--task", task, *words)
    fiducial.score(data, predictions, task=task, output=tmp_path / "python", **options)
    assert bytes_of(tmp_path / "python") == bytes_of(tmp_path / "command")
    assert "PatientSex" in fiducial.Scores.read(tmp_path / "python").summary["groups"]


def test_private_scores_tell_what_the_command_tells(bench, tmp_path):
    task, data, predictions = bench
    command("score", data, predictions, "-o", tmp_path / "command", "--task", task, "--private", "--min-group", "2")
    scores = fiducial.score(data, predictions, task=task, private=True, min_group=2, output=tmp_path / "python")
    assert bytes_of(tmp_path / "python") == bytes_of(tmp_path / "command")
    assert "rows.parquet" not in bytes_of(tmp_path / "python")
    fiducial.score(data, predictions, task=task).write(tmp_path / "later", private=True, min_group=2)
    assert bytes_of(tmp_path / "later") == bytes_of(tmp_path / "command")
    for each in (scores, fiducial.Scores.read(tmp_path / "command"), pickle.loads(pickle.dumps(scores))):
        assert each.summary == scores.summary and each.failures == scores.failures
        assert {name for name, _, _ in each.failures} <= {"withheld"}
        with pytest.raises(errors.BadUsage, match="no rows"):
            each.rows()
        with pytest.raises(errors.BadUsage, match="no rows"):
            fiducial.compare(each, each)
    with pytest.raises(errors.BadUsage, match="private"):
        scores.write(tmp_path / "open", private=False)


def test_shards_are_put_together(bench, further, tmp_path):
    task, data, predictions = bench
    options, words = further
    command("score", data, predictions, "-o", tmp_path / "whole", "--task", task, *words)
    for part in range(2):
        fiducial.score_shard(data, predictions, f"{part}/2", tmp_path / str(part), task=task, **options)
        command("score", data, predictions, "-o", tmp_path / f"{part}c", "--task", task, "--shard", f"{part}/2", *words)
        assert bytes_of(tmp_path / str(part)) == bytes_of(tmp_path / f"{part}c")
    merged = fiducial.merge([tmp_path / "1", tmp_path / "0"], dataset=data, predictions=predictions)
    merged.write(tmp_path / "merged")
    assert bytes_of(tmp_path / "merged") == bytes_of(tmp_path / "whole")
    with pytest.raises(errors.Unfinished, match="0/2"):
        fiducial.merge([tmp_path / "1"])
    with pytest.raises(errors.BadUsage, match="both"):
        fiducial.merge([tmp_path / "0", tmp_path / "1"], dataset=data)


def test_says_what_is_missing(bench):
    task, data, predictions = bench
    failures = fiducial.score(data, predictions, task=task, resamples=100).failures
    expected = {"finding_masks": ("train_4_a_1.nii.gz", "missing"), "diagnosis": ("Case number 77", "missing"),
                "region_tables": ("size.csv", "missing"), "grounded_reports": ("train_3_a_1.nii.gz", "missing"),
                "organ_masks": ("masks", "masks_missing"), "controls": ("train_3_a_1.nii.gz", "missing")}
    assert expected[task] in [failure[:2] for failure in failures] and all(reason for _, _, reason in failures)


def test_unknown_options_are_refused_with_the_closest(bench):
    task, data, predictions = bench
    with pytest.raises(TypeError, match=f"'resample' is no option of task {task}. Did you mean 'resamples'.* seed") as raised:
        fiducial.score(data, predictions, task=task, resample=100)
    assert isinstance(raised.value, errors.BadUsage)


def test_tasks_are_those_of_the_command():
    program = os.path.join(os.path.dirname(fiducial.__file__), "bin", "fiducial")
    for task in fiducial.tasks():
        page = subprocess.run([program, "score", "--task", task.id, "--help"], capture_output=True, text=True, check=True).stdout
        assert all(f"--{option.typed}" in page for option in task.options)
        assert task.title in str(task) and all(option.name in fiducial.score.__doc__ for option in task.options)


def test_values_become_what_the_command_is_typed():
    masks = next(task for task in fiducial.tasks() if task.id == "finding_masks")
    answers = next(task for task in fiducial.tasks() if task.id == "diagnosis")
    assert masks.option("tolerance_mm").texts(2.0) == ["2"] and masks.option("tolerance_mm").texts(0.1) == ["0.1"]
    assert masks.option("metrics").texts("dice,hit") == masks.option("metrics").texts(["dice", "hit"]) == ["dice", "hit"]
    assert masks.option("global_only").texts(True) == ["true"] and masks.option("global_only").texts(False) == []
    assert answers.option("baselines").texts({"blind": pathlib.Path("x.jsonl")}) == ["blind=x.jsonl"]
    assert masks.option("seed").texts(None) == []


def test_arrays_take_the_options_too(corpus, dataset, tmp_path):
    (tmp_path / "cases.txt").write_text("train_1_a_1\ntrain_2_a_1\n")
    (tmp_path / "facts.csv").write_text("VolumeName,PatientSex\ntrain_1_a_1.nii.gz,M\ntrain_2_a_1.nii.gz,F\n")
    options = {"cases": tmp_path / "cases.txt", "metadata": tmp_path / "facts.csv", "group_by": "PatientSex", "min_size": 3,
               "system": "x"}
    arrays = [(case, [mask.dense() for mask in case.masks]) for case in dataset[:2]]
    scores = fiducial.score(dataset, arrays, **options)
    assert scores.summary["counts"]["cases"] == 2 and set(scores.summary["groups"]["PatientSex"]) == {"M", "F"}
    assert scores.plan["options"]["min-size"] == ["3"]
    private = fiducial.score(dataset, arrays, private=True, min_group=2, **options)
    assert "withheld" in str(private.summary) or not private.failures
    with pytest.raises(errors.BadUsage, match="min_group"):
        fiducial.score(dataset, arrays, private=True, min_group=1)
    with pytest.raises(TypeError, match="tolerance_mm"):
        fiducial.Scorer(dataset, tolerance=2)
    with pytest.raises(errors.BadUsage, match="from files"):
        fiducial.score(dataset, arrays, ignore=tmp_path)
    with pytest.raises(errors.BadUsage, match="takes predictions from files"):
        fiducial.score(dataset, arrays, task="grounded_reports")
