"""The command's other verbs, as functions."""

from __future__ import annotations

import collections.abc
import csv
import json
import os
import pathlib
import tempfile
import typing

from fiducial import _native
from fiducial.cases import DiagnosisDataset
from fiducial.datasets import Dataset, PathLike
from fiducial.errors import BadUsage, InvalidData
from fiducial.jobs import Engine, say
from fiducial.progress import Wish, shown

AnyDataset = typing.Union[Dataset, DiagnosisDataset]


class CheckReport:
    """What a check found: every broken promise, with its stable code and place."""

    def __init__(self, native: _native.CheckReport):
        self._native = native
        self.document: dict[str, typing.Any] = native.document

    @property
    def findings(self) -> list[dict[str, typing.Any]]:
        """The broken promises in the order they were found."""
        return self.document["findings"]

    @property
    def ok(self) -> bool:
        """Whether nothing is an error; warnings and notes may be there."""
        return not self._native.has_errors

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self._native.text

    def __repr__(self) -> str:
        return f"<fiducial.CheckReport: {len(self.findings)} findings, {'ok' if self.ok else 'not ok'}>"


def check(path: AnyDataset | PathLike, *, predictions: PathLike | None = None, volumes: PathLike | None = None,
          split: str | None = None, synonyms: PathLike | None = None, labels: PathLike | None = None,
          view: PathLike | None = None, question_column: str | None = None, answer_column: str | None = None,
          image_column: str | None = None, progress: Wish = None) -> CheckReport:
    """Validates a dataset and a submission against the benchmark's rules, as `fiducial check` does.

    `path` may also be one table of questions; `labels` are those of the volumes, as CT-RATE publishes them;
    `view` is what a model is shown of questions. The columns are those of a table of questions of any origin.
    """
    request = _native.CheckRequest()
    request.dataset, request.predictions, request.volumes = _folder(path), predictions, volumes
    request.split, request.synonyms, request.labels, request.view = split, synonyms, labels, view
    request.question_column, request.answer_column, request.image_column = question_column, answer_column, image_column
    with shown(progress) as told:
        return CheckReport(_native.check(request, told))


def stats(path: AnyDataset | PathLike, *, masks: bool = False, volumes: PathLike | None = None) -> dict[str, typing.Any]:
    """Counts what is in a dataset, as `fiducial stats --json` does.

    `masks` counts in the masks, not in the file that lists the cases; `volumes` are their CTs, to measure findings in.
    """
    return _native.stats(_folder(path), masks, volumes)


def _folder(path: AnyDataset | PathLike) -> PathLike:
    return path.path if isinstance(path, (Dataset, DiagnosisDataset)) else path


def convert(src: PathLike, dst: PathLike | None = None, *, orient: str | None = None, series: str | None = None,
            channels: str | None = None, volume: str | None = None, stack: bool = False, index: bool = False,
            overwrite: bool = False) -> str:
    """Copies an image (NIfTI, NRRD, MetaImage), or the DICOM series of a folder, to the format that dst ends in.

    `orient` rearranges the axes, such as "RAS"; `channels` says where the findings of a 4D mask are: "first" (F,H,W,D)
    or "last". `series` chooses from a folder of several by SeriesInstanceUID.

    Masks go from a folder, an archive, a label map or a 4D file to a `.fmask` file and back: `volume` chooses from an
    archive of several, `stack` writes NIfTI with one channel a mask. With `index` an index is written beside `src`, a
    .nii.gz file, by which any slice is read without what is before it; its path is returned.
    """
    if index == (dst is not None):
        raise BadUsage("index writes beside src; it takes no dst" if index else "dst says where to write")
    request = _native.ConvertRequest()
    request.source, request.orient, request.series = src, orient, series
    request.channels, request.volume, request.stack, request.index = channels, volume, stack, index
    request.dicom_reader = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "fiducial-dicom")
    request.overwrite = overwrite
    if dst is not None:
        request.target = dst
    _native.convert(request)
    return os.fspath(src) + ".gzidx" if dst is None else os.fspath(dst)


def resample(src: PathLike, dst: PathLike, *, like: PathLike | None = None, transform: PathLike | None = None,
             inverse: bool = False, interpolation: str | None = None, channels: str | None = None,
             outside: float | None = None, overwrite: bool = False) -> dict[str, typing.Any]:
    """Brings masks or volumes onto the grid of another image, or through a recorded transform, as `fiducial resample` does.

    `like` is an image or a DICOM folder, `transform` a record (JSON), whose way back is `inverse`. `interpolation` is
    "labels" (nearest) or "linear"; None goes by the values. Returns the interpolation, notes and the record of what was done.

    >>> ct = fiducial.open("rexgroundingct", volumes="rexgroundingct/volumes")[0].volume_path
    >>> fiducial.resample(ct, "same.nii.gz", like=ct)["interpolation"]
    'linear'
    """
    call = _native.ResampleCall()
    call.source, call.target, call.like, call.transform = src, dst, like, transform
    call.inverse, call.interpolation, call.channels = inverse, interpolation, channels
    call.outside, call.overwrite = outside, overwrite
    return _native.resample(call)


_DRAWN = ("coco", "label-studio")


def pack(outputs: PathLike, output: PathLike, *, segmenter: str, dataset: AnyDataset | PathLike, volumes: PathLike | None = None,
         names: PathLike | None = None, split: str | None = None, threshold: float | None = None, allow_missing: bool = False,
         progress: Wish = None) -> dict[str, typing.Any]:
    """Makes predictions of what a segmenter left behind, as `fiducial pack` does, and returns how each mask was made.

    `segmenter` is "voxtell", "sat", "nnunet", "totalsegmentator" or "folder"; "coco" and "label-studio" are files of annotation
    tools that drew on exported slices, and need `volumes`. `names` is a CSV with case, name and prompt
    for what no rule matches; `threshold` makes masks of probabilities. Findings without a mask are refused unless
    `allow_missing` is set.
    """
    if segmenter in _DRAWN:
        found = getattr(dataset, "volumes", None) if volumes is None else volumes
        words = ["pack", "--from", segmenter, outputs, "--dataset", _folder(dataset), "-o", output, "--json"]
        words += [word for name, value in (("--volumes", found), ("--split", split)) if value is not None for word in (name, value)]
        return json.loads(say(words))
    request = _native.PackRequest()
    request.segmenter, request.outputs, request.dataset, request.output = segmenter, outputs, _folder(dataset), output
    request.volumes = getattr(dataset, "volumes", None) if volumes is None else volumes
    request.names, request.split, request.threshold, request.allow_missing = names, split, threshold, allow_missing
    with shown(progress) as told:
        return _native.pack_masks(request, told)


def export(dataset: AnyDataset | PathLike, predictions: PathLike | None = None, output: PathLike | None = None, *,
           to: str = "submission", volumes: PathLike | None = None, split: str | None = None, licence: str = "",
           source: str = "", allowed_use: str = "", overwrite: bool = False, progress: Wish = None,
           **options: str | bool | collections.abc.Iterable[str]) -> dict[str, typing.Any]:
    """Writes data, predictions or scores in the form that other programs take, as `fiducial export --to TO` does.

    By default it checks predictions and packs the archive a leaderboard takes. Targets that write the dataset's own data
    need its licence, source and allowed use, given here or by its terms.json. Further options are those of the target.
    Returns the manifest of what was written. Predictions with errors are refused, and nothing is written.

    >>> fiducial.export("rexgroundingct", "systems/rexgroundingct/good", "submission.zip")["archive"]["name"]
    'submission.zip'
    """
    if output is None:
        raise BadUsage("export: output is missing")
    request = _native.ExportRequest()
    request.dataset, request.predictions, request.output = _folder(dataset), predictions, output
    request.volumes, request.split, request.overwrite = volumes, split, overwrite
    request.set_terms(licence, source, allowed_use)
    request.options = {name.replace("_", "-"): _option_values(value) for name, value in options.items() if value is not False}
    with shown(progress) as told:
        report, manifest, _ = _native.export_to(to, request, told)
    if manifest is None:
        raise InvalidData(f"the submission has errors; nothing was written\n{report.text}")
    return manifest


def _option_values(value: str | bool | collections.abc.Iterable[str]) -> list[str]:
    if value is True:
        return ["true"]
    return [value] if isinstance(value, str) else [str(each) for each in value]


def predict(dataset: AnyDataset | PathLike, output: PathLike, *, volumes: PathLike | None = None,
            masks: PathLike | None = None, split: str | None = None, progress: Wish = None, engine: str | None = None,
            job: PathLike | None = None, units: int | None = None) -> dict[str, typing.Any]:
    """Writes the masks of the baseline without a trained model, as `fiducial predict text-region` does.

    The CTs are those of `volumes`, else those that the dataset was opened with. With `engine` "ray" or "local" the cases
    are cut into `units`, which are worked on in the folder `job`; see `fiducial.jobs`.

    >>> ds = fiducial.open("rexgroundingct", volumes="rexgroundingct/volumes")
    >>> fiducial.predict(ds, "baseline")["cases"] == len(ds.split("test"))
    True
    """
    request = _native.TextRegionRequest()
    found = getattr(dataset, "volumes", None) if volumes is None else volumes
    if found is None:
        raise BadUsage("volumes: the folder of the CTs is missing")
    if engine is not None:
        words = ["predict", "text-region", _folder(dataset), "--volumes", found]
        words += [word for name, value in (("--masks", masks), ("--split", split)) if value is not None for word in (name, value)]
        Engine(engine, job, units).carry_out(words, output, False)
        return json.loads(pathlib.Path(os.fspath(output) + ".json").read_text())
    request.dataset, request.volumes, request.masks = _folder(dataset), found, masks
    request.split, request.output = split, output
    with shown(progress) as told:
        return _native.predict_text_regions(request, told)


def run(dataset: AnyDataset | PathLike, output: PathLike, *, model: str, engine: str | None = None,
        job: PathLike | None = None, units: int | None = None, **options: typing.Any) -> dict[str, typing.Any]:
    """Asks a model about every case, as `fiducial run` does, and returns the manifest of the run.

    `options` are those of the command, with `_` for `-`: `endpoint`, `workflow`, `max_failures`; True is a flag that is
    set, a list an option that is given several times. The same call goes on with a run that was stopped. With `engine`
    "ray" or "local" the cases are cut into `units`; limits of rates are then each worker's own.
    """
    words: list[typing.Any] = [_folder(dataset), "--model", model]
    for name, value in options.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is not None and each is not False:
                words += [f"--{name.replace('_', '-')}"] + ([] if each is True else [str(each)])
    if engine is not None:
        Engine(engine, job, units).carry_out(["run", *words], output, False)
    else:
        say(["run", *words, "-o", output])
    return json.loads(pathlib.Path(output, "manifest.json").read_text())


def board(file: PathLike, *, by: str | None = None, team_columns: collections.abc.Iterable[str] = (),
          team_prefixes: collections.abc.Iterable[str] = ()) -> dict[str, typing.Any]:
    """The boards of a CSV file, ranked, as `fiducial board table --json` prints them.

    Entries are ranked by the measure `by`: dice if it is not given, or the first where a board has no dice.
    With `team_columns` or `team_prefixes` only the best entry of a team has a rank.

    >>> [entry["model"] for entry in fiducial.board("board.csv", by="dice")["boards"][0]["entries"]]
    ['better', 'worse']
    """
    teams = _native.TeamRule()
    teams.columns, teams.prefixes = list(team_columns), list(team_prefixes)
    return _native.boards(file, by or "", teams)


def agree(table: PathLike | collections.abc.Mapping[str, collections.abc.Iterable[typing.Any]], *,
          raters: collections.abc.Iterable[str] = (), judge: PathLike | None = None, mode: str = "strict",
          resamples: int = 1000, seed: int = 0) -> dict[str, typing.Any]:
    """The agreement of raters, as `fiducial agree --json` prints it: kappa, alpha and ICC with their intervals.

    `table` is a CSV or XLSX file with a row an item and a column a rater, or the ratings of every rater by name, in the
    same order of items; None is no rating. `raters` chooses columns. With `judge`, verdicts on steps, the table holds
    people's labels of the same steps. Ratings that are numbers, item by item, go to `fiducial.metrics.agreement`, which
    gives the same.

    >>> found = fiducial.agree({"Adams": [1, 0, 1, 1, None], "Brown": [1, 0, 0, 1, 1]})
    >>> found["raters"], found["items"], found["po"]["value"]
    (['Adams', 'Brown'], 5, 0.75)
    """
    request = _native.AgreementRequest()
    request.judge, request.mode, request.resamples, request.seed = judge, mode, resamples, seed
    request.raters = list(raters)
    if not isinstance(table, collections.abc.Mapping):
        request.table = table
        return _native.agree(request)
    columns = [list(ratings) for ratings in table.values()]
    if len({len(column) for column in columns}) > 1:
        raise BadUsage("every rater must have a rating, or None, for each item")
    request.raters = request.raters or list(table)
    with tempfile.TemporaryDirectory(prefix="fiducial-agree-") as scratch:
        request.table = os.path.join(scratch, "ratings.csv")
        with open(request.table, "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(table)
            rows.writerows(zip(*columns))
        return _native.agree(request)


def demo(path: PathLike, *, seed: int = 1, cases: int = 6, size: str = "small", overwrite: bool = False,
         progress: Wish = None) -> dict[str, typing.Any]:
    """Writes a synthetic corpus with chest CTs, findings and reports, teaching cases, the reports curated into both
    layouts, and systems for all of them; returns what is where. Volumes of `size` "full" have 512x512x260 voxels."""
    request = _native.DemoRequest()
    request.folder, request.seed, request.cases, request.size, request.overwrite = path, seed, cases, size, overwrite
    with shown(progress) as told:
        return _native.demo(request, told)
