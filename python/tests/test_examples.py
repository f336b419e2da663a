"""The examples of docstrings do what they show, in a folder that the demo wrote."""

import doctest
import inspect

import pytest

import fiducial
from fiducial import cases, scoring, verbs

NEEDED = {"fiducial.scoring.rows", "fiducial.scoring.verify", "fiducial.scoring.merge", "fiducial.verbs.export",
          "fiducial.verbs.predict", "fiducial.verbs.board", "fiducial.verbs.agree", "fiducial.scoring.Scores.report",
          "fiducial.cases.CaseImage.read_bytes"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples") / "demo"
    fiducial.demo(folder, cases=2, seed=3)
    fiducial.score(folder / "rexgroundingct", folder / "systems" / "rexgroundingct" / "good", output=folder / "scores")
    (folder / "board.csv").write_text("board,model,date,dice\nb,worse,,0.2\nb,better,,0.6\n")
    return folder


def test_examples_of_docstrings_run(demo, monkeypatch):
    monkeypatch.chdir(demo)
    runner = doctest.DocTestRunner()
    finder = doctest.DocTestFinder(recurse=True)
    found = [example for module in (cases, scoring, verbs)
             for example in finder.find(inspect.unwrap(module), globs={"fiducial": fiducial}) if example.examples]
    assert {example.name for example in found} >= NEEDED
    told = []
    for example in found:
        runner.run(example, out=told.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)
