"""The page about training loops does what it says, where PyTorch is installed."""

import pathlib
import re

import pytest

import fiducial

torch = pytest.importorskip("torch")
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "training-loop.md"


def test_page_trains_validates_and_writes(tmp_path, monkeypatch):
    fiducial.demo(tmp_path / "demo", cases=2, seed=3)
    monkeypatch.chdir(tmp_path / "demo")
    seen = []

    def step(volume, text, mask):
        assert volume.shape == mask.shape and volume.dtype == torch.float32 and mask.dtype == torch.bool
        seen.append(text)

    def model(volume, text):
        return (volume > 0).float()

    code, = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    exec(code.replace('"ct-rate"', '"rexgroundingct/volumes"'), {"step": step, "model": model})
    opened = fiducial.open("rexgroundingct")
    assert sorted(seen) == sorted(finding.text for case in opened.split("train") for finding in case.findings)
    assert fiducial.Scores.read("scores/epoch_7").summary["split"] == "val"
    assert "<svg" in pathlib.Path("scores/epoch_7/report.html").read_text()
