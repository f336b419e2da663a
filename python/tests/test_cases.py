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


def layouts(folder, root):
    """The cases of a split with their images in a folder, an archive, the rows of shards, and what datasets saves."""
    import json
    import shutil
    import zipfile

    import pyarrow
    import pyarrow.parquet

    lines = [json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()]
    for name in ("zip", "shards", "saved"):
        (root / name).mkdir(parents=True)
    shutil.copy(folder / "test.jsonl", root / "zip" / "test.jsonl")
    with zipfile.ZipFile(root / "zip" / "images.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((folder / "images").rglob("*.jpg")):
            archive.write(file, file.relative_to(folder))
    for line in lines:
        for slot in range(1, line["image_count"] + 1):
            path = line[f"image_{slot:02d}_path"]
            line[f"image_{slot:02d}"] = {"bytes": (folder / path).read_bytes(), "path": path}
    names = sorted({name for line in lines for name in line})
    table = pyarrow.table({name: [line.get(name) for line in lines] for name in names})
    (root / "shards" / "data").mkdir()
    for number, rows in enumerate((table.slice(0, 4), table.slice(4))):
        pyarrow.parquet.write_table(rows, root / "shards" / "data" / f"test-0000{number}-of-00002.parquet", row_group_size=3)
    (root / "saved" / "test").mkdir()
    with pyarrow.ipc.new_stream(root / "saved" / "test" / "data-00000-of-00001.arrow", table.schema) as stream:
        stream.write_table(table, max_chunksize=4)
    return {"folder": folder, **{name: root / name for name in ("zip", "shards", "saved")}}


def test_bytes_of_an_image_are_the_same_wherever_they_are_stored(folder, tmp_path):
    expected = {image.path: (folder / image.path).read_bytes()
                for case in fiducial.open(folder).split("test") for image in case.images}
    assert len(set(expected.values())) == 12
    for place in layouts(folder, tmp_path).values():
        cases = fiducial.open(place).split("test")
        assert {image.path: image.read_bytes() for case in cases for image in case.images} == expected
        image = pickle.loads(pickle.dumps(cases[2])).images[-1]
        assert image.open().read() == expected[image.path] and image == cases[2].images[-1]


def test_an_image_that_is_nowhere_is_not_found(folder, tmp_path):
    (tmp_path / "test.jsonl").write_bytes((folder / "test.jsonl").read_bytes().replace(b"images/", b"../images/", 1))
    dataset = fiducial.open(tmp_path)
    with pytest.raises(errors.InvalidData, match="below the dataset"):
        dataset[0].images[0].read_bytes()
    with pytest.raises(FileNotFoundError) as caught:
        dataset[1].images[0].read_bytes()
    assert caught.value.filename == str(tmp_path / dataset[1].images[0].path)


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
