"""Pages that the command serves for Python."""

import json
import urllib.request

import pytest

import fiducial


def asked(page, path):
    with urllib.request.urlopen(page.url + path, timeout=30) as reply:
        return json.load(reply)


def test_serves_a_dataset_until_it_is_closed(corpus):
    with fiducial.serve(corpus / "data") as page:
        assert [one["benchmark"] for one in asked(page, "api/v1/datasets")["items"]] == ["rexgroundingct"]
        assert page.url in page._repr_html_()
    with pytest.raises(OSError):
        asked(page, "healthz")


def test_says_why_it_cannot_show_a_path(tmp_path):
    with pytest.raises(fiducial.errors.InvalidData, match="neither a dataset nor scores"):
        fiducial.serve(tmp_path)


def test_scores_show_their_rows_cases_and_predictions(corpus):
    scores = fiducial.score(corpus / "data", corpus / "predictions")
    with scores.show(open=False) as page:
        run = asked(page, "api/v1/runs")["items"][0]
        assert run["headline"]["value"] == scores[run["headline"]["slot"]]
        rows = asked(page, f"api/v1/runs/{run['id']}/worst?n=20")["items"]
        row = next(row for row in rows if row["status"] == "scored")
        case = asked(page, f"api/v1/cases/{run['dataset']['id']}/{row['case_id']}")
        assert {one["id"]: one["available"] for one in case["sets"]}[f"run:{run['id']}"]
