#!/usr/bin/env python3
"""Component scores of RadCliQ by RadEval, for `fiducial score --provider "python radeval_provider.py"`.

Reads one JSON object a line (title, step, image, reference, prediction) and writes one a line with radgraph, bertscore,
semb and bleu2 (docs/formats/components.md). RadEval and its weights must be installed; where they are not, it says so and
ends with status 8. BLEU-2 is computed here, as RadCliQ was fitted with it: RadEval's own is of another order.
"""

import collections
import contextlib
import importlib
import json
import math
import os
import sys

NOT_AVAILABLE = 8
PLACES = ("radeval.metrics.RadCliQv1.radcliq", "RadEval.metrics.RadCliQv1.radcliq", "RadEval.factual.RadCliQv1.radcliq")
NAMES = {"radgraph": "radgraph", "bertscore": "bertscore", "semb": "semb_score"}


def not_available(why):
    print(f"RadEval cannot score here: {why}", file=sys.stderr)
    sys.exit(NOT_AVAILABLE)


def composite():
    """RadEval's RadCliQ, with its models loaded."""
    missing = None
    for place in PLACES:
        try:
            module = importlib.import_module(place)
        except ImportError as failure:
            missing = missing or failure
            continue
        try:
            return module.CompositeMetric()
        except Exception as failure:  # weights are looked for while it is made
            not_available(f"{type(failure).__name__}: {failure}")
    not_available(f"{missing}; install RadEval and its weights (RadGraph, CheXbert, distilroberta-base)")


def model_scores(references, predictions):
    """What RadEval makes RadCliQ of, on its way to the composite."""
    metric = composite()
    found = {}
    stack = getattr(metric, "_build_matrix", None)
    if stack is None:
        not_available("this version of RadEval does not tell the components of RadCliQ")

    def keep(components):
        found.update(components)
        return stack(components)

    metric._build_matrix = keep
    metric.predict(references, predictions)
    for name in NAMES.values():
        if len(found.get(name, ())) != len(references):
            not_available(f"RadEval gave no {name} for every text")
    return {ours: [float(value) for value in found[theirs]] for ours, theirs in NAMES.items()}


def words(text):
    return [word for word in text.lower().replace(".", " .").split(" ") if word]


def bleu2(reference, prediction):
    """BLEU-2 of one text: lower case, full stops split off, weights 1/2 each, no smoothing."""
    expected, found = words(reference), words(prediction)
    logs = 0.0
    for n in (1, 2):
        grams = [collections.Counter(zip(*(each[i:] for i in range(n)))) for each in (expected, found)]
        matches = sum((grams[0] & grams[1]).values())
        if matches == 0:
            return 0.0
        logs += math.log(matches / sum(grams[1].values())) / 2
    return math.exp(logs + min(0.0, 1 - len(expected) / len(found)))


def write_scores(pairs, answer):
    references, predictions = ([each[key] for each in pairs] for key in ("reference", "prediction"))
    with contextlib.redirect_stdout(sys.stderr):  # models talk while they load
        scores = model_scores(references, predictions)
    scores["bleu2"] = [bleu2(*texts) for texts in zip(references, predictions)]
    for number, each in enumerate(pairs):
        line = {key: each[key] for key in ("title", "step", "image") if key in each}
        line.update({name: values[number] for name, values in scores.items()})
        answer.write(json.dumps(line) + "\n")


def main():
    pairs = [json.loads(line) for line in sys.stdin if line.strip()]
    if not pairs:
        return
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for step in sorted({each["step"] for each in pairs}):  # BERTScore weighs words by the references of a call
        write_scores([each for each in pairs if each["step"] == step], answer)
    answer.flush()


if __name__ == "__main__":
    main()
