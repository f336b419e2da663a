"""Samples: a dataset in the shape that `torch.utils.data.DataLoader` takes."""

from __future__ import annotations

import bisect
import collections.abc
import itertools
import typing

from fiducial.errors import BadUsage

if typing.TYPE_CHECKING:
    from fiducial.datasets import Dataset

Sample = dict[str, typing.Any]


class Samples:
    """Dictionaries of arrays and text, by place. Has `__len__` and `__getitem__`, all that a DataLoader asks for.

    By finding, a sample has `case`, `finding`, `text`, `category`, `volume` (Hounsfield units) and `mask` (entity ids).
    By case, `texts` and `categories` are lists and `masks` is one array with findings first. `volume` is None where the
    CT is not there. Workers may be forked or spawned: what is pickled is the path of the dataset.
    """

    def __init__(self, dataset: Dataset, by: str = "finding",
                 transform: collections.abc.Callable[[Sample], typing.Any] | None = None):
        if by not in ("finding", "case"):
            raise BadUsage(f"by is {by!r}; expected 'finding' or 'case'")
        self.dataset = dataset
        self.by = by
        self.transform = transform
        counts = (len(case.findings) if by == "finding" else 1 for case in dataset)
        self._ends = list(itertools.accumulate(counts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, index: int) -> typing.Any:
        place = index.__index__()
        if place < 0:
            place += len(self)
        if not 0 <= place < len(self):
            raise IndexError(f"sample {index} of {len(self)}")
        number = bisect.bisect_right(self._ends, place)
        first = self._ends[number - 1] if number else 0
        sample = self._of_finding(number, place - first) if self.by == "finding" else self._of_case(number)
        return sample if self.transform is None else self.transform(sample)

    def _of_finding(self, number: int, index: int) -> Sample:
        case = self.dataset[number]
        finding = case.findings[index]
        return {"case": case.name, "finding": index, "text": finding.text, "category": finding.category,
                "volume": None if case.volume_path is None else case.volume.hu, "mask": finding.mask.dense()}

    def _of_case(self, number: int) -> Sample:
        import numpy as np

        case = self.dataset[number]
        findings = case.findings
        return {"case": case.name, "texts": [finding.text for finding in findings],
                "categories": [finding.category for finding in findings],
                "volume": None if case.volume_path is None else case.volume.hu,
                "masks": np.stack([mask.dense() for mask in case.masks])}
