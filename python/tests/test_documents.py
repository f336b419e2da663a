"""Stubs and pages are made from the code, and kept with it."""

import inspect
import pathlib
import subprocess
import sys

import pytest

import fiducial

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_stubs_are_those_of_the_native_module(tmp_path):
    pytest.importorskip("nanobind")
    out = tmp_path / "_native.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "fiducial._native", "-o", out], check=True)
    kept = ROOT / "python" / "fiducial" / "_native.pyi"
    assert kept.read_text() == out.read_text(), f"python -m nanobind.stubgen -m fiducial._native -o {kept.relative_to(ROOT)}"


def test_pages_are_made_from_the_docstrings(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools" / "python_docs.py", tmp_path], check=True)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in (ROOT / "docs" / "python").iterdir()}
    assert made == kept, "PYTHONPATH=build/python python tools/python_docs.py writes them"


def test_everything_public_is_documented_and_typed():
    assert (pathlib.Path(fiducial.__file__).parent / "py.typed").exists()
    for name in fiducial.__all__:
        thing = getattr(fiducial, name)
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            continue
        assert thing.__doc__, name
        if inspect.isfunction(thing):
            untyped = [p.name for p in inspect.signature(thing).parameters.values() if p.annotation is p.empty]
            assert not untyped, (name, untyped)
