"""Functions that do what the command's verbs do, and errors in Python's words."""

import json
import pathlib
import subprocess
import sys

import pytest

import fiducial
from fiducial import errors


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "demo"
    fiducial.demo(folder, cases=2, seed=3)
    return folder


def test_headline_values_by_name(corpus, dataset):
    scores = fiducial.score(dataset, corpus / "predictions")
    assert scores["dice_per_case"] == scores.summary["metrics"]["dice_per_case"]["value"]
    assert "dice_per_case" in scores and "nothing" not in scores
    assert dict(scores)["dice_per_case"] == scores["dice_per_case"]
    with pytest.raises(KeyError, match="did you mean dice_per_case"):
        scores["dice_per_cas"]


def test_rows_equal_those_of_the_command(corpus, dataset, tmp_path):
    scores = fiducial.score(dataset, corpus / "predictions", output=tmp_path / "scores")
    program = pathlib.Path(fiducial.__file__).parent / "bin" / "fiducial"
    told = json.loads(subprocess.run([program, "rows", tmp_path / "scores", "--worst", "4", "--metric", "dice", "--json"],
                                     check=True, capture_output=True).stdout)
    for source in (scores, tmp_path / "scores"):
        found = fiducial.rows(source, worst=4, metric="dice")
        assert found.column("case") == [row["case"] for row in told]
        assert found.column("value") == [row["value"] for row in told]
    assert set(fiducial.rows(scores, where={"status": "missing"}).column("status")) == {"missing"}
    with pytest.raises(errors.UnknownName, match="did you mean status"):
        fiducial.rows(scores, where={"statos": "missing"})
    with pytest.raises(ValueError, match="worst"):
        fiducial.rows(scores, worst=0)


def test_verify_agrees_until_something_changes(own_corpus, tmp_path):
    dataset = fiducial.open(own_corpus / "data", volumes=own_corpus / "volumes")
    fiducial.score(dataset, own_corpus / "predictions", output=tmp_path / "scores")
    assert fiducial.verify(tmp_path / "scores", dataset, own_corpus / "predictions")["agrees"]
    sorted((own_corpus / "predictions").iterdir())[0].unlink()
    found = fiducial.verify(tmp_path / "scores", dataset, own_corpus / "predictions")
    assert not found["agrees"] and found["changed_inputs"]


def test_export_packs_what_passes_its_check(corpus, dataset, demo, tmp_path):
    manifest = fiducial.export(demo / "rexgroundingct", demo / "systems" / "rexgroundingct" / "good", tmp_path / "good.zip")
    assert manifest["archive"]["name"] == "good.zip" and (tmp_path / "good.zip").is_file()
    with pytest.raises(ValueError, match="overwrite=True"):
        fiducial.export(demo / "rexgroundingct", demo / "systems" / "rexgroundingct" / "good", tmp_path / "good.zip")
    with pytest.raises(errors.InvalidData, match="prediction_missing"):
        fiducial.export(dataset, corpus / "predictions", tmp_path / "bad.zip")
    assert not (tmp_path / "bad.zip").exists()


def test_predict_writes_the_baseline(demo, tmp_path):
    opened = fiducial.open(demo / "rexgroundingct", volumes=demo / "rexgroundingct" / "volumes")
    counts = fiducial.predict(opened, tmp_path / "baseline")
    assert counts["cases"] == len(list((tmp_path / "baseline").iterdir())) > 0
    assert fiducial.score(opened, tmp_path / "baseline")["dice_per_finding"] >= 0


def test_board_ranks_a_file(tmp_path):
    (tmp_path / "board.csv").write_text("board,model,date,dice\nb,worse,,0.2\nb,better,,0.6\n")
    entries = fiducial.board(tmp_path / "board.csv")["boards"][0]["entries"]
    assert [entry["model"] for entry in entries] == ["better", "worse"]
    with pytest.raises(KeyError, match="did you mean dice"):
        fiducial.board(tmp_path / "board.csv", by="dise")


def said_by_command(*words, status=0):
    program = pathlib.Path(fiducial.__file__).parent / "bin" / "fiducial"
    done = subprocess.run([str(word) for word in (program, *words)], capture_output=True)
    assert done.returncode == status, done.stderr
    return done.stdout


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_verbs_give_what_the_command_gives(demo, tmp_path):
    data, good = demo / "rexgroundingct", demo / "systems" / "rexgroundingct" / "good"
    fiducial.score(data, good, output=tmp_path / "scores")
    told = json.loads(said_by_command("verify", tmp_path / "scores", data, good, "--json"))
    assert fiducial.verify(tmp_path / "scores", data, good) == told

    for place in ("python", "command"):
        (tmp_path / place).mkdir()
    fiducial.export(data, good, tmp_path / "python" / "good.zip")
    said_by_command("export", data, good, "--to", "submission", "-o", tmp_path / "command" / "good.zip")
    fiducial.predict(data, tmp_path / "python-masks", volumes=data / "volumes")
    said_by_command("predict", "text-region", data, "--volumes", data / "volumes", "-o", tmp_path / "command-masks")
    assert contents(tmp_path / "python") == contents(tmp_path / "command")
    assert contents(tmp_path / "python-masks") == contents(tmp_path / "command-masks")

    parts = [tmp_path / "0", tmp_path / "1"]
    for part in parts:
        fiducial.score_shard(data, good, f"{part.name}/2", part)
    fiducial.merge(parts).write(tmp_path / "merged")
    said_by_command("merge", *parts, "-o", tmp_path / "command-merged")
    assert contents(tmp_path / "merged") == contents(tmp_path / "command-merged")

    (tmp_path / "board.csv").write_text("board,model,date,dice\nb,worse,,0.2\nb,better,,0.6\n")
    assert fiducial.board(tmp_path / "board.csv") == json.loads(said_by_command("board", "table", tmp_path / "board.csv", "--json"))


def test_the_package_runs_as_the_command():
    done = subprocess.run([sys.executable, "-m", "fiducial", "version"], check=True, capture_output=True, text=True)
    assert done.stdout.startswith("fiducial ")


def test_what_is_not_there_is_a_file_not_found_error(corpus, dataset):
    with pytest.raises(FileNotFoundError, match="did you mean .*predictions") as caught:
        fiducial.score(dataset, corpus / "prediction")
    assert caught.value.filename == str(corpus / "prediction")
    assert isinstance(caught.value, errors.InvalidData)


def test_unknown_names_are_key_errors_that_suggest_one(corpus, dataset):
    for options in ({"metrics": ["dise"]}, {"split": "tets"}):
        with pytest.raises(KeyError, match="did you mean"):
            fiducial.score(corpus / "data", corpus / "predictions", **options)


def test_messages_have_keywords_for_options():
    assert str(errors._error("bad_usage", "output exists; --overwrite replaces it", ("", None, None, ""), [],
                             "a--b: --group-by and --overwrite")) == "a--b: group_by and overwrite=True"
