"""Datasets of teaching cases: a history, images, and five diagnoses of which one is right."""

from __future__ import annotations

import collections.abc
import dataclasses
import io
import os
import typing

from fiducial import _native
from fiducial.errors import BadUsage, Unavailable


@dataclasses.dataclass(frozen=True)
class CaseImage:
    """One image of a case."""

    id: str
    path: str  # relative to the dataset's folder
    caption: str
    modality: str
    sub_modality: str
    _origin: tuple[DiagnosisDataset, str] | None = dataclasses.field(default=None, repr=False, compare=False)

    def read_bytes(self) -> bytes:
        """The image as it is stored, wherever that is: in images/, in images.zip, or embedded in its row.

        >>> fiducial.open("medthinkvqa")[0].images[0].read_bytes()[:3]
        b'\\xff\\xd8\\xff'
        """
        if self._origin is None:
            raise BadUsage("this image belongs to no dataset that was opened")
        dataset, split = self._origin
        return dataset._native.read_picture(split, self.path)

    def open(self) -> io.BytesIO:
        """The image as a file that other libraries read: `PIL.Image.open(image.open())`."""
        return io.BytesIO(self.read_bytes())


@dataclasses.dataclass(frozen=True)
class InferenceView:
    """All that a model may see of a case: no title, captions, findings, discussion, codes, modalities or key."""

    history: str
    options: dict[str, str]
    image_paths: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class DiagnosisCase:
    """A teaching case with its question and its key. Of a blind copy key, is_longitudinal and timepoints are None."""

    number: int
    title: str
    history: str
    imaging_findings: str
    discussion: str
    options: dict[str, str]
    key: str | None
    icd_chapter: str
    icd_block: str
    icd_category: str
    is_longitudinal: bool | None
    timepoints: int | None
    interval: str
    images: tuple[CaseImage, ...]

    @property
    def key_text(self) -> str:
        """The right diagnosis; of a blind copy there is none to tell."""
        if self.key is None:
            raise Unavailable(f"{self.title}: this copy hides the key")
        return self.options[self.key]

    @property
    def view(self) -> InferenceView:
        """What a model may see of it."""
        return InferenceView(self.history, dict(self.options), tuple(image.path for image in self.images))

    @classmethod
    def _of(cls, fields: dict[str, typing.Any], origin: tuple[DiagnosisDataset, str]) -> DiagnosisCase:
        images = tuple(CaseImage(**image, _origin=origin) for image in fields["images"])
        return cls(**{**fields, "images": images})


class DiagnosisDataset(collections.abc.Sequence[DiagnosisCase]):
    """The cases of a folder, or of one of its splits, by number. A split is read when it is first looked at."""

    def __init__(self, path: str | os.PathLike[str], split: str | None = None):
        self.path = os.fspath(path)
        self._native = _native.open_cases(self.path)
        self._split = split
        self._cases: list[DiagnosisCase] | None = None

    @property
    def benchmark(self) -> str:
        """The benchmark whose layout the folder has."""
        return self._native.benchmark

    @property
    def tasks(self) -> list[str]:
        """The tasks that the data can be scored by, the most usual one first."""
        return _native.dataset_face(self.path)["tasks"]

    @property
    def splits(self) -> list[str]:
        """The names of the splits that this view holds."""
        return self._native.split_names if self._split is None else [self._split]

    def split(self, name: str) -> DiagnosisDataset:
        """The cases of one split."""
        return DiagnosisDataset(self.path, name)

    def image_path(self, image: CaseImage | str) -> str:
        """The file of an image that is one; `image.read_bytes()` also has those of archives and rows."""
        return os.path.join(self.path, image if isinstance(image, str) else image.path)

    def _all(self) -> list[DiagnosisCase]:
        if self._cases is None:
            self._cases = [DiagnosisCase._of(fields, (self, name)) for name in self.splits
                           for fields in self._native.read(name)]
        return self._cases

    def __len__(self) -> int:
        return len(self._all())

    @typing.overload
    def __getitem__(self, key: int | str) -> DiagnosisCase: ...
    @typing.overload
    def __getitem__(self, key: slice) -> list[DiagnosisCase]: ...
    def __getitem__(self, key: int | str | slice) -> DiagnosisCase | list[DiagnosisCase]:
        """A case by its place or its title; a slice gives a list."""
        if isinstance(key, str):
            for case in self._all():
                if case.title == key:
                    return case
            raise KeyError(f"no case {key!r} in {self!r}")
        return self._all()[key]

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return DiagnosisDataset, (self.path, self._split)

    def __repr__(self) -> str:
        what = "" if self._split is None else f", {self._split}"
        return f"<fiducial.DiagnosisDataset {self.benchmark}{what}>"
