import json
import pickle
import subprocess
import threading

import nibabel
import numpy as np
import pandas
import polars
import pyarrow
import pytest

import fiducial
from fiducial import errors


def loaded(case, root):
    return np.asarray(nibabel.load(root / "predictions" / case.file_name).dataobj)


def predicted(dataset, root):
    """(case, finding, array) of every prediction file."""
    for case in dataset.split("test"):
        if (root / "predictions" / case.file_name).exists():
            for index, array in enumerate(loaded(case, root)):
                yield case, index, array


def numbers(card):
    """The summary without what names the run itself."""
    summary = json.loads(json.dumps(card.summary))
    for key in ("system", "provenance", "plan_sha256", "plan"):
        summary.pop(key, None)
    return summary


def command(corpus, out, *options):
    import os

    program = os.path.join(os.path.dirname(fiducial.__file__), "bin", "fiducial")
    subprocess.run([program, "score", corpus / "data", corpus / "predictions", "-o", out, "--no-report", "--max-failures",
                    "100%", *options], check=True, capture_output=True)


@pytest.mark.parametrize("mode", ["both", "strict"])
def test_equals_the_command_byte_for_byte(corpus, dataset, tmp_path, mode):
    command(corpus, tmp_path / "command", "--mode", mode, "--volumes", corpus / "volumes", "--metrics", "all")
    fiducial.score(dataset, corpus / "predictions", mode=mode, metrics=["all"], output=tmp_path / "python")
    names = sorted(path.name for path in (tmp_path / "command").iterdir())
    assert "summary.json" in names and (tmp_path / "python" / "report.html").exists()
    for name in names:
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes(), name


def test_takes_paths_and_views(corpus, dataset):
    card = fiducial.score(corpus / "data", corpus / "predictions", volumes=corpus / "volumes")
    assert card.summary == fiducial.score(dataset.split("test"), str(corpus / "predictions")).summary
    assert card.summary["counts"]["cases"] == 4
    with pytest.raises(errors.BadUsage, match="view of 'test'"):
        fiducial.score(dataset.split("test"), corpus / "predictions", split="val")


def test_says_what_failed(corpus, dataset):
    (name, status, reason), = fiducial.score(dataset, corpus / "predictions").failures
    assert (name, status) == ("train_4_a_1.nii.gz", "missing") and reason


def test_arrays_score_like_the_files_they_came_from(corpus, dataset):
    from_files = fiducial.score(dataset, corpus / "predictions", metrics=["all"])
    scorer = fiducial.Scorer(dataset, metrics=["all"])
    for case, finding, array in predicted(dataset, corpus):
        scorer.add(case, case.findings[finding], array)
    assert len(scorer) == 3 and scorer.split == "test"
    from_arrays = scorer.card()
    assert from_arrays.rows().to_pandas().equals(from_files.rows().to_pandas())
    for part in ("metrics", "official", "counts", "groups"):
        assert from_arrays.summary.get(part) == from_files.summary.get(part), part


def without_provenance(page):
    """A page without the hashes of the files behind it and the command that names them."""
    return page[:page.index('id="reproduce"')]


def test_arrays_have_the_report_of_their_files(corpus, dataset, tmp_path):
    from_files = fiducial.score(dataset, corpus / "predictions", system="x", output=tmp_path / "scores")
    written = (tmp_path / "scores" / "report.html").read_text()
    assert from_files.report(tmp_path / "files.html") == str(tmp_path / "files.html")
    assert (tmp_path / "files.html").read_text() == written and written.count("<svg") > 3
    from_arrays = fiducial.score(dataset, predicted(dataset, corpus), system="x")
    for name, scores in (("arrays.html", from_arrays), ("sent.html", pickle.loads(pickle.dumps(from_arrays)))):
        scores.report(tmp_path / name)
        assert without_provenance((tmp_path / name).read_text()) == without_provenance(written)
    with pytest.raises(errors.Refused):
        from_arrays.report(tmp_path / "arrays.html")
    from_arrays.report(tmp_path / "arrays.html", overwrite=True)
    with pytest.raises(errors.BadUsage, match="read from a folder"):
        fiducial.Scores.read(tmp_path / "scores").report(tmp_path / "again.html")


def test_iterables_of_arrays_are_scored_too(corpus, dataset):
    by_finding = fiducial.score(dataset, predicted(dataset, corpus), system="x")
    by_case = fiducial.score(dataset, ((case.name, loaded(case, corpus)) for case in dataset[:3]), system="x")
    assert by_finding.summary == by_case.summary
    assert by_case.summary["metrics"] == fiducial.score(dataset, corpus / "predictions").summary["metrics"]


def test_an_exception_of_the_users_iterator_comes_through(dataset):
    def broken():
        yield dataset[0], 0, np.zeros(dataset[0].shape, bool)
        raise RuntimeError("the model is out of memory")

    with pytest.raises(RuntimeError, match="the model is out of memory"):
        fiducial.score(dataset, broken())
    with pytest.raises(errors.BadUsage, match="must be tuples"):
        fiducial.score(dataset, [np.zeros((3, 3, 3))])


def test_a_case_that_lacks_findings_has_failed(dataset):
    scorer = fiducial.Scorer(dataset)
    assert repr(scorer) == f"<fiducial.Scorer of {scorer.split}: 0 cases complete>"
    scorer.add("train_1_a_1", 0, np.zeros(dataset[0].shape, bool))
    failures = {name: (status, reason) for name, status, reason in scorer.card().failures}
    assert failures["train_1_a_1.nii.gz"] == ("failed", "1 of 3 findings were added")
    assert failures["train_2_a_1.nii.gz"][0] == "missing"


def test_the_scorer_refuses_what_does_not_belong(dataset):
    scorer = fiducial.Scorer(dataset)
    empty = np.zeros(dataset[0].shape, bool)
    scorer.add("train_1_a_1", 0, empty)
    with pytest.raises(errors.BadUsage, match="finding 0 of train_1_a_1.nii.gz was added before"):
        scorer.add(dataset[0], 0, empty)
    with pytest.raises(errors.BadUsage, match="no finding 3 of train_1_a_1.nii.gz: it has 3 findings"):
        scorer.add(dataset[0], 3, empty)
    with pytest.raises(errors.BadUsage, match='no case "nobody.nii.gz" in split "test"'):
        scorer.add("nobody", 0, empty)
    with pytest.raises(errors.BadUsage, match="array of 24 x 20 x 11 voxels for finding 1 .* expected 24 x 20 x 12"):
        scorer.add(dataset[0], 1, empty[:, :, 1:])
    with pytest.raises(errors.BadUsage, match="float64"):
        scorer.add(dataset[0], 1, empty.astype(float))
    with pytest.raises(errors.BadUsage, match="case is int"):
        scorer.add(0, 1, empty)


def test_threads_share_a_scorer(corpus, dataset):
    expected = fiducial.score(dataset, corpus / "predictions").summary["metrics"]
    for _ in range(10):
        scorer, todo, raised = fiducial.Scorer(dataset), list(predicted(dataset, corpus)), []

        def work(scorer=scorer, todo=todo, raised=raised):
            try:
                while todo:
                    scorer.add(*todo.pop())
            except IndexError:
                pass
            except Exception as reason:  # noqa: BLE001
                raised.append(reason)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not raised and len(scorer) == 3
        assert scorer.card().summary["metrics"] == expected


def test_two_threads_that_add_the_same_finding_get_one_error(dataset):
    scorer, raised = fiducial.Scorer(dataset), []
    array = np.zeros(dataset[0].shape, bool)
    barrier = threading.Barrier(2)

    def work():
        barrier.wait()
        try:
            scorer.add(dataset[0], 1, array)
        except errors.BadUsage as reason:
            raised.append(reason)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(raised) == 1


def test_rows_reach_pandas_polars_and_pyarrow(corpus, dataset):
    rows = fiducial.score(dataset, corpus / "predictions").rows()
    table = pyarrow.table(rows)
    assert table.num_rows == len(rows) > 0 and table.column_names == rows.columns
    assert polars.DataFrame(rows).to_dict(as_series=False) == table.to_pydict()
    frame = rows.to_pandas()
    assert list(frame.columns) == rows.columns and len(frame) == len(rows)
    assert pandas.DataFrame.from_arrow(rows).equals(frame)
    assert [rows.column(name) for name in rows.columns] == list(table.to_pydict().values())
    with pytest.raises(KeyError):
        rows.column("other")


def test_cards_are_written_read_pickled_and_compared(corpus, dataset, tmp_path):
    card = fiducial.score(dataset, corpus / "predictions", system="moved")
    perfect = fiducial.score(dataset, ((case, [mask.dense() for mask in case.masks]) for case in dataset), system="perfect")
    card.write(tmp_path / "scores")
    with pytest.raises(errors.BadUsage, match="exists"):
        card.write(tmp_path / "scores")
    again = fiducial.Scores.read(tmp_path / "scores")
    assert again.summary == card.summary and again.plan == card.plan
    for kept in (pickle.loads(pickle.dumps(card)), pickle.loads(pickle.dumps(again))):
        assert kept.summary == card.summary
        assert kept.rows().to_pandas().equals(card.rows().to_pandas())
    for comparison in (fiducial.compare(card, perfect), fiducial.compare(tmp_path / "scores", perfect)):
        assert "perfect" in str(comparison) and comparison.document["schema"] == "fiducial.comparison/1"
    assert "moved" in str(card) and "moved" in repr(card)
    assert fiducial.Card is fiducial.Scores  # its earlier name


def test_progress_is_told_and_its_exceptions_come_through(corpus, dataset):
    told = []
    fiducial.score(dataset, corpus / "predictions", progress=lambda *news: told.append(news))
    assert told[-1] == ("scoring", 4, 4)

    def broken(what, done, total):
        raise RuntimeError("no paper")

    with pytest.raises(RuntimeError, match="no paper"):
        fiducial.score(dataset, corpus / "predictions", progress=broken)


def test_files_that_vanish_are_named(own_corpus):
    dataset = fiducial.open(own_corpus / "data", volumes=own_corpus / "volumes")
    case = dataset[0]
    volume = case.volume
    (own_corpus / "data" / "segmentations" / case.file_name).unlink()
    with pytest.raises(errors.InvalidData) as raised:
        case.findings[0].mask
    assert raised.value.place.path == case.mask_path and raised.value.status == 3
    pathlib_volume = volume.path
    import os

    os.unlink(pathlib_volume)
    with pytest.raises(errors.InvalidData, match="cannot open"):
        volume.hu
    with pytest.raises(errors.InvalidData):
        fiducial.score(dataset, own_corpus / "predictions")


def test_broken_files_carry_their_place(tmp_path, corpus, dataset):
    bad = tmp_path / "bad.nii.gz"
    bad.write_bytes(open(dataset[0].volume_path, "rb").read()[:60])
    with pytest.raises(errors.InvalidData) as raised:
        fiducial.Volume(bad).hu
    assert raised.value.place.path == str(bad) and raised.value.code == "invalid_data"
    assert pickle.loads(pickle.dumps(raised.value)).place == raised.value.place


def test_check_convert_and_demo_do_what_the_verbs_do(corpus, dataset, tmp_path):
    report = fiducial.check(dataset, volumes=corpus / "volumes")
    assert report.ok and report and report.document["schema"] == "fiducial.check/1"
    assert not fiducial.check(corpus / "data", predictions=corpus / "predictions").ok
    fiducial.convert(dataset[0].volume_path, tmp_path / "ras.nii.gz", orient="RAS")
    assert fiducial.Volume(tmp_path / "ras.nii.gz").orientation == "RAS"
    turned = nibabel.as_closest_canonical(nibabel.load(dataset[0].volume_path))
    np.testing.assert_array_equal(fiducial.Volume(tmp_path / "ras.nii.gz").hu, turned.get_fdata())
    with pytest.raises(errors.BadUsage, match="exists"):
        fiducial.convert(dataset[0].volume_path, tmp_path / "ras.nii.gz")


def test_the_demo_is_curated_into_both_layouts(tmp_path):
    fiducial.demo(tmp_path / "demo", cases=1)
    assert fiducial.stats(tmp_path / "demo" / "curated" / "radgenome")["benchmark"] == "radgenome"
    assert (tmp_path / "demo" / "curated" / "rexgroundingct" / "dataset.json").is_file()
    scores = fiducial.score_tables(tmp_path / "demo" / "curated" / "radgenome",
                                   tmp_path / "demo" / "systems" / "radgenome" / "careful", tmp_path / "scores")
    assert 0.5 < scores.summary["metrics"]["abnormality_exact"]["value"] < 1


def test_every_error_code_has_an_exception_with_the_commands_status():
    from fiducial import _native

    for kind in errors.ALL:
        assert _native.exit_status(kind.code) == kind.status
        assert issubclass(kind, errors.Error)


def test_what_the_system_refuses_is_an_os_error_that_names_the_path():
    with pytest.raises(OSError) as caught:
        fiducial.demo("/sys/demo")  # where not even root makes folders
    assert isinstance(caught.value, errors.IoError)
    assert (caught.value.status, caught.value.filename) == (74, "/sys/demo")


def test_unknown_modes_and_metrics_are_refused(corpus, dataset):
    with pytest.raises(errors.BadUsage, match="mode"):
        fiducial.score(dataset, corpus / "predictions", mode="other")
    with pytest.raises(errors.BadUsage, match="other"):
        fiducial.score(dataset, corpus / "predictions", metrics=["other"])
    with pytest.raises(errors.InvalidData, match="no such folder"):
        fiducial.score(dataset, corpus / "nowhere")


def test_convert_reads_dicom_folders_as_the_command_does(tmp_path):
    import os

    from fixtures import dicom

    program = os.path.join(os.path.dirname(fiducial.__file__), "bin", "fiducial")
    if not os.path.exists(program + "-dicom"):
        pytest.skip("fiducial-dicom is not built: no GDCM here")
    (tmp_path / "series").mkdir()
    dicom.write_series(str(tmp_path / "series"), dicom.Series(), None, "")
    fiducial.convert(tmp_path / "series", tmp_path / "python.nii", orient="RAS")
    subprocess.run([program, "convert", tmp_path / "series", tmp_path / "command.nii", "--orient", "RAS"], check=True)
    assert (tmp_path / "python.nii").read_bytes() == (tmp_path / "command.nii").read_bytes()
    with pytest.raises(errors.BadUsage, match="series chooses from a folder"):
        fiducial.convert(tmp_path / "python.nii", tmp_path / "other.nii", series="1.2.3")
