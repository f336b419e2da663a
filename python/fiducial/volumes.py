"""Volumes: the voxels of a CT as NumPy views."""

from __future__ import annotations

import os
import typing

from fiducial import _native

if typing.TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Volume:
    """A CT volume on disk. Lazy: the header is read when asked for, the voxels when first looked at.

    Indexing gives views of one array of Hounsfield units. A pickled volume is its path.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fspath(path)
        self._header: _native.VolumeHeader | None = None
        self._voxels: npt.NDArray[typing.Any] | None = None

    def _read_header(self) -> _native.VolumeHeader:
        if self._header is None:
            self._header = _native.read_volume_header(self.path)
        return self._header

    @property
    def shape(self) -> tuple[int, ...]:
        """Voxels along each index axis."""
        return self._read_header().shape

    @property
    def affine(self) -> npt.NDArray[np.float64]:
        """Voxel indices to millimetres (RAS+), 4 x 4."""
        return self._read_header().affine

    @property
    def spacing(self) -> tuple[float, float, float]:
        """Lengths of a voxel's edges in millimetres."""
        return self._read_header().spacing_mm

    @property
    def orientation(self) -> str:
        """Where each index axis points, such as "LPS"."""
        return self._read_header().orientation

    @property
    def notes(self) -> list[str]:
        """What is odd about the header."""
        return self._read_header().notes

    @property
    def hu(self) -> npt.NDArray[typing.Any]:
        """All voxels, first axis fastest, with the header's scaling applied.

        The array views the memory the file was inflated to; unscaled volumes keep the type they are stored in.
        """
        if self._voxels is None:
            self._voxels = _native.read_volume(self.path)
        return self._voxels

    def slice(self, index: int) -> npt.NDArray[np.float32]:
        """One slice of the third axis with the header's scaling applied, without the rest of the volume.

        Of a compressed file what lies before it is inflated, too, unless an index lies beside it
        (`fiducial convert --index`).
        """
        depth = self.shape[2]
        if not -depth <= index < depth:
            raise IndexError(f"slice {index} of {depth}")
        return _native.read_slice(self.path, index % depth)

    @property
    def dtype(self) -> np.dtype[typing.Any]:
        """The type of the voxels."""
        return self.hu.dtype

    def __getitem__(self, index: typing.Any) -> typing.Any:
        return self.hu[index]

    def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> npt.NDArray[typing.Any]:
        array = self.hu
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy(order="K") if copy else array

    def __len__(self) -> int:
        return self.shape[0]

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return Volume, (self.path,)

    def __repr__(self) -> str:
        return f"<fiducial.Volume {os.path.basename(self.path)}>"
