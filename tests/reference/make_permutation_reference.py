#!/usr/bin/env python3
"""Writes permutation.json: p-values of paired differences by scipy.stats.permutation_test.

    python tests/reference/make_permutation_reference.py    # numpy, scipy

Run by a developer; the result is checked in. Each case is one value a patient for two systems; the statistic is the
difference of means, two-sided, with permutation_type "samples". Up to 12 patients all exchanges are enumerated, with
more 50,000 are drawn.
"""

import json
import pathlib

import numpy
import scipy
from scipy import stats

TARGET = pathlib.Path(__file__).with_name("permutation.json")
DRAWN = 50_000


def difference(a, b, axis):
    return numpy.mean(a, axis=axis) - numpy.mean(b, axis=axis)


def cases():
    generator = numpy.random.default_rng(20260302)
    for patients, shift in ((3, 0.3), (5, 0.1), (8, 0.15), (10, 0.0), (12, 0.08), (12, 0.2), (25, 0.06), (60, 0.05),
                            (60, 0.0)):
        a = generator.random(patients).round(3)
        b = (a - shift + 0.15 * generator.normal(size=patients)).clip(0, 1).round(3)
        if patients == 10:
            b[:4] = a[:4]
        exact = patients <= 12
        found = stats.permutation_test((a, b), difference, permutation_type="samples", vectorized=True,
                                       alternative="two-sided", n_resamples=numpy.inf if exact else DRAWN,
                                       rng=numpy.random.default_rng(1))
        yield {"a": a.tolist(), "b": b.tolist(), "exact": exact, "p": float(found.pvalue)}


def main():
    document = {
        "tool": "scipy.stats.permutation_test",
        "version": scipy.__version__,
        "command": "python tests/reference/make_permutation_reference.py",
        "cases": list(cases()),
    }
    TARGET.write_text(json.dumps(document, indent=1) + "\n")


main()
