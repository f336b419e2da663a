"""Anatomy: names and paths of structures, organ masks as they lie on disk, and lungs without weights.

    fiducial.anatomy.find("lung_upper_lobe_left")               # "left lung upper lobe"
    fiducial.anatomy.resolve("masks/", "train_1_a_1", "left lung").status
    fiducial.anatomy.segment("ct.nii.gz")["lung_left"].voxels
"""

from __future__ import annotations

import dataclasses
import os
import typing

from fiducial import _native
from fiducial.errors import BadUsage
from fiducial.masks import Mask


@dataclasses.dataclass(frozen=True)
class Structure:
    """A structure masks are made of: one of RadGenome-Chest CT's 210, or of TotalSegmentator's 117 classes."""

    name: str
    published: bool  # one of the 210
    parts: tuple[str, ...]  # of which it is the union
    total_label: int | None  # of TotalSegmentator's task `total`
    total_name: str | None
    snomed_code: str | None
    snomed_meaning: str | None


@dataclasses.dataclass(frozen=True)
class StructureMask:
    """The mask of a structure, or why there is none: `present`, `empty`, `missing`, `other_grid` or `broken`."""

    name: str
    status: str
    source: str
    detail: str
    mask: Mask | None


class Segmentation:
    """Body, bones, trachea and lungs of a CT, found by rules; `how` says how, as `fiducial anatomy --json` does."""

    def __init__(self, labels: Mask, how: dict[str, typing.Any]):
        self.labels = labels
        self.how = how

    def __getitem__(self, name: str) -> Mask:
        """The voxels of one structure: `lung_left`, `lung_right`, `trachea`, `bone` or `body`."""
        for label, known in self.how["labels"].items():
            if known == name:
                return self.labels.entity(int(label))
        raise KeyError(name)

    def __repr__(self) -> str:
        found = [each["name"] for each in self.how["structures"] if each["found"]]
        return f"<fiducial.anatomy.Segmentation: {', '.join(found)}>"


def structures() -> list[Structure]:
    """Every structure that is known, the 210 of RadGenome-Chest CT first."""
    return [Structure(**{**row, "parts": tuple(row["parts"])}) for row in _native.anatomy_structures()]


def names() -> list[str]:
    """The 210 mask names of RadGenome-Chest CT."""
    return [each.name for each in structures() if each.published]


def paths() -> list[str]:
    """The 174 paths of RadGenome-Chest CT's anatomy, parents before children."""
    return _native.anatomy_paths()


def path_status(path: str) -> str:
    """`listed` for one of the 174, `sibling` for a member of a union that they lack, else `unknown`."""
    return _native.anatomy_path_status(path)


def find(name: str) -> str | None:
    """The name of a structure by any of its names, or None."""
    return _native.anatomy_find(name)


def resolve(masks: str | os.PathLike[str], volume: str, *names: str,
            ct: str | os.PathLike[str] | None = None) -> typing.Any:
    """Masks of a volume out of a folder, label maps or tar archives: one for one name, a list for several or for none (all).

    With a CT, masks that lost their place take its grid, and masks on other grids have the status `other_grid`.
    """
    if not volume:
        raise BadUsage("volume: expected the name of a volume")
    found = [StructureMask(name, status, source, detail, None if mask is None else Mask._of(mask))
             for name, status, source, detail, mask in _native.resolve_masks(masks, volume, list(names), ct)]
    return found[0] if len(names) == 1 else found


def segment(ct: str | os.PathLike[str]) -> Segmentation:
    """Segments a CT (NIfTI file or folder of DICOM) by Hounsfield units and morphology, without weights."""
    labels, how = _native.segment_volume(ct)
    return Segmentation(Mask._of(labels), how)


def regions(masks: str | os.PathLike[str], output: str | os.PathLike[str], *, volumes: str | os.PathLike[str] | None = None,
            names: typing.Sequence[str] = ()) -> dict[str, typing.Any]:
    """Writes masks of regions, unions of organ masks, as `fiducial anatomy regions` does, and returns what became of each.

    `names` are regions or structures; without them the regions of RadGenome-Chest CT. With `volumes` masks lie on their CT's grid.
    """
    request = _native.RegionMaskRequest()
    request.masks, request.output, request.volumes, request.names = masks, output, volumes, list(names)
    return _native.write_region_masks(request, None)
