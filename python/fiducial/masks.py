"""Masks: sets of voxels with entity labels, held as runs."""

from __future__ import annotations

import os
import typing

from fiducial import _native
from fiducial.errors import BadUsage

if typing.TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Mask:
    """Voxels of a finding, with the id of the entity that each belongs to. Immutable, and small: it holds runs."""

    __slots__ = ("_native",)

    def __init__(self, array: typing.Any, affine: typing.Any = None):
        """Makes a mask of a 3D array of integers or booleans, a NiBabel image, a file or another mask.

        Arrays may have any strides, byte order and owner (NumPy, DLPack, `__array__`, buffers); they are read in place.
        """
        self._native: _native.LabelMask = _label_mask(array, "array", affine)

    @classmethod
    def _of(cls, native: _native.LabelMask) -> Mask:
        mask = cls.__new__(cls)
        mask._native = native
        return mask

    @property
    def shape(self) -> tuple[int, int, int]:
        """Voxels along each index axis."""
        return self._native.shape

    @property
    def voxels(self) -> int:
        """How many voxels are inside."""
        return self._native.voxels

    @property
    def entities(self) -> list[int]:
        """The ids that occur, ascending."""
        return self._native.labels

    @property
    def runs(self) -> npt.NDArray[np.int32]:
        """Rows of (row, begin, end, id): voxels begin to end - 1 of an x row; the row of (x, y, z) is y + height * z.

        A read-only view of the mask's own memory.
        """
        return self._native.runs

    @property
    def bbox(self) -> tuple[slice, slice, slice]:
        """The smallest box that holds all voxels, ready to index an array with; empty slices for an empty mask."""
        return self._native.bounds

    @property
    def affine(self) -> npt.NDArray[np.float64] | None:
        """Voxel indices to millimetres (RAS+), or None where neither the mask nor its volume says."""
        return self._native.affine if self._native.placed else None

    @property
    def spacing(self) -> tuple[float, float, float] | None:
        """Lengths of a voxel's edges in millimetres, or None where they are not known."""
        found = self._native.spacing_mm
        return None if found is None else (found[0], found[1], found[2])

    @property
    def volume_mm3(self) -> float | None:
        """The volume in cubic millimetres, or None where the spacing is not known."""
        spacing = self.spacing
        return None if spacing is None else self.voxels * spacing[0] * spacing[1] * spacing[2]

    def entity(self, label: int) -> Mask:
        """The voxels of one entity."""
        return Mask._of(self._native.where(label))

    def dense(self) -> npt.NDArray[typing.Any]:
        """The ids as an array of the mask's shape, x fastest: uint8, or int32 where an id does not fit.

        NumPy views memory that was made for it and that lives as long as the array or any view of it.
        """
        return self._native.dense()

    def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> npt.NDArray[typing.Any]:
        array = self.dense()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mask) and self._native == other._native

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return Mask._of, (self._native,)

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.shape))
        return f"<fiducial.Mask of {shape}: {self.voxels} voxels, {len(self.entities)} entities>"


def _label_mask(value: typing.Any, name: str, affine: typing.Any = None) -> _native.LabelMask:
    """Anything that can be a mask, as the native engine has it."""
    if isinstance(value, Mask) and affine is None:
        return value._native
    if isinstance(value, (str, os.PathLike)):
        return _native.read_mask(value)
    if hasattr(value, "dataobj") and hasattr(value, "affine"):  # a NiBabel image
        return _native.mask_from_array(_array(value.dataobj, name), name, value.affine if affine is None else affine)
    return _native.mask_from_array(_array(value, name), name, affine)


def _array(value: typing.Any, name: str) -> typing.Any:
    """An object with the buffer protocol; nothing is copied where the owner of the memory can share it."""
    import numpy as np

    if isinstance(value, (np.ndarray, memoryview)):
        return value
    try:
        if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
            return np.asarray(value)
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
    except (TypeError, BufferError, RuntimeError) as reason:
        raise BadUsage(f"{name} cannot be read as an array in this machine's memory: {reason}") from reason
    if isinstance(value, (list, tuple)):
        return np.asarray(value)
    raise BadUsage(f"{name} is {type(value).__name__}; expected a 3D array, a mask, a NiBabel image or a path")
