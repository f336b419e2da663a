"""What reports say, by rules: labels, regions and sentences, as `fiducial curate` writes them.

    labels = fiducial.curate.labels(texts)
    labels[0]["Emphysema"]                                      # 0 or 1
    pandas.DataFrame(labels)
"""

from __future__ import annotations

import collections.abc
import typing

from fiducial import _native, stages


def labels(texts: collections.abc.Iterable[str | None]) -> list[dict[str, int]]:
    """The eighteen abnormalities of CT-RATE for each text: a list, a pandas, polars or Arrow column.

    A missing value (None, NaN, pandas.NA) reads as "".
    """
    if isinstance(texts, (str, bytes)):
        raise TypeError("texts: expected several texts, found one; wrap it in a list")
    if isinstance(texts, collections.abc.Mapping) or hasattr(texts, "columns"):
        raise TypeError("texts: expected the texts of one column, found a table; choose the column")
    values = texts.to_pylist() if hasattr(texts, "to_pylist") else texts
    return _native.label_reports([_text(value, number) for number, value in enumerate(values)])


def _text(value: typing.Any, number: int) -> str:
    if isinstance(value, str):
        return str(value)
    if value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value):
        return ""
    raise TypeError(f"texts[{number}]: expected a text, found {type(value).__name__}")


def evidence(text: str) -> list[dict[str, typing.Any]]:
    """Every rule that raised a label in a text: label, rule, and the characters begin to end it fired on."""
    stored = text.encode()
    found = _native.label_evidence(text)
    for why in found:
        for end in ("begin", "end"):
            why[end] = len(stored[:why[end]].decode())
        why["text"] = text[why["begin"]:why["end"]]
    return found


def regions(findings: str) -> list[dict[str, typing.Any]]:
    """The sentences of a report's findings, as RadGenome-Chest CT cuts them, each with the regions it speaks of."""
    return _native.divide_report(findings)


def sentences(text: str) -> list[str]:
    """The sentences of a report with all that stands between them: joined, they are the text again."""
    return _native.report_sentences(text)


# Stages of files, `fiducial.curate.options(...)` and the like, beside these functions of texts (see stages).
globals().update({name: function for name, function in stages.FUNCTIONS.items() if name not in globals()})
