"""Scores in trackers of experiments: what `Scores.log` writes into a run of MLflow or Weights & Biases.

    with mlflow.start_run() as run:
        scores.log(run)

    run = wandb.init(project="chest")
    scores.log(run)
"""

from __future__ import annotations

import collections.abc
import contextlib
import json
import os
import pathlib
import tempfile
import time
import typing
import urllib.parse

from fiducial.errors import BadUsage

if typing.TYPE_CHECKING:
    from fiducial.scoring import Scores

#: What goes along as files: the numbers, what decided them, and the page that shows them. Rows of single cases stay.
FILES = ("summary.json", "plan.json", "report.html")
_MOST_AT_ONCE = 500  # metrics in one request to MLflow, which takes 1000


class Entry(typing.NamedTuple):
    """What a tracker is given of one set of scores."""

    name: str
    numbers: dict[str, float]
    facts: dict[str, str]
    files: list[pathlib.Path]
    step: int | None


class Tracker(typing.NamedTuple):
    """A tracker: the package whose runs it knows, whether a run stays on this machine, and how it takes an entry."""

    package: str
    stays_here: collections.abc.Callable[[typing.Any], bool]
    take: collections.abc.Callable[[typing.Any, Entry], None]


def _mlflow_stays_here(run: typing.Any) -> bool:
    import mlflow

    addresses = (mlflow.get_tracking_uri(), run.info.artifact_uri)
    return all(urllib.parse.urlsplit(each).scheme in ("", "file", "sqlite") for each in addresses)


def _into_mlflow(run: typing.Any, entry: Entry) -> None:
    import mlflow

    client, now, number = mlflow.MlflowClient(), int(time.time() * 1000), run.info.run_id
    values = [mlflow.entities.Metric(name, value, now, entry.step or 0) for name, value in entry.numbers.items()]
    tags = [mlflow.entities.RunTag(f"fiducial.{name}", fact) for name, fact in entry.facts.items()]
    for first in range(0, len(values), _MOST_AT_ONCE):
        client.log_batch(number, metrics=values[first:first + _MOST_AT_ONCE])
    client.log_batch(number, tags=tags)
    for file in entry.files:
        client.log_artifact(number, os.fspath(file), entry.name)


def _into_wandb(run: typing.Any, entry: Entry) -> None:
    import wandb

    run.log(entry.numbers, step=entry.step)
    run.config.update({entry.name: entry.facts}, allow_val_change=True)
    artifact = wandb.Artifact(f"{entry.name}-{run.id}", type="scores", metadata=entry.facts)
    for file in entry.files:
        artifact.add_file(os.fspath(file), name=file.name)
    run.log_artifact(artifact)


TRACKERS = (Tracker("mlflow", _mlflow_stays_here, _into_mlflow),
            Tracker("wandb", lambda run: False, _into_wandb))  # what is offline is synchronised later


def log(scores: Scores, run: typing.Any, *, name: str = "fiducial", prefix: str = "", step: int | None = None,
        report: bool = True) -> list[str]:
    """What `Scores.log` does."""
    package = type(run).__module__.partition(".")[0]
    tracker = next((each for each in TRACKERS if each.package == package), None)
    if tracker is None:
        known = " or ".join(each.package for each in TRACKERS)
        raise BadUsage(f"run is {type(run).__module__}.{type(run).__name__}; expected a run of {known}")
    may_leave = tracker.stays_here(run) or not _must_stay(scores)
    numbers = {prefix + key: value for key, value in scores.numbers().items()}
    with contextlib.ExitStack() as scratch:
        files = _files(scores, scratch, report) if may_leave else []
        tracker.take(run, Entry(name, numbers, _facts(scores), files, step))
        return [*numbers, *(f"{name}/{file.name}" for file in files)]


def _facts(scores: Scores) -> dict[str, str]:
    summary = scores.summary
    facts = {key: summary.get(key) for key in ("task", "benchmark", "split", "system", "mode")}
    facts.update({"version": summary["provenance"].get("tool_version"), "plan": summary["provenance"].get("plan_sha256")})
    return {key: str(value) for key, value in facts.items() if value is not None}


def _files(scores: Scores, scratch: contextlib.ExitStack, report: bool) -> list[pathlib.Path]:
    """The files of the scores; written where these are in no folder yet."""
    folder = scores._folder
    if folder is None:
        folder = os.path.join(scratch.enter_context(tempfile.TemporaryDirectory(prefix="fiducial-log-")), "scores")
        from_arrays = scores._sources is not None and isinstance(scores._sources[2], dict)
        is_private = scores._native.min_group is not None
        scores.write(folder, report=report and not from_arrays)
        if report and from_arrays and not is_private:
            scores.report(os.path.join(folder, "report.html"))
    wanted = [name for name in FILES if report or not name.startswith("report")]
    return [file for file in (pathlib.Path(folder, name) for name in wanted) if file.is_file()]


def _must_stay(scores: Scores) -> bool:
    """Whether the terms of the dataset keep any of what was scored on this machine."""
    if scores._sources is None:
        return False
    dataset = scores._sources[0]
    file = pathlib.Path(getattr(dataset, "path", dataset), "terms.json")
    if not file.is_file():
        return False
    terms = json.loads(file.read_text(encoding="utf-8"))
    split = scores.summary.get("split")
    return terms.get("egress") == "forbidden" or split in terms.get("private_splits", ()) or bool(terms.get("flagged_cases"))
