"""Fiducial: exact, fast and reproducible scoring of grounded radiology benchmarks.

    import fiducial

    ds = fiducial.open("rexgroundingct", volumes="ct-rate")
    card = fiducial.score(ds, "predictions/")
    print(card)
"""

from fiducial import curate, errors, metrics, stages
from fiducial._native import version as __version__
from fiducial.datasets import Case, Dataset, Finding, open
from fiducial.errors import Error
from fiducial.masks import Mask
from fiducial.samples import Samples
from fiducial.scoring import Card, Comparison, Rows, Scorer, compare, score
from fiducial.verbs import CheckReport, check, convert, demo
from fiducial.volumes import Volume

__all__ = ["Card", "Case", "CheckReport", "Comparison", "Dataset", "Error", "Finding", "Mask", "Rows", "Samples", "Scorer",
           "Volume", "__version__", "check", "compare", "convert", "curate", "demo", "errors", "metrics", "open", "score", "stages"]
