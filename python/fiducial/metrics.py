"""Metrics of two masks or texts, and agreement of raters. The first is the reference, the second the prediction.

Both may be arrays of integers or booleans (NumPy, DLPack, `__array__`; any strides), masks, NiBabel images or paths.
"""

from __future__ import annotations

import collections.abc
import typing

from fiducial import _native
from fiducial.datasets import PathLike
from fiducial.errors import BadUsage
from fiducial.masks import Mask, _label_mask

Spacing = collections.abc.Sequence[float]

_SURFACE_GROUP = "surface"


class Scores(collections.abc.Mapping[str, "float | None"]):
    """Values by metric id. A metric without a value has None, and `reasons` says why."""

    def __init__(self, values: dict[str, float | None], reasons: dict[str, str]):
        self._values = values
        self.reasons = reasons

    def __getitem__(self, metric: str) -> float | None:
        return self._values[metric]

    def __iter__(self) -> collections.abc.Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Scores({self._values!r})"


class Components:
    """The connected components of a mask, numbered from 1 as SciPy numbers them.

    `mask` holds their ids, and `voxels[i]` is the size of component i + 1.
    """

    def __init__(self, mask: Mask, voxels: list[int]):
        self.mask = mask
        self.voxels = voxels

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.voxels)


class Overlap(typing.NamedTuple):
    """Sizes of two masks and of what they share, in voxels."""

    reference: int
    prediction: int
    both: int


def overlap(reference: typing.Any, prediction: typing.Any) -> Overlap:
    """Sizes of both masks and of what they share."""
    return Overlap(*_native.overlap(_label_mask(reference, "reference"), _label_mask(prediction, "prediction")))


def dice(reference: typing.Any, prediction: typing.Any) -> float:
    """2I / (A + B) without epsilon; 1 when both are empty."""
    return _value("dice", reference, prediction)


def iou(reference: typing.Any, prediction: typing.Any) -> float:
    """I / (A + B - I) without epsilon; 1 when both are empty."""
    return _value("iou", reference, prediction)


def surface(reference: typing.Any, prediction: typing.Any, spacing: Spacing | None = None,
            tolerance_mm: float = 1.0) -> Scores:
    """Every surface metric in millimetres: normalised surface Dice, Hausdorff distances, average distances.

    `spacing` is that of the index axes; masks and images that know theirs need none.
    """
    ids = [contract["id"] for contract in contracts() if contract["group"] == _SURFACE_GROUP]
    return evaluate(reference, prediction, ids, spacing, tolerance_mm)


def evaluate(reference: typing.Any, prediction: typing.Any, metrics: collections.abc.Iterable[str] | None = None,
             spacing: Spacing | None = None, tolerance_mm: float = 1.0) -> Scores:
    """The named metrics, or all there are; `contracts()` lists them."""
    a, b = _label_mask(reference, "reference"), _label_mask(prediction, "prediction")
    ids = [contract["id"] for contract in contracts()] if metrics is None else list(metrics)
    known = a.spacing_mm if spacing is None else _spacing(spacing)
    found = _native.scores(a, b, ids, known, float(tolerance_mm), None)
    values = {metric: value for metric, (value, _) in zip(ids, found)}
    return Scores(values, {metric: reason for metric, (_, reason) in zip(ids, found) if reason is not None})


def components(mask: typing.Any, connectivity: int = 18) -> Components:
    """Connected components by 6, 18 or 26 neighbours.

    Ids follow the first voxel of each component in C order of the array, as `scipy.ndimage.label` gives them.
    """
    labels, voxels = _native.components(_label_mask(mask, "mask"), connectivity)
    return Components(Mask._of(labels), voxels)


def text(reference: str | collections.abc.Sequence[str], prediction: str | collections.abc.Sequence[str], *,
         stem: bool = False, bleu: str = "13a_smooth", wordnet: PathLike | None = None) -> Scores:
    """Every text metric of predictions against their references, as `fiducial metric text` gives them.

    `stem` is for ROUGE; `bleu` is "13a_smooth", "coco", "nltk" or "sacre"; `wordnet` is the folder of a WordNet 3
    database, for METEOR with synonyms. A line break inside a text separates sentences for ROUGE-Lsum.
    """
    if bleu not in ("13a_smooth", "coco", "nltk", "sacre"):
        raise BadUsage(f"bleu is {bleu!r}; expected 13a_smooth, coco, nltk or sacre")
    references = [reference] if isinstance(reference, str) else list(reference)
    predictions = [prediction] if isinstance(prediction, str) else list(prediction)
    found = _native.text_scores(references, predictions, stem, bleu, wordnet)
    return Scores({slot: value for slot, _, value, _ in found}, {slot: why for slot, _, value, why in found if value is None})


def agreement(ratings: collections.abc.Iterable[collections.abc.Iterable[float | None]], *,
              raters: collections.abc.Sequence[str] | None = None, resamples: int = 1000,
              seed: int = 0) -> dict[str, typing.Any]:
    """How far raters agree, with intervals, as `fiducial agree --json` prints it.

    One row an item, one number a rater; None (or NaN) where there is no rating. Tables of files, ratings by name and
    words as labels go to `fiducial.agree`.
    """
    rows = [[None if value is None or value != value else float(value) for value in row] for row in ratings]
    names = list(raters) if raters is not None else [f"rater_{i + 1}" for i in range(len(rows[0]) if rows else 0)]
    return _native.agreement(rows, names, resamples, seed)


def contracts() -> list[dict[str, typing.Any]]:
    """What is promised about every metric: id, version, title, scorer, group, direction, range, unit, definition."""
    return _native.metric_contracts()


def _value(metric: str, reference: typing.Any, prediction: typing.Any) -> float:
    a, b = _label_mask(reference, "reference"), _label_mask(prediction, "prediction")
    value, _ = _native.scores(a, b, [metric], None, 1.0, None)[0]
    return value


def _spacing(spacing: Spacing) -> tuple[float, float, float]:
    values = tuple(float(value) for value in spacing)
    if len(values) != 3:
        raise BadUsage(f"spacing has {len(values)} numbers; expected 3")
    return values


def detections(scans: collections.abc.Iterable[tuple[int, collections.abc.Iterable[tuple[float, int | None]]]]) -> dict[str, typing.Any]:
    """FROC and average precision of detections that say how sure they are, as `fiducial metric detections` has them.

    A scan is its number of lesions and its detections: a confidence and which lesion is hit, from 0, or None.

    >>> round(fiducial.metrics.detections([(2, [(0.9, 0), (0.7, 1)]), (0, [(0.8, None)])])["average_precision"], 4)
    0.8333
    """
    return _native.detection_curve([(lesions, [(float(sure), hit) for sure, hit in found]) for lesions, found in scans])
