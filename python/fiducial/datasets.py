"""Datasets: folders of cases whose findings are tied to places in a volume."""

from __future__ import annotations

import collections.abc
import os
import typing

from fiducial import _native
from fiducial.cases import DiagnosisDataset
from fiducial.errors import BadUsage, InvalidData, Place
from fiducial.masks import Mask
from fiducial.volumes import Volume

if typing.TYPE_CHECKING:
    from fiducial.samples import Samples

PathLike = typing.Union[str, "os.PathLike[str]"]


def open(path: PathLike, volumes: PathLike | None = None) -> typing.Any:  # noqa: A001
    """Opens a dataset folder: a `Dataset` of volumes with findings, or a `DiagnosisDataset` of teaching cases.

    Only the file that lists the cases is read.

    `volumes` is the folder of the CT volumes; by default they are looked for in the dataset's own folder and in its
    `volumes/`.
    """
    reads = _native.dataset_face(path)["reads"]
    if "questions" in reads and "masks" not in reads:
        return DiagnosisDataset(path)
    return Dataset(path, volumes)


class Finding:
    """A sentence of a report and where it is seen."""

    __slots__ = ("_entry", "case", "index")

    def __init__(self, case: Case, index: int, entry: _native.FindingEntry | None):
        self.case = case
        self.index = index
        self._entry = entry

    @property
    def text(self) -> str:
        """The sentence; empty where the dataset lists none."""
        return self._entry.text if self._entry is not None else ""

    @property
    def category(self) -> str:
        """The code of the benchmark's ontology; empty where none is given."""
        return self._entry.category if self._entry is not None else ""

    @property
    def category_title(self) -> str:
        """The category in words; empty where the ontology has no such code."""
        return self._entry.category_title if self._entry is not None else ""

    @property
    def focality(self) -> str | None:
        """Either "focal" or "non_focal", where the ontology says it."""
        return self._entry.focality if self._entry is not None else None

    @property
    def entities(self) -> int | None:
        """How many separate entities the dataset lists."""
        return self._entry.entities if self._entry is not None else None

    @property
    def voxels(self) -> int | None:
        """How many voxels the dataset lists; `mask.voxels` counts them."""
        return self._entry.voxels if self._entry is not None else None

    @property
    def mask(self) -> Mask:
        """The reference mask; the masks of a case are read together, once."""
        return self.case.masks[self.index]

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return _finding, (self.case, self.index)

    def __repr__(self) -> str:
        return f"<fiducial.Finding {self.index} of {self.case.name}: {self.text!r}>"


class Case:
    """One volume with its findings. Light: masks and voxels are read when they are looked at."""

    def __init__(self, dataset: Dataset, split: str, index: int, entry: _native.CaseEntry):
        self.dataset = dataset
        self.split = split
        self._index = index
        self._entry = entry
        self._masks: list[Mask] | None = None
        self._volume: Volume | None = None

    @property
    def name(self) -> str:
        """The name without its ending, such as "train_1_a_1"."""
        return _stem(self._entry.name)

    @property
    def file_name(self) -> str:
        """The name of the volume's file, of its mask and of its prediction."""
        return self._entry.name

    @property
    def patient(self) -> str:
        """Whose scan it is; cases of one patient are not independent."""
        return self._entry.patient

    @property
    def protocol(self) -> str:
        """The annotation protocol, where the dataset names one."""
        return self._entry.protocol

    @property
    def shape(self) -> tuple[int, int, int] | None:
        """Voxels along each index axis, where the dataset lists them."""
        return self._entry.shape

    @property
    def findings(self) -> list[Finding]:
        """The findings in the order of the mask's channels."""
        entry = self._entry
        if entry.lists_findings:
            return [Finding(self, index, entry[index]) for index in range(len(entry))]
        return [Finding(self, index, None) for index in range(len(self.masks))]

    @property
    def masks(self) -> list[Mask]:
        """The reference masks, one a finding. They are kept as long as this case is."""
        if self._masks is None:
            native = self.dataset._native.read_masks(self._entry, self.volume_path)
            if self._entry.lists_findings and len(native) != len(self._entry):
                raise InvalidData(f"mask has {len(native)} channels, expected {len(self._entry)} as findings are listed",
                                  Place(self.mask_path))
            self._masks = [Mask._of(mask) for mask in native]
        return self._masks

    @property
    def mask_path(self) -> str:
        """The file of the reference masks."""
        return os.fspath(self.dataset._native.mask_path(self._entry))

    @property
    def volume_path(self) -> str | None:
        """The file of the CT, or None where it is not there."""
        for folder in self.dataset._volume_folders:
            found = self.dataset._native.volume_path(folder, self._entry)
            if found is not None:
                return os.fspath(found)
        return None

    @property
    def volume(self) -> Volume:
        """The CT. Its voxels are kept as long as this case is."""
        if self._volume is None:
            path = self.volume_path
            if path is None:
                folders = " or ".join(self.dataset._volume_folders)
                raise InvalidData(f"no volume of {self.file_name} under {folders}; open(..., volumes=FOLDER) says where")
            self._volume = Volume(path)
        return self._volume

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return _case, (self.dataset, self.split, self._index)

    def __repr__(self) -> str:
        return f"<fiducial.Case {self.name} ({self.split})>"

    def _repr_html_(self) -> str:
        from fiducial._html import case_page

        return case_page(self)


class Dataset(collections.abc.Sequence["Case"]):
    """The cases of a folder, or of one of its splits, in the order of the file that lists them.

    Pickles as its path, so that worker processes open it for themselves; forked ones use it as it is.
    """

    def __init__(self, path: PathLike, volumes: PathLike | None = None, split: str | None = None):
        self.path = os.fspath(path)
        self.volumes = None if volumes is None else os.fspath(volumes)
        self._native: _native.OpenDataset = _native.open_dataset(self.path)
        self._places: dict[str, tuple[str, int]] | None = None
        self._choose(split)

    def _choose(self, split: str | None) -> None:
        self._split = split
        names = self._native.split_names if split is None else [split]
        self._counts = [(name, self._native.count(name)) for name in names]

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
        return [name for name, _ in self._counts]

    def split(self, name: str) -> Dataset:
        """The cases of one split."""
        view = Dataset.__new__(Dataset)
        view.path, view.volumes, view._native, view._places = self.path, self.volumes, self._native, None
        view._choose(name)
        return view

    @property
    def _volume_folders(self) -> list[str]:
        if self.volumes is not None:
            return [self.volumes]
        return [os.path.join(self.path, "volumes"), self.path]

    def _case(self, split: str, index: int) -> Case:
        return Case(self, split, index, self._native.entry(split, index))

    def __len__(self) -> int:
        return sum(count for _, count in self._counts)

    def __iter__(self) -> collections.abc.Iterator[Case]:
        for split, count in self._counts:
            for index in range(count):
                yield self._case(split, index)

    @typing.overload
    def __getitem__(self, key: int | str) -> Case: ...
    @typing.overload
    def __getitem__(self, key: slice) -> list[Case]: ...
    def __getitem__(self, key: int | str | slice) -> Case | list[Case]:
        """A case by its place or its name, with or without ".nii.gz"; a slice gives a list."""
        if isinstance(key, slice):
            return [self[index] for index in range(*key.indices(len(self)))]
        if isinstance(key, str):
            return self._named(key)
        index = key.__index__()
        left = index + len(self) if index < 0 else index
        for split, count in self._counts:
            if 0 <= left < count:
                return self._case(split, left)
            left -= count
        raise IndexError(f"case {index} of {len(self)}")

    def _named(self, name: str) -> Case:
        if self._places is None:
            self._places = {case.name: (case.split, case._index) for case in self}
        place = self._places.get(_stem(name))
        if place is None:
            raise KeyError(f"no case {name!r} in {self!r}")
        return self._case(*place)

    def __contains__(self, value: object) -> bool:
        if isinstance(value, Case):
            value = value.name
        try:
            return isinstance(value, str) and self._named(value) is not None
        except KeyError:
            return False

    def samples(self, by: str = "finding",
                transform: collections.abc.Callable[[dict[str, typing.Any]], typing.Any] | None = None) -> Samples:
        """A view shaped like `torch.utils.data.Dataset`: dictionaries of arrays and text, by finding or by case."""
        from fiducial.samples import Samples

        return Samples(self, by, transform)

    def to_monai(self, by: str = "finding",
                 transform: collections.abc.Callable[[dict[str, typing.Any]], typing.Any] | None = None) -> Samples:
        """Dictionaries with `image` and `label` as MONAI's `MetaTensor`, as its `LoadImaged` gives them.

        A mask without a place of its own lies on the grid of its CT. `transform` is a MONAI transform of dictionaries.
        """
        from fiducial.frameworks import MonaiSamples

        return MonaiSamples(self, by, transform)

    def to_torchio(self, by: str = "finding",
                   transform: collections.abc.Callable[[typing.Any], typing.Any] | None = None) -> Samples:
        """TorchIO's `Subject`s with `image` and `label`; `transform` is a transform of TorchIO."""
        from fiducial.frameworks import TorchioSamples

        return TorchioSamples(self, by, transform)

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return Dataset, (self.path, self.volumes, self._split)

    def __repr__(self) -> str:
        what = "" if self._split is None else f", {self._split}"
        return f"<fiducial.Dataset {self.benchmark}{what}: {len(self)} cases>"


def _stem(name: str) -> str:
    for ending in (".nii.gz", ".nii"):
        if name.endswith(ending):
            return name[:-len(ending)]
    return name


def _case(dataset: Dataset, split: str, index: int) -> Case:
    return dataset._case(split, index)


def _finding(case: Case, index: int) -> Finding:
    return case.findings[index]


def _case_name(case: Case | str, what: str = "case") -> str:
    """The file name of a case given by itself or by name."""
    if isinstance(case, Case):
        return case.file_name
    if isinstance(case, str):
        return case
    raise BadUsage(f"{what} is {type(case).__name__}; expected a Case or its name")
