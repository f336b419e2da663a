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


def test_the_class_of_an_error_follows_from_its_code_and_reason_never_from_its_words():
    words = ('no metric "dise"; there is dice', "no such file", "cannot open: No such file or directory", "")
    kinds = {("bad_usage", "unknown_name"): errors.UnknownName, ("bad_usage", "other"): errors.BadUsage,
             ("invalid_data", "path_missing"): errors.NotFound, ("invalid_data", "other"): errors.InvalidData,
             ("unavailable", "path_missing"): errors.Unavailable, ("io", "path_missing"): errors.IoError}
    for (code, reason), kind in kinds.items():
        for message in words:
            assert type(errors._error(code, reason, message, ("a", None, None, ""), [], message)) is kind


def test_errors_of_the_command_are_those_of_the_module(corpus, tmp_path):
    with pytest.raises(errors.NotFound) as caught:
        fiducial.jobs.say(["stats", corpus / "nowhere"])
    assert caught.value.filename == str(corpus / "nowhere") and caught.value.message == "no such dataset folder"
    with pytest.raises(errors.UnknownName, match="did you mean"):
        fiducial.jobs.say(["score", corpus / "data", corpus / "predictions", "--metrics", "dise", "-o", tmp_path / "scores"])
    with pytest.raises(FileNotFoundError):
        fiducial.serve(corpus / "nowhere")


def test_agree_equals_the_command(tmp_path):
    table = tmp_path / "ratings.csv"
    table.write_text("case,Adams,Brown,Clark\na,1,1,0\nb,0,0,0\nc,1,,1\nd,0,1,1\n")
    found = fiducial.agree(table, resamples=50, seed=3)
    assert found == json.loads(said_by_command("agree", table, "--resamples", "50", "--seed", "3", "--json"))
    ratings = {"Adams": [1, 0, 1, 0], "Brown": [1, 0, None, 1], "Clark": [0, 0, 1, 1]}
    assert fiducial.agree(ratings, resamples=50, seed=3) == found
    assert fiducial.agree(table, raters=["Adams", "Brown"])["raters"] == ["Adams", "Brown"]
    with pytest.raises(errors.UnknownName, match="strict, official"):
        fiducial.agree(table, mode="lax", judge=table)
    for wrong in ({"resamples": 0}, {"mode": "official"}, {"judge": table, "raters": ["Adams"]}):
        with pytest.raises(errors.BadUsage):
            fiducial.agree(table, **wrong)
    with pytest.raises(errors.BadUsage, match="for each item"):
        fiducial.agree({"Adams": [1], "Brown": [1, 0]})


def test_messages_have_keywords_for_options():
    assert str(errors._error("bad_usage", "other", "output exists; --overwrite replaces it", ("", None, None, ""), [],
                             "a--b: --group-by and --overwrite")) == "a--b: group_by and overwrite=True"


def test_resampled_masks_go_there_and_back_as_the_command_takes_them(corpus, dataset, tmp_path):
    mask = corpus / "data" / "segmentations" / "train_1_a_1.nii.gz"
    made = fiducial.resample(mask, tmp_path / "placed.nii.gz", like=dataset[0].volume_path, channels="first")
    assert made["interpolation"] == "nearest"
    record = tmp_path / "record.json"
    record.write_text(json.dumps({"schema": "fiducial.transform/1", "from": made["record"]["from"],
                                  "steps": [{"orient": "RAS"}, {"pad": {"low": [1, 1, 1], "high": [0, 0, 0]}}]}))
    fiducial.resample(tmp_path / "placed.nii.gz", tmp_path / "there.nii.gz", transform=record, interpolation="labels", channels="first")
    fiducial.resample(tmp_path / "there.nii.gz", tmp_path / "back.nii.gz", transform=record, inverse=True, channels="first")
    assert (tmp_path / "back.nii.gz").read_bytes() == (tmp_path / "placed.nii.gz").read_bytes()
    with pytest.raises(errors.BadUsage, match="labels or linear"):
        fiducial.resample(mask, tmp_path / "x.nii.gz", like=mask, interpolation="cubic")


def test_outputs_of_a_segmenter_are_packed_and_score_1(corpus, dataset, tmp_path):
    for case in dataset:
        for finding in case.findings:
            image = fiducial.Mask(finding.mask.dense() > 0).dense()
            write_mask(tmp_path / "out" / case.name.removesuffix(".nii.gz") / f"finding_{finding.index}.nii.gz", image, case.volume.affine)
    made = fiducial.pack(tmp_path / "out", tmp_path / "packed", segmenter="folder", dataset=dataset)
    assert made["masks"] == sum(len(case.findings) for case in dataset)
    assert fiducial.score(dataset, tmp_path / "packed")["dice_per_finding"] == 1


def write_mask(path, array, affine):
    import nibabel

    path.parent.mkdir(parents=True, exist_ok=True)
    nibabel.save(nibabel.Nifti1Image(array.astype("uint8"), affine), path)


def test_lobes_are_united_to_lungs(tmp_path):
    import numpy

    for number, name in enumerate(("lung_upper_lobe_left", "lung_lower_lobe_left")):
        array = numpy.zeros((6, 5, 4))
        array[number] = 1
        write_mask(tmp_path / "masks" / "v_1_a_1" / f"{name}.nii.gz", array, numpy.diag([2, 2, 3, 1]))
    made = fiducial.anatomy.regions(tmp_path / "masks", tmp_path / "regions", names=["left lung"])
    assert made["written"] == 1
    assert fiducial.Mask(tmp_path / "regions" / "anatomy_mask" / "seg_v_1_a_1" / "left lung.nii.gz").voxels == 40


def test_detections_have_an_average_precision():
    assert fiducial.metrics.detections([(1, [(0.5, 0)]), (0, [])])["average_precision"] == 1
    with pytest.raises(errors.InvalidData, match="lesion 3"):
        fiducial.metrics.detections([(1, [(0.5, 3)])])
