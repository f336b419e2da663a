"""The package rouge-score on pairs of lines: ROUGE-1, 2 and L. With `values` the mean F1 values are printed instead."""

import pathlib
import sys

from repetitions import answer_repetitions
from rouge_score import rouge_scorer

KINDS = ["rouge1", "rouge2", "rougeL"]
FOLDER = pathlib.Path(sys.argv[1])
REFERENCES, PREDICTIONS = ((FOLDER / name).read_text(encoding="utf-8").split("\n")[:-1]
                           for name in ("references.txt", "predictions.txt"))


def score():
    scorer = rouge_scorer.RougeScorer(KINDS)
    return [scorer.score(reference, prediction) for reference, prediction in zip(REFERENCES, PREDICTIONS, strict=True)]


if sys.argv[2:] == ["values"]:
    scores = score()
    print(*(repr(sum(each[kind].fmeasure for each in scores) / len(scores)) for kind in KINDS))
else:
    answer_repetitions(score)
