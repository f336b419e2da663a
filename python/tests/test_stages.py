"""The stages of building a benchmark, called from Python."""

import inspect
import json

import pytest

import fiducial


def write_cases(path):
    cases = [{"title": f"Case number {n}", "CLINICAL_HISTORY": "Known flu.", "options": dict(zip("ABCDEFG", ["flu", *"bcdefg"])),
              "correct_answer": "G"} for n in range(3)]
    path.write_text(json.dumps(cases))
    return path


def test_every_stage_of_the_command_is_a_documented_function():
    for stage in fiducial.stages.stages():
        function = getattr(fiducial.curate, stage["name"].replace("-", "_"))
        assert function.__doc__, stage["name"]
    signature = inspect.signature(fiducial.curate.text_filter)
    assert list(signature.parameters) == ["cases", "output", "probe", "remove_when", "mode", "overwrite", "engine", "job", "units"]


def test_a_stage_returns_its_manifest(tmp_path):
    cases = write_cases(tmp_path / "cases.json")
    manifest = fiducial.curate.options(cases, output=tmp_path / "pruned.json", seed=42)
    assert manifest["statuses"] == {"changed": 3} and manifest["seed"] == 42
    pruned = json.loads((tmp_path / "pruned.json").read_text())
    assert all(item["options"][item["correct_answer"]] == "g" and len(item["options"]) == 5 for item in pruned)


def test_what_is_wrong_is_raised(tmp_path):
    cases = write_cases(tmp_path / "cases.json")
    with pytest.raises(fiducial.errors.BadUsage, match="seed"):
        fiducial.curate.options(cases, output=tmp_path / "a.json")
    with pytest.raises(fiducial.errors.Unfinished):
        fiducial.curate.leakage(cases, output=tmp_path / "b.jsonl", model="judge")
    assert len((tmp_path / "b.jsonl.requests.jsonl").read_text().splitlines()) == 1  # equal requests are asked once
    with pytest.raises(fiducial.errors.BadUsage, match="no option"):
        fiducial.curate.leakage(cases, output=tmp_path / "c.jsonl", wrong="x")
    with pytest.raises(TypeError):
        fiducial.curate.leakage(cases, cases, output=tmp_path / "c.jsonl")


def test_a_stage_takes_the_output_of_another(tmp_path):
    reports = tmp_path / "reports.csv"
    reports.write_text("VolumeName,Findings_EN,Impressions_EN\na,A 5 mm nodule is seen in the left lung.,Nodule\n")
    fiducial.curate.standardise(reports, output=tmp_path / "standard")
    manifest = fiducial.curate.findings(reports, output=tmp_path / "findings", from_=[tmp_path / "standard"])
    assert [each["role"] for each in manifest["inputs"]] == ["from", "REPORTS"]
    assert json.loads((tmp_path / "findings/positive_finding_reports/a.json").read_text()) == {
        "P1": "A 5 mm nodule is seen in the left lung"}
