"""Scoring: predictions against reference masks, from files or straight from arrays."""

from __future__ import annotations

import collections.abc
import os
import typing

from fiducial import _native
from fiducial.cases import DiagnosticDataset
from fiducial.datasets import Case, Dataset, Finding, PathLike, _case_name
from fiducial.errors import BadUsage
from fiducial.masks import _label_mask
from fiducial.progress import Wish, shown

Prediction = tuple[typing.Any, ...]  # (case, finding, array), or (case, array) with findings first


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


class Card:
    """The scores of one system: a summary, every row behind it, and the plan that makes them again."""

    def __init__(self, native: _native.FinishedRun | _native.AnsweredRun, folder: str | None = None,
                 sources: tuple[Dataset, str] | None = None):
        self._native = native
        self._folder = folder
        self._sources = sources  # the dataset and the prediction files, for pictures
        self._summary: dict[str, typing.Any] | None = None
        self._scratch: object | None = None  # what a folder that nobody asked for goes with

    @classmethod
    def read(cls, folder: PathLike) -> Card:
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
        """Cases without a scored prediction: name, "missing" or "failed", and why."""
        return self._native.failures

    def rows(self) -> Rows:
        """One row for every case, finding and metric; as in rows.parquet."""
        return Rows(self._native.rows)

    def write(self, folder: PathLike, overwrite: bool = False, report: bool = True) -> None:
        """Writes summary.json, rows.parquet, plan.json, report.html and, of masks, rexrank.json, all at once.

        Predictions that came as arrays have no report: its pictures are drawn from files.
        """
        self._native.write(folder, overwrite, report)

    def __str__(self) -> str:
        return self._native.text

    def __repr__(self) -> str:
        return f"<fiducial.Card of {self.summary['system']}>" if "system" in self.summary else "<fiducial.Card>"

    def __reduce__(self) -> tuple[typing.Any, ...]:
        if self._folder is not None:
            return Card.read, (self._folder,)
        return Card, (self._native, None, self._sources)

    def _weakest_finding(self) -> tuple[Case, int, float, collections.abc.Callable[[], typing.Any]] | None:
        """The scored finding of lowest strict Dice, and a function that reads what was predicted."""
        if self._sources is None:
            return None
        dataset, predictions = self._sources
        rows = self.rows()
        columns = [rows.column(name) for name in ("metric", "status", "value", "case", "finding")]
        scored = [(value, case, finding) for metric, status, value, case, finding in zip(*columns)
                  if metric == "dice" and status == "scored" and value is not None]
        if not scored:
            return None
        dice, name, index = min(scored)
        return dataset[name], index, dice, lambda: _native.read_prediction(predictions, name, index)

    def _repr_html_(self) -> str:
        from fiducial._html import card_page

        return card_page(self)


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


def score(dataset: Dataset | DiagnosticDataset | PathLike, predictions: PathLike | collections.abc.Iterable[Prediction], *,
          mode: str = "both", split: str | None = None, volumes: PathLike | None = None,
          metrics: collections.abc.Sequence[str] | None = None, tolerance_mm: float = 1.0,
          ignore: PathLike | None = None, system: str | None = None, conformance: PathLike | None = None,
          seed: int = 0, threads: int = 0, output: PathLike | None = None, overwrite: bool = False,
          progress: Wish = None, **answers: typing.Any) -> Card:
    """Scores predictions against a dataset, as `fiducial score` does, and returns the scores.

    `predictions` is a folder or flat zip of one file a case, or an iterable of (case, finding, array) or of
    (case, array) with findings first. The split is that of the dataset's view, else `split`, else test or val.
    With `output` the scores are also written there. Metrics in millimetres need the CTs: where `volumes` is not given,
    those the dataset was opened with are used. For a dataset of questions `predictions` is a JSONL file, and options of
    `score_answers` may be given; for tables, and for grounded reports, those of `score_tables`.
    """
    folder = dataset.path if isinstance(dataset, (Dataset, DiagnosticDataset)) else dataset
    if isinstance(dataset, DiagnosticDataset):
        split = split if split is not None else dataset._split
    if isinstance(predictions, (str, os.PathLike)) and _native.asks_questions(folder):
        if volumes is not None or ignore is not None or conformance is not None or tolerance_mm != 1.0:
            raise BadUsage("volumes, ignore, conformance and tolerance_mm are for datasets with masks")
        return score_answers(folder, predictions, mode=mode, split=split, metrics=metrics, system=system, seed=seed,
                             threads=threads, output=output, overwrite=overwrite, progress=progress, **answers)
    if isinstance(dataset, DiagnosticDataset):
        raise BadUsage("predictions for questions must be a JSONL file")
    if isinstance(predictions, (str, os.PathLike)) and _native.holds_table_answers(folder, predictions):
        if ignore is not None or conformance is not None or mode != "both":
            raise BadUsage("ignore, conformance and mode are for masks of findings")
        if split is None and isinstance(dataset, Dataset):
            split = dataset._split
        return score_tables(folder, predictions, output, split=split, metrics=metrics, volumes=volumes,
                            tolerance_mm=tolerance_mm, system=system, seed=seed, threads=threads, overwrite=overwrite,
                            progress=progress, **answers)
    if answers:
        raise BadUsage(f"{', '.join(sorted(answers))}: only for answers to questions")
    request = _request(dataset, mode, split, volumes, metrics or ("dice", "hit", "instances"), tolerance_mm)
    request.ignored, request.conformance, request.seed = ignore, conformance, seed
    request.system = system
    if isinstance(predictions, (str, os.PathLike)):
        request.predictions = predictions
        with shown(progress) as told:
            opened = dataset if isinstance(dataset, Dataset) else Dataset(dataset, volumes)
            card = Card(_native.score(request, threads, told), sources=(opened, os.fspath(predictions)))
    else:
        if ignore is not None:
            raise BadUsage("ignore needs predictions from files")
        scorer = Scorer._of(dataset, request)
        for prediction in predictions:
            scorer._add_any(prediction)
        card = scorer.card(threads=threads, progress=progress)
    if output is not None:
        card.write(output, overwrite)
    return card


def score_answers(dataset: PathLike, predictions: PathLike, *, mode: str = "both", split: str | None = None,
                  metrics: collections.abc.Sequence[str] | None = None,
                  group_by: collections.abc.Sequence[str] | None = None,
                  baselines: collections.abc.Mapping[str, PathLike] | None = None,
                  components: PathLike | None = None, provider: str | None = None, provider_timeout_s: int = 3600,
                  verdicts: PathLike | None = None, ratings: PathLike | None = None, wordnet: PathLike | None = None,
                  accept_equal_options: bool = False, system: str | None = None, seed: int = 0, resamples: int = 10000,
                  threads: int = 0, output: PathLike | None = None, overwrite: bool = False,
                  progress: Wish = None) -> Card:
    """Scores answers to the questions of a dataset (MedThinkVQA), as `fiducial score` does.

    `predictions` is a JSONL file in the benchmark's format. `metrics` are groups ("answers", "rouge", "radcliq", "steps",
    ...), slots or contract ids; by default what the inputs allow. `baselines` are other predictions by name, such as
    {"zero_image": path}. RadCliQ needs `components` (a file) or a `provider` (a command); steps need `verdicts`,
    discussions `ratings`, and METEOR with synonyms a `wordnet` (a folder, or "auto" for Debian's).
    """
    if components is not None and provider is not None:
        raise BadUsage("components and provider: choose one")
    request = _native.AnswerRequest()
    request.dataset, request.predictions, request.mode = dataset, predictions, mode
    request.split, request.system, request.seed, request.resamples = split, system, seed, resamples
    request.metrics = [metrics] if isinstance(metrics, str) else list(metrics or ())
    request.group_by = [group_by] if isinstance(group_by, str) else list(group_by or ())
    request.set_baselines([(name, path) for name, path in (baselines or {}).items()])
    request.components, request.verdicts, request.ratings, request.wordnet = components, verdicts, ratings, wordnet
    if provider is not None:
        request.set_provider(provider, provider_timeout_s)
    request.accept_equal_options = accept_equal_options
    with shown(progress) as told:
        card = Card(_native.score_answers(request, threads, told))
    if output is not None:
        card.write(output, overwrite)
    return card


def score_tables(dataset: PathLike, predictions: PathLike, output: PathLike | None = None, *, task: str | None = None,
                 split: str | None = None, metrics: collections.abc.Sequence[str] | None = None,
                 volumes: PathLike | None = None, spacing_mm: collections.abc.Sequence[float] | None = None,
                 tolerance_mm: float = 1.0, wordnet: PathLike | None = None, system: str | None = None, seed: int = 0,
                 resamples: int = 1000, threads: int = 0, overwrite: bool = False, progress: Wish = None) -> Card:
    """Scores answers to the tables of RadGenome-Chest CT, or grounded reports, as `fiducial score` does.

    `predictions` is a folder or a flat zip of presence.csv, region_report.csv, ..., and masks/, or with
    grounded_reports.jsonl (`task="grounded-report"`, also on ReXGroundingCT). `metrics` are tasks, groups or contract ids.
    Masks take their grid from `volumes` (CTs), or their spacing from `spacing_mm`; METEOR takes synonyms from a `wordnet`
    (a folder, or "auto" for Debian's). With `output` the scores are written
    there; without it they are gone with the card.
    """
    scratch = None
    if output is None:
        import tempfile

        scratch = tempfile.TemporaryDirectory(prefix="fiducial-scores-")
        output = os.path.join(scratch.name, "scores")
    request = _native.TableRequest()
    request.dataset, request.predictions, request.task = dataset, predictions, task or ""
    request.split, request.system, request.seed, request.resamples = split, system, seed, resamples
    request.metrics = [metrics] if isinstance(metrics, str) else list(metrics or ())
    request.volumes, request.tolerance_mm, request.wordnet = volumes, tolerance_mm, wordnet
    request.spacing_mm = None if spacing_mm is None else list(spacing_mm)
    with shown(progress) as told:
        _native.score_tables(request, output, overwrite, threads, told)
    card = Card.read(output)
    card._scratch = scratch
    return card


def compare(first: Card | PathLike, *others: Card | PathLike, mode: str = "strict", metric: str | None = None,
            seed: int = 0, resamples: int = 10000) -> Comparison:
    """Compares systems by their scores, as `fiducial compare` does. Cards and score folders may be mixed.

    `metric` is the value to rank by: by default dice_per_case, for answers to questions accuracy.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fiducial-compare-") as scratch:
        folders = []
        for number, card in enumerate((first, *others)):
            if not isinstance(card, Card):
                folders.append(os.fspath(card))
            elif card._folder is not None:
                folders.append(card._folder)
            else:
                folders.append(os.path.join(scratch, str(number)))
                card.write(folders[-1])
        return Comparison(_native.compare(folders, mode, metric or "", seed, resamples))


class Scorer:
    """Scores predictions straight from arrays, one finding at a time and in any order, as a validation loop makes them.

    A case is scored as soon as its last finding was added. Numbers are those of the same masks read from files.
    Several threads may add at once.
    """

    def __init__(self, dataset: Dataset | PathLike, *, mode: str = "both", split: str | None = None,
                 volumes: PathLike | None = None, metrics: collections.abc.Sequence[str] = ("dice", "hit", "instances"),
                 tolerance_mm: float = 1.0, system: str = "arrays", seed: int = 0):
        request = _request(dataset, mode, split, volumes, metrics, tolerance_mm)
        request.system, request.seed = system, seed
        self._open(dataset, request)

    def _open(self, dataset: Dataset | PathLike, request: _native.ScoreRequest) -> None:
        if request.system is None:
            request.system = "arrays"
        opened = dataset._native if isinstance(dataset, Dataset) else _native.open_dataset(dataset)
        self._native = _native.open_scorer(opened, request)

    @classmethod
    def _of(cls, dataset: Dataset | PathLike, request: _native.ScoreRequest) -> Scorer:
        scorer = cls.__new__(cls)
        scorer._open(dataset, request)
        return scorer

    @property
    def split(self) -> str:
        """The split that is scored."""
        return self._native.split

    def __len__(self) -> int:
        """How many cases have all their findings."""
        return self._native.complete

    def add(self, case: Case | str, finding: Finding | int, array: typing.Any) -> None:
        """Adds the predicted mask of a finding: a 3D array of integers or booleans, a mask, an image or a path."""
        name = _case_name(case)
        if not name.endswith((".nii.gz", ".nii")):
            name += ".nii.gz"
        index = finding.index if isinstance(finding, Finding) else finding.__index__()
        self._native.add(name, index, _label_mask(array, "array"))

    def _add_any(self, prediction: Prediction) -> None:
        if not isinstance(prediction, tuple) or len(prediction) not in (2, 3):
            raise BadUsage("predictions must be tuples (case, finding, array) or (case, array)")
        if len(prediction) == 3:
            self.add(*prediction)
            return
        case, arrays = prediction
        for index in range(len(arrays)):
            self.add(case, index, arrays[index])

    def card(self, *, threads: int = 0, progress: Wish = None) -> Card:
        """The scores of what was added so far. Cases without findings are missing, those that lack some have failed."""
        with shown(progress) as told:
            return Card(self._native.result(threads, told))


def _request(dataset: Dataset | PathLike, mode: str, split: str | None, volumes: PathLike | None,
             metrics: collections.abc.Sequence[str], tolerance_mm: float) -> _native.ScoreRequest:
    request = _native.ScoreRequest()
    if isinstance(dataset, Dataset):
        request.dataset = dataset.path
        if split is not None and dataset._split not in (None, split):
            raise BadUsage(f"split is {split!r}, but the dataset is a view of {dataset._split!r}")
        split = split if split is not None else dataset._split
        volumes = volumes if volumes is not None else dataset.volumes
    else:
        request.dataset = dataset
    request.split, request.volumes = split, volumes
    request.mode, request.tolerance_mm = mode, tolerance_mm
    request.metrics = [metrics] if isinstance(metrics, str) else list(metrics)
    return request
