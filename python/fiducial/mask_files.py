"""The masks of a case as a file, folder or archive keeps them: read one by one, written all at once."""

from __future__ import annotations

import collections.abc
import json
import os
import typing

from fiducial import _native
from fiducial.errors import BadUsage
from fiducial.masks import Mask, _label_mask

if typing.TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

PathLike = typing.Union[str, "os.PathLike[str]"]


class Masks(collections.abc.Mapping[str, Mask]):
    """Masks by name, on one grid. Of a `.fmask` file each is read when it is asked for, without the others."""

    def __init__(self, native: _native.StoredCase):
        self._native = native
        self._places = {name: place for place, name in enumerate(native.names)}

    @property
    def shape(self) -> tuple[int, int, int]:
        """Voxels along each index axis."""
        return self._native.shape

    @property
    def affine(self) -> npt.NDArray[np.float64] | None:
        """Voxel indices to millimetres (RAS+), or None where the file does not say where the masks lie."""
        return self._native.affine if self._native.placed else None

    @property
    def ids(self) -> dict[str, int]:
        """The number of each: the label in a label map, the index of a finding."""
        return dict(zip(self._native.names, self._native.ids))

    @property
    def codes(self) -> dict[str, tuple[str, str, str]]:
        """Scheme, value and meaning of those that have a code, such as ("SCT", "15825003", "Aorta")."""
        return {name: code for name, code in zip(self._native.names, self._native.codes) if code is not None}

    def __getitem__(self, name: str) -> Mask:
        return Mask._of(self._native.read(self._places[name]))

    def __iter__(self) -> typing.Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return f"<fiducial.Masks: {len(self)} of {' x '.join(map(str, self.shape))} voxels>"


def read_masks(path: PathLike, *, volume: str = "", labels: PathLike | dict[int, str] | None = None) -> Masks:
    """Opens the masks of a case: a `.fmask` file, a folder of NAME.nii.gz, a tar or zip archive, a label map, a 4D file.

    `volume` chooses from an archive of several. `labels` names the labels of a label map: a mapping, or a file of names
    (JSON); else what lies beside it does.
    """
    if isinstance(labels, (str, os.PathLike)):
        with open(labels, encoding="utf-8") as file:
            found = json.load(file)
        found = found.get("labels", found)
        labels = {int(key if str(key).isdigit() else value): str(value if str(key).isdigit() else key)
                  for key, value in found.items()}
    return Masks(_native.open_masks(path, volume, labels))


def write_masks(path: PathLike, masks: collections.abc.Mapping[str, typing.Any], *, affine: typing.Any = None,
                ids: collections.abc.Mapping[str, int] | None = None,
                codes: collections.abc.Mapping[str, tuple[str, str, str]] | None = None, stack: bool = False,
                overwrite: bool = False) -> str:
    """Writes masks by name to a `.fmask` file, a folder, a .tar or .tar.gz archive, or a label map (.nii.gz).

    Each value is anything that `fiducial.Mask` takes; `affine` places arrays in the patient. Without `ids` and `codes`
    those of a `Masks` are kept, and others are numbered from 1. `stack` writes NIfTI with one channel a mask.

    >>> import numpy as np
    >>> fiducial.write_masks("case.fmask", {"aorta": np.ones((4, 5, 6), np.uint8)}, affine=np.eye(4))
    'case.fmask'
    >>> fiducial.read_masks("case.fmask")["aorta"].voxels
    120
    """
    if isinstance(masks, Masks):
        ids, codes = ids or masks.ids, codes or masks.codes
    request = _native.MaskFileRequest()
    request.path, request.overwrite, request.stacked = path, overwrite, stack
    for number, (name, value) in enumerate(masks.items(), start=1):
        if not isinstance(name, str):
            raise BadUsage(f"a mask is named {name!r}; expected a text")
        code = (codes or {}).get(name)
        request.add(name, (ids or {}).get(name, number), None if code is None else list(code),
                    _label_mask(value, name, affine))
    _native.write_mask_file(request)
    return os.fspath(path)
