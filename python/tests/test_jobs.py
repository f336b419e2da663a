"""Work in units by processes of this machine: what comes out has the bytes of a plain call. Ray is tried by tests/system/ray_jobs.py."""

import pytest

import fiducial
from fiducial import errors, jobs


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_units_of_scores_give_the_bytes_of_a_plain_call(corpus, tmp_path):
    words = (corpus / "data", corpus / "predictions")
    fiducial.score(*words, volumes=corpus / "volumes", output=tmp_path / "plain")
    scores = fiducial.score(*words, volumes=corpus / "volumes", output=tmp_path / "units", engine="local", units=3)
    assert contents(tmp_path / "units") == contents(tmp_path / "plain")
    assert scores["dice_per_case"] is not None
    assert not (tmp_path / "units.job").exists()


def test_units_of_predictions_give_the_bytes_of_a_plain_call(corpus, tmp_path):
    ask = dict(volumes=corpus / "volumes")
    plain = fiducial.predict(corpus / "data", tmp_path / "plain", **ask)
    assert fiducial.predict(corpus / "data", tmp_path / "units", engine="local", units=2, **ask) == plain
    assert contents(tmp_path / "units") == contents(tmp_path / "plain")


def test_units_of_a_stage_give_the_bytes_of_a_plain_call(tmp_path):
    reports = tmp_path / "reports.csv"
    rows = [f"v{i}.nii.gz,There is a nodule of {i} mm in the right lung. No effusion.,Nodule." for i in range(1, 9)]
    reports.write_text("\n".join(["VolumeName,Findings_EN,Impressions_EN", *rows]) + "\n")
    plain = fiducial.stages.regions(reports, output=tmp_path / "plain.csv", explain=True)
    units = fiducial.stages.regions(reports, output=tmp_path / "units.csv", explain=True, engine="local", units=3)
    assert units["items"] == plain["items"] == 8 and units["summary"] == plain["summary"]
    for name in ("", ".explain.jsonl", ".status.jsonl"):
        assert (tmp_path / f"units.csv{name}").read_bytes() == (tmp_path / f"plain.csv{name}").read_bytes()


def test_a_job_goes_on_with_its_own_plan_only(corpus, tmp_path):
    words = ["score", corpus / "data", corpus / "predictions", "--max-failures", "100%"]
    job = jobs.plan(words, tmp_path / "job", units=3)
    assert job.missing() == [0, 1, 2]
    assert jobs.plan(words, tmp_path / "job", units=3).missing() == [0, 1, 2]
    with pytest.raises(errors.BadUsage, match="holds another job"):
        jobs.plan(words, tmp_path / "job", units=2)
    job.work("local", workers=2)
    assert job.missing() == [] and job.status()["done"] == 3
    job.merge(tmp_path / "merged")
    with pytest.raises(errors.BadUsage, match="overwrite=True"):
        job.merge(tmp_path / "merged")


def test_what_makes_no_sense_is_refused(corpus, tmp_path):
    words = (corpus / "data", corpus / "predictions")
    with pytest.raises(errors.BadUsage, match="give output="):
        fiducial.score(*words, engine="local")
    with pytest.raises(errors.BadUsage, match="expected one of local, ray"):
        fiducial.score(*words, engine="dask", output=tmp_path / "out")
    with pytest.raises(errors.BadUsage, match="min_group"):
        fiducial.score(*words, engine="local", output=tmp_path / "out", private=True, min_group=1)
    with pytest.raises(errors.BadUsage, match="arrays"):
        fiducial.score(corpus / "data", [], engine="local", output=tmp_path / "out")
