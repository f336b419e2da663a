#!/usr/bin/env python3
"""Writes detections.json: average precision and operating points of drawn detections, from scikit-learn's curves.

usage: make_detection_reference.py > detections.json

Lesions that nothing hits stand in the curve with confidence 0 and precision 0, as picai_eval has them: they count for recall
alone. Sensitivities at rates of false positives follow from counting.
"""

import json
import random

import numpy
import sklearn
from sklearn.metrics import precision_recall_curve

RATES = (0.125, 0.25, 0.5, 1, 2, 4, 8)


def drawn(generator, scans):
    out = []
    for _ in range(scans):
        lesions = generator.randrange(0, 4)
        detections = []
        for _ in range(generator.randrange(0, 6)):
            hit = generator.randrange(lesions) if lesions and generator.random() < 0.6 else None
            detections.append([round(generator.random() * (0.9 if hit is None else 1), 2) + 0.01, hit])
        out.append({"lesions": lesions, "detections": detections})
    return out


def measured(scans):
    truth, sure = [], []
    for scan in scans:
        best = {}
        for confidence, hit in scan["detections"]:
            if hit is None:
                truth.append(0)
                sure.append(confidence)
            else:
                best[hit] = max(best.get(hit, 0), confidence)
        for lesion in range(scan["lesions"]):
            truth.append(1)
            sure.append(best.get(lesion, 0))
    precision, recall, thresholds = precision_recall_curve(truth, sure)
    precision[:-1][thresholds == 0] = 0
    truth, sure = numpy.array(truth), numpy.array(sure)
    points = [((sure[truth == 0] >= t).sum() / len(scans), (sure[truth == 1] >= t).mean()) for t in thresholds if t > 0]
    return {"average_precision": float(-(numpy.diff(recall) * precision[:-1]).sum()),
            "sensitivity_at": [float(max([s for f, s in points if f <= rate], default=0)) for rate in RATES]}


def main():
    cases = []
    for seed in range(6):
        scans = drawn(random.Random(seed), 4 + 5 * seed)
        cases.append({"scans": scans, **measured(scans)})
    print(json.dumps({"tool": "scikit-learn", "version": sklearn.__version__,
                      "command": "tests/reference/make_detection_reference.py", "cases": cases}, separators=(",", ":")))


if __name__ == "__main__":
    main()
