"""Scoring by any task: predictions from files, or masks straight from arrays."""

from __future__ import annotations

import collections.abc
import contextlib
import difflib
import os
import tempfile
import typing

from fiducial import _native
from fiducial.cases import DiagnosisDataset
from fiducial.datasets import Case, Dataset, Finding, PathLike, _case_name
from fiducial.errors import BadUsage, Refused, UnknownName
from fiducial.jobs import Engine
from fiducial.masks import _label_mask
from fiducial.options import Task, with_options
from fiducial.options import task as find_task
from fiducial.progress import Wish, shown
from fiducial.serving import Page, serve

AnyDataset = typing.Union[Dataset, DiagnosisDataset, PathLike]
Prediction = tuple[typing.Any, ...]  # (case, finding, array), or (case, array) with findings first
ArrayMasks = dict[str, dict[int, _native.LabelMask]]  # by case and finding
Sources = tuple[AnyDataset, typing.Union[PathLike, None], typing.Union[PathLike, ArrayMasks]]  # dataset, CTs, predictions


class Rows:
    """One row for every case, finding and metric.

    Other libraries take it by the Arrow PyCapsule protocol: `pandas.DataFrame.from_arrow(rows)`,
    `polars.DataFrame(rows)`, `pyarrow.table(rows)`, in any of their versions that know the protocol.
    """

    def __init__(self, native: _native.SharedTable):
        self._native = native

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._native.column_names

    def column(self, name: str) -> list[typing.Any]:
        """The values of a column; None where there is none."""
        return self._native.column(name)

    def to_pandas(self) -> typing.Any:
        """The rows as a pandas.DataFrame."""
        import pandas

        if hasattr(pandas.DataFrame, "from_arrow"):
            return pandas.DataFrame.from_arrow(self)
        return pandas.DataFrame({name: self.column(name) for name in self.columns})

    def __len__(self) -> int:
        return len(self._native)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<fiducial.Rows: {len(self)} rows of {', '.join(self.columns)}>"


class Scores:
    """The scores of one system by any task: a summary, every row behind it, and the plan that makes them again."""

    def __init__(self, native: _native.FinishedRun, folder: str | None = None, sources: Sources | None = None):
        self._native = native
        self._folder = folder
        self._sources = sources  # for pictures
        self._summary: dict[str, typing.Any] | None = None
        self._rows: Rows | None = None

    @classmethod
    def read(cls, folder: PathLike) -> Scores:
        """The scores in a folder that `fiducial score` or `write` made."""
        return cls(_native.read_run(folder), os.fspath(folder))

    @property
    def summary(self) -> dict[str, typing.Any]:
        """Headline values with intervals and counts, groups, and where they come from; as in summary.json."""
        if self._summary is None:
            self._summary = self._native.summary
        return self._summary

    @property
    def plan(self) -> dict[str, typing.Any]:
        """Everything that decided the numbers, with the hashes of what went in; as in plan.json."""
        return self._native.plan

    @property
    def failures(self) -> list[tuple[str, str, str]]:
        """What has no usable prediction: the name of a case or file, a code such as "missing" or "failed", and why.

        Private scores tell no names, only how many there are.
        """
        return [(each["case"], each["code"], each["text"]) for each in self.summary.get("remarks", ())
                if each.get("failed")]

    def rows(self) -> Rows:
        """One row for every case, finding or region and metric; as in rows.parquet. Private scores have none."""
        if self._rows is None:
            self._rows = Rows(self._native.rows())
        return self._rows

    def __getitem__(self, name: str) -> float | None:
        """A headline value by its name, such as scores["dice_per_case"]; None where it is undefined.

        The summary has its interval and its counts: scores.summary["metrics"][name].
        """
        try:
            return self.summary["metrics"][name].get("value")
        except KeyError:
            raise UnknownName(_unknown("value", name, self.keys())) from None

    def __contains__(self, name: object) -> bool:
        return name in self.summary["metrics"]

    def __iter__(self) -> collections.abc.Iterator[str]:
        return iter(self.keys())

    def keys(self) -> list[str]:
        """The names of the headline values."""
        return list(self.summary["metrics"])

    def numbers(self) -> dict[str, float]:
        """All headline values that are defined, flat: with `_low` and `_high`, the ends of the 95 % interval, where there is one.

        Values by the published scorer's rules, where these stand beside ours, begin with `official_`.

        >>> "official_dice_per_case" in fiducial.Scores.read("scores").numbers()
        True
        """
        found: dict[str, float] = {}
        for start, slots in (("", self.summary["metrics"]), ("official_", self.summary.get("official") or {})):
            for name, slot in slots.items():
                if slot.get("value") is None:
                    continue
                found[start + name] = slot["value"]
                if slot.get("ci95"):
                    found[f"{start}{name}_low"], found[f"{start}{name}_high"] = slot["ci95"]
        return found

    def log(self, run: typing.Any, *, name: str = "fiducial", prefix: str = "", step: int | None = None,
            report: bool = True) -> list[str]:
        """Writes these scores into a run of MLflow or Weights & Biases, and returns the names of what was written.

        The values are those of `numbers`, each behind `prefix`; summary.json, plan.json and report.html go along as
        artifacts below `name`, rows of single cases never do. Private scores give the files that `write` makes of them.
        Where the terms of the dataset keep any of it on this machine and the run does not stay here, only values leave.
        """
        from fiducial.tracking import log

        return log(self, run, name=name, prefix=prefix, step=step, report=report)

    def write(self, folder: PathLike, overwrite: bool = False, report: bool = True, *, private: bool | None = None,
              min_group: int = 20) -> None:
        """Writes what `fiducial score` writes: summary.json, plan.json, rows.parquet, report.html and what else the task has.

        With `private` nothing is written about single cases or fewer than `min_group` patients; scores that are private
        already stay so, with theirs. Predictions that came as arrays have no report here: `report` writes one.
        """
        least = self._native.min_group
        if least is not None and private is False:
            raise BadUsage("these scores are private and are written so; score again without private=True")
        self._native.write(folder, overwrite, _least(bool(private), min_group) if least is None else least, report)

    def report(self, path: PathLike, overwrite: bool = False) -> str:
        """Writes the page that `fiducial score` writes as report.html, also for predictions that came as arrays.

        >>> ds = fiducial.open("rexgroundingct").split("test")
        >>> scores = fiducial.score(ds, ((case, case.masks) for case in ds))
        >>> scores.report("page.html")
        'page.html'
        """
        if self._sources is None:
            raise BadUsage("these scores were read from a folder or put together; their report.html is written with them")
        dataset, volumes, predictions = self._sources
        volumes = getattr(dataset, "volumes", None) if volumes is None else volumes
        if os.path.lexists(path) and not overwrite:
            raise Refused(f"{os.fspath(path)} is there; overwrite=True replaces it")
        with _files_of(predictions) as files:
            page = self._native.page(_folder(dataset), files, volumes)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(page)
        return os.fspath(path)

    def show(self, open: bool = True) -> Page:  # noqa: A002
        """Shows these scores in a browser: every number, the rows behind it and, where they are known, cases and predictions.

        Scores that are in no folder are written to a temporary one, which goes with the page.
        """
        paths: list[PathLike] = []
        kept = None
        folder = self._folder
        if folder is None:
            kept = tempfile.TemporaryDirectory(prefix="fiducial-")
            folder = os.path.join(kept.name, "scores")
            self.write(folder, report=False)
        paths.append(folder)
        volumes = None
        if self._sources is not None:
            dataset, volumes, predictions = self._sources
            volumes = getattr(dataset, "volumes", None) if volumes is None else volumes
            paths.append(_folder(dataset))
            if not isinstance(predictions, dict):
                paths.append(predictions)
        page = serve(*paths, volumes=volumes, open=open)
        page._kept = kept
        return page

    def __str__(self) -> str:
        return self._native.text

    def __repr__(self) -> str:
        return f"<fiducial.Scores of {self.summary['system']}>" if "system" in self.summary else "<fiducial.Scores>"

    def __reduce__(self) -> tuple[typing.Any, ...]:
        if self._folder is not None:
            return Scores.read, (self._folder,)
        return Scores, (self._native, None, self._sources)

    def _weakest_finding(self) -> tuple[Case, int, float, collections.abc.Callable[[], typing.Any]] | None:
        """The scored finding of lowest strict Dice, and a function that reads what was predicted."""
        if self._sources is None or self.summary["task"] != "finding_masks" or self._native.min_group is not None:
            return None
        opened, volumes, predictions = self._sources
        rows = self.rows()
        columns = [rows.column(name) for name in ("metric", "status", "value", "case", "finding")]
        scored = [(value, case, finding) for metric, status, value, case, finding in zip(*columns)
                  if metric == "dice" and status == "scored" and value is not None]
        if not scored:
            return None
        dice, name, index = min(scored)
        dataset = opened if isinstance(opened, Dataset) else Dataset(opened, volumes)
        if isinstance(predictions, dict):
            return dataset[name], index, dice, lambda: predictions[name][index]
        return dataset[name], index, dice, lambda: _native.read_prediction(predictions, name, index)

    def _repr_html_(self) -> str:
        from fiducial._html import scores_page

        return scores_page(self)


def rows(scores: Scores | PathLike, *, worst: int | None = None, where: collections.abc.Mapping[str, typing.Any] | None = None,
         metric: str | None = None, scorer: str = "strict") -> Rows:
    """Rows of scores or of a score folder, as `fiducial rows` lists them.

    `worst` takes only so many, the worst first, by `metric`, which is the first of the run unless it is named. `where`
    keeps those with these values, such as `{"category": "2d"}`.

    >>> len(fiducial.rows("scores", worst=3))
    3
    """
    if worst is not None and worst < 1:
        raise BadUsage(f"worst is {worst}; expected 1 at least")
    query = _native.RowQuery()
    query.metric, query.scorer, query.worst = metric or "", scorer, worst
    query.where = [f"{column}={value}" for column, value in (where or {}).items()]
    found = scores if isinstance(scores, Scores) else Scores.read(scores)
    return Rows(_native.choose_rows(found.rows()._native, query))


def verify(scores: PathLike, dataset: AnyDataset, predictions: PathLike, *, threads: int = 0, progress: Wish = None,
           **inputs: typing.Any) -> dict[str, typing.Any]:
    """Hashes and scores again and compares with a score folder, as `fiducial verify --json` does.

    `inputs` are the files that the scores were made with beside dataset and predictions, such as `volumes`, by the names
    that `score` has for them. `agrees` in what is returned says whether everything is the same.

    >>> fiducial.verify("scores", "rexgroundingct", "systems/rexgroundingct/good")["agrees"]
    True
    """
    task = _native.task_of_scores(scores)
    values = _values(dataset, find_task(task), inputs)
    values.pop("split", None)  # the plan has it
    request = _native.ScoreRequest(task, _folder(dataset), predictions, values, threads)
    with shown(progress) as told:
        return _native.verify(scores, request, told)


class Comparison:
    """How systems differ: paired differences with intervals and p-values, by group, and ranks."""

    def __init__(self, native: _native.ComparedRuns):
        self._native = native

    @property
    def document(self) -> dict[str, typing.Any]:
        """The comparison as `fiducial compare --json` prints it."""
        return self._native.document

    def __str__(self) -> str:
        return self._native.text

    def __repr__(self) -> str:
        return "<fiducial.Comparison>"


@with_options
def score(dataset: AnyDataset, predictions: PathLike | collections.abc.Iterable[Prediction], *, task: str | None = None,
          private: bool = False, min_group: int = 20, threads: int = 0, output: PathLike | None = None,
          overwrite: bool = False, progress: Wish = None, engine: str | None = None, job: PathLike | None = None,
          units: int | None = None, **options: typing.Any) -> Scores:
    """Scores predictions against a dataset, as `fiducial score` does, and returns the scores.

    `predictions` is a file, folder or flat zip, as the task takes it, or an iterable of (case, finding, array) or of
    (case, array) with findings first, for masks of findings. `task` is one of `fiducial.tasks()`; by default what the
    predictions are for. `options` are those of the task: keywords with the names that the command has, underscores for
    dashes; None leaves one as it is. The split is that of the dataset's view, else `split`; CTs are those of `volumes`,
    else those the dataset was opened with. With `private` nothing is told about single cases or fewer than `min_group`
    patients. With `output` the scores are also written there.

    With `engine` "ray", or "local" for processes of this machine, the cases are cut into `units`, which are worked on in
    the folder `job` (by default OUTPUT.job, and gone afterwards); see `fiducial.jobs`.
    """
    if engine is not None:
        return _score_by(Engine(engine, job, units), dataset, predictions, task, options,
                         {"least": _least(private, min_group), "output": output, "overwrite": overwrite})
    least = _least(private, min_group)
    if output is not None:
        _native.check_output(output, overwrite)
    if isinstance(predictions, (str, os.PathLike)):
        request, sources = _request(dataset, predictions, task, threads, options)
        with shown(progress) as told:
            scores = Scores(_native.score(request, least, told), sources=sources)
    else:
        if task not in (None, "finding_masks"):
            raise BadUsage(f"arrays are scored as finding_masks; {task} takes predictions from files")
        scorer = Scorer(dataset, **options)
        for prediction in predictions:
            scorer._add_any(prediction)
        scores = scorer._result(least, threads, progress)
    if output is not None:
        scores.write(output, overwrite)
    return scores


def _score_by(engine: Engine, dataset: AnyDataset, predictions: typing.Any, task: str | None,
              options: dict[str, typing.Any], wish: dict[str, typing.Any]) -> Scores:
    if not isinstance(predictions, (str, os.PathLike)):
        raise BadUsage("engine: arrays are scored here; on many machines predictions are files")
    asked = {"grounded-report": "grounded_reports"}.get(task or "", task or "")  # an earlier name
    chosen = _native.choose_task(_folder(dataset), predictions, asked)
    declared = find_task(chosen)
    flags = {option.typed for option in declared.options if option.kind == "flag"}
    words: list[typing.Any] = ["score", _folder(dataset), predictions, "--task", chosen, "--max-failures", "100%"]
    if wish["least"] is not None:
        words += ["--private", "--min-group", str(wish["least"])]
    for name, texts in _values(dataset, declared, options).items():
        words += [f"--{name}"] if name in flags and texts else [word for text in texts for word in (f"--{name}", text)]
    engine.carry_out(words, wish["output"], wish["overwrite"])
    return Scores.read(wish["output"])


def score_answers(dataset: AnyDataset, predictions: PathLike, **options: typing.Any) -> Scores:
    """An earlier name of `score`."""
    return score(dataset, predictions, **options)


def score_tables(dataset: AnyDataset, predictions: PathLike, output: PathLike | None = None,
                 **options: typing.Any) -> Scores:
    """An earlier name of `score`."""
    return score(dataset, predictions, output=output, **options)


def score_shard(dataset: AnyDataset, predictions: PathLike, shard: str, output: PathLike, *, task: str | None = None,
                threads: int = 0, overwrite: bool = False, progress: Wish = None, **options: typing.Any) -> None:
    """Scores one part of the cases, e.g. "0/16", into a folder for `merge`, as `fiducial score --shard` does."""
    request, _ = _request(dataset, predictions, task, threads, options)
    with shown(progress) as told:
        _native.score_shard(request, shard, output, overwrite, told)


def merge(shards: collections.abc.Iterable[PathLike], *, dataset: AnyDataset | None = None,
          predictions: PathLike | None = None, volumes: PathLike | None = None, private: bool = False,
          min_group: int = 20, threads: int = 0) -> Scores:
    """Puts the shards of one run together, in any order: the scores of a run that was never split.

    For a report.html among what is written name the dataset and the predictions that were scored.

    >>> for part in ("0/2", "1/2"):
    ...     fiducial.score_shard("rexgroundingct", "systems/rexgroundingct/good", part, "part" + part[0])
    >>> fiducial.merge(["part0", "part1"])
    <fiducial.Scores of good>
    """
    if (dataset is None) != (predictions is None):
        raise BadUsage("the report needs both dataset and predictions")
    volumes = getattr(dataset, "volumes", None) if volumes is None else volumes
    sources = _native.ScoreRequest("", "" if dataset is None else _folder(dataset), predictions or "",
                                   {} if volumes is None else {"volumes": [os.fsdecode(volumes)]}, threads)
    return Scores(_native.merge(list(shards), sources, _least(private, min_group)))


def compare(first: Scores | PathLike, *others: Scores | PathLike, mode: str = "strict", metric: str | None = None,
            seed: int = 0, resamples: int = 10000) -> Comparison:
    """Compares systems by their scores, as `fiducial compare` does. Scores and score folders may be mixed.

    `metric` is the value to rank by: by default dice_per_case, for answers accuracy, for grounded reports grounded_f1.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fiducial-compare-") as scratch:
        folders = []
        for number, scores in enumerate((first, *others)):
            if not isinstance(scores, Scores):
                folders.append(os.fspath(scores))
            elif scores._native.min_group is not None:
                raise BadUsage("private scores have no rows to compare by")
            elif scores._folder is not None:
                folders.append(scores._folder)
            else:
                folders.append(os.path.join(scratch, str(number)))
                scores.write(folders[-1], report=False)
        return Comparison(_native.compare(folders, mode, metric or "", seed, resamples))


class Scorer:
    """Scores predictions straight from arrays, one finding at a time and in any order, as a validation loop makes them.

    A case is scored as soon as its last finding was added. Numbers are those of the same masks read from files.
    Several threads may add at once. Masks are kept as runs, which are small, for the pictures of a report. Options are
    those that `score` has for `finding_masks`.
    """

    def __init__(self, dataset: Dataset | PathLike, *, system: str | None = "arrays", **options: typing.Any):
        options["system"] = "arrays" if system is None else system
        self._dataset = dataset
        self._volumes: PathLike | None = options.get("volumes")
        self._masks: ArrayMasks = {}  # as runs, for the pictures of a report
        opened = dataset._native if isinstance(dataset, Dataset) else _native.open_dataset(_folder(dataset))
        self._native = _native.open_scorer(opened, _values(dataset, find_task("finding_masks"), options))

    @property
    def split(self) -> str:
        """The split that is scored."""
        return self._native.split

    def __len__(self) -> int:
        """How many cases have all their findings."""
        return self._native.complete

    def __repr__(self) -> str:
        return f"<fiducial.Scorer of {self.split}: {len(self)} cases complete>"

    def add(self, case: Case | str, finding: Finding | int, array: typing.Any) -> None:
        """Adds the predicted mask of a finding: a 3D array of integers or booleans, a mask, an image or a path."""
        name = _case_name(case)
        if not name.endswith((".nii.gz", ".nii")):
            name += ".nii.gz"
        index = finding.index if isinstance(finding, Finding) else finding.__index__()
        mask = _label_mask(array, "array")
        self._native.add(name, index, mask)
        self._masks.setdefault(name, {})[index] = mask

    def _add_any(self, prediction: Prediction) -> None:
        if not isinstance(prediction, tuple) or len(prediction) not in (2, 3):
            raise BadUsage("predictions must be tuples (case, finding, array) or (case, array)")
        if len(prediction) == 3:
            self.add(*prediction)
            return
        case, arrays = prediction
        for index in range(len(arrays)):
            self.add(case, index, arrays[index])

    def scores(self, *, private: bool = False, min_group: int = 20, threads: int = 0, progress: Wish = None) -> Scores:
        """The scores of what was added so far. Cases without findings are missing, those that lack some have failed."""
        return self._result(_least(private, min_group), threads, progress)

    card = scores  # its earlier name

    def _result(self, least: int | None, threads: int, progress: Wish) -> Scores:
        masks = {name: dict(findings) for name, findings in self._masks.copy().items()}
        with shown(progress) as told:
            return Scores(self._native.result(least, threads, told), sources=(self._dataset, self._volumes, masks))


@contextlib.contextmanager
def _files_of(predictions: PathLike | ArrayMasks) -> collections.abc.Iterator[PathLike]:
    """Predictions as files: masks from arrays are there for as long as they are needed."""
    if not isinstance(predictions, dict):
        yield predictions
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fiducial-report-") as scratch:
        for name, findings in predictions.items():
            if sorted(findings) == list(range(len(findings))):
                _native.write_masks(os.path.join(scratch, name), [findings[index] for index in sorted(findings)])
        yield scratch


def _unknown(kind: str, name: str, known: collections.abc.Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(name, names, 1)
    return f'no {kind} "{name}"; there is {", ".join(names)}' + (f"; did you mean {close[0]}?" if close else "")


def _folder(dataset: AnyDataset) -> PathLike:
    return dataset.path if isinstance(dataset, (Dataset, DiagnosisDataset)) else dataset


def _least(private: bool, min_group: int) -> int | None:
    if private and min_group < 2:
        raise BadUsage(f"min_group is {min_group}; expected 2 at least")
    return min_group if private else None


def _values(dataset: AnyDataset, task: Task, options: dict[str, typing.Any]) -> dict[str, list[str]]:
    """The options of a call as the engine takes them, with what the dataset's view says."""
    found = {task.option(name): value for name, value in options.items()}
    split, volumes = (next((each for each in task.options if each.name == name), None) for name in ("split", "volumes"))
    if isinstance(dataset, (Dataset, DiagnosisDataset)) and split is not None and dataset._split is not None:
        if found.get(split) not in (None, dataset._split):
            raise BadUsage(f"split is {found[split]!r}, but the dataset is a view of {dataset._split!r}")
        found[split] = dataset._split
    if volumes is not None and found.get(volumes) is None:
        found[volumes] = getattr(dataset, "volumes", None)
    return {option.typed: option.texts(value) for option, value in found.items()}


def _request(dataset: AnyDataset, predictions: PathLike, task: str | None, threads: int,
             options: dict[str, typing.Any]) -> tuple[_native.ScoreRequest, Sources]:
    asked = {"grounded-report": "grounded_reports"}.get(task or "", task or "")  # an earlier name
    chosen = _native.choose_task(_folder(dataset), predictions, asked)
    values = _values(dataset, find_task(chosen), options)
    request = _native.ScoreRequest(chosen, _folder(dataset), predictions, values, threads)
    return request, (dataset, options.get("volumes"), os.fspath(predictions))
