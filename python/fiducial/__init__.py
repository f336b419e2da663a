"""Fiducial: exact, fast and reproducible scoring of grounded radiology benchmarks.

    import fiducial

    ds = fiducial.open("rexgroundingct", volumes="ct-rate")
    scores = fiducial.score(ds, "predictions/")
    print(scores)
"""

import typing

from fiducial import anatomy, cards, curate, errors, jobs, metrics, preprocess, stages
from fiducial._native import version as __version__
from fiducial.cases import CaseImage, DiagnosisCase, DiagnosisDataset, InferenceView
from fiducial.datasets import Case, Dataset, Finding, open
from fiducial.errors import Error
from fiducial.mask_files import Masks, read_masks, write_masks
from fiducial.masks import Mask
from fiducial.options import tasks
from fiducial.samples import Samples
from fiducial.scoring import (Comparison, Rows, Scorer, Scores, compare, merge, rows, score, score_answers, score_shard,
                              score_tables, verify)
from fiducial.serving import Page, serve
from fiducial.verbs import CheckReport, agree, board, check, convert, demo, export, pack, predict, resample, run, stats
from fiducial.volumes import Volume


def __getattr__(name: str) -> typing.Any:
    """`fiducial.inspect`, which needs an optional extra, is read when it is first named."""
    if name == "inspect":
        import importlib

        return importlib.import_module("fiducial.inspect")
    raise AttributeError(f"module 'fiducial' has no attribute {name!r}")


Card = Scores  # its earlier name; cards are those of benchmarks

__all__ = ["Card", "Case", "CaseImage", "CheckReport", "Comparison", "Dataset", "DiagnosisCase",
           "DiagnosisDataset", "Error", "Finding", "InferenceView", "Mask", "Masks", "Page", "Rows", "Samples", "Scorer", "Scores",
           "Volume", "__version__", "agree", "anatomy", "board", "cards", "check", "compare", "convert", "curate", "demo", "errors",
           "export", "jobs", "merge", "metrics", "open", "pack", "predict", "preprocess", "read_masks", "resample", "rows", "run", "score",
           "score_answers", "score_shard", "score_tables", "serve", "stages", "stats", "tasks", "verify", "write_masks"]
