"""Frameworks: samples as MONAI and TorchIO take them. Neither package is needed until a view is made."""

from __future__ import annotations

import collections.abc
import importlib
import types
import typing

from fiducial.errors import Unavailable
from fiducial.samples import Sample, Samples

if typing.TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fiducial.datasets import Case, Dataset


def _needed(package: str) -> types.ModuleType:
    try:
        return importlib.import_module(package)
    except ImportError as missing:
        raise Unavailable(f"this view needs the package {package.split('.')[0]}: {missing}") from missing


class FrameworkSamples(Samples):
    """Samples whose image and label are objects of a framework, in one place of the patient."""

    def _of_finding(self, number: int, index: int) -> Sample:
        case = self.dataset[number]
        finding = case.findings[index]
        facts = {"case": case.name, "finding": index, "text": finding.text, "category": finding.category}
        return self._sample(case, finding.mask.dense()[None], facts)

    def _of_case(self, number: int) -> Sample:
        import numpy as np

        case = self.dataset[number]
        facts = {"case": case.name, "texts": [finding.text for finding in case.findings],
                 "categories": [finding.category for finding in case.findings]}
        return self._sample(case, np.stack([mask.dense() for mask in case.masks]), facts)

    def _sample(self, case: Case, label: npt.NDArray[typing.Any], facts: Sample) -> Sample:
        raise NotImplementedError


class MonaiSamples(FrameworkSamples):
    """Dictionaries with "image" and "label" as `monai.data.MetaTensor`, channel first, as `LoadImaged` gives them."""

    def __init__(self, dataset: Dataset, by: str = "finding",
                 transform: collections.abc.Callable[[Sample], typing.Any] | None = None):
        _needed("monai.data")
        super().__init__(dataset, by, transform)

    def _sample(self, case: Case, label: npt.NDArray[typing.Any], facts: Sample) -> Sample:
        return {"image": _meta_tensor(case.volume.hu[None], case.volume.affine, case.volume.path),
                "label": _meta_tensor(label, case.volume.affine, case.mask_path), **facts}


def _meta_tensor(channels: npt.NDArray[typing.Any], affine: npt.NDArray[np.float64], path: str) -> typing.Any:
    import numpy as np

    torch = _needed("torch")
    values = torch.from_numpy(np.ascontiguousarray(channels, dtype=np.float32))
    return _needed("monai.data").MetaTensor(values, affine=torch.from_numpy(affine.copy()),
                                            meta={"filename_or_obj": path, "original_channel_dim": 0})


class TorchioSamples(FrameworkSamples):
    """`torchio.Subject`s with `image` and `label`; by case, the label has a channel a finding."""

    def __init__(self, dataset: Dataset, by: str = "finding",
                 transform: collections.abc.Callable[[typing.Any], typing.Any] | None = None):
        _needed("torchio")
        super().__init__(dataset, by, transform)

    def _sample(self, case: Case, label: npt.NDArray[typing.Any], facts: Sample) -> typing.Any:
        import numpy as np

        torch, torchio = _needed("torch"), _needed("torchio")
        affine = case.volume.affine

        def tensor(channels: npt.NDArray[typing.Any]) -> typing.Any:
            return torch.from_numpy(np.ascontiguousarray(channels, dtype=np.float32))

        return torchio.Subject(image=torchio.ScalarImage(tensor=tensor(case.volume.hu[None]), affine=affine),
                               label=torchio.LabelMap(tensor=tensor(label), affine=affine), **facts)
