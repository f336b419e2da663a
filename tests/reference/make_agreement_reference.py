#!/usr/bin/env python3
"""Agreement of raters and McNemar's test as other tools compute them, for agreement.json.

Needs scikit-learn, krippendorff, pingouin and statsmodels in a Python environment of their own:
    python make_agreement_reference.py > agreement.json
"""

import json
import random
import sys
import warnings
from importlib.metadata import version

import krippendorff
import numpy
import pandas
import pingouin
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef
from statsmodels.stats.contingency_tables import mcnemar

ICC = {"ICC1": "icc_1_1", "ICC2": "icc_2_1", "ICC3": "icc_3_1", "ICC1k": "icc_1_k", "ICC2k": "icc_2_k", "ICC3k": "icc_3_k",
       "ICC(1,1)": "icc_1_1", "ICC(A,1)": "icc_2_1", "ICC(C,1)": "icc_3_1", "ICC(1,k)": "icc_1_k", "ICC(A,k)": "icc_2_k",
       "ICC(C,k)": "icc_3_k"}


def ratings(source, items, raters, values, blanks):
    """Raters who mostly repeat the item's own value."""
    rows = []
    for _ in range(items):
        truth = source.randrange(values)
        row = [truth if source.random() < 0.6 else source.randrange(values) for _ in range(raters)]
        rows.append([None if source.random() < blanks else value for value in row])
    return rows


def of_two(rows):
    pairs = [row for row in rows if None not in row]
    a, b = zip(*pairs)
    out = {"cohen_kappa": cohen_kappa_score(a, b), "cohen_kappa_linear": cohen_kappa_score(a, b, weights="linear"),
           "cohen_kappa_quadratic": cohen_kappa_score(a, b, weights="quadratic")}
    if len(set(a)) > 1 and len(set(b)) > 1:  # scikit-learn has 0 where it is not defined
        out["mcc"] = matthews_corrcoef(a, b)
    return out


def alphas(rows):
    data = numpy.array([[numpy.nan if value is None else value for value in row] for row in rows], float).T
    return {f"krippendorff_alpha_{level}": krippendorff.alpha(reliability_data=data, level_of_measurement=level)
            for level in ("nominal", "ordinal", "interval", "ratio")}


def iccs(rows):
    table = pandas.DataFrame([(item, rater, value) for item, row in enumerate(rows) for rater, value in enumerate(row)],
                             columns=["item", "rater", "value"])
    found = pingouin.intraclass_corr(table, "item", "rater", "value")
    # Written to full precision: the package rounds its table for the eye, so values are taken before that.
    return {ICC[kind]: value for kind, value in zip(found["Type"], found["ICC"]) if kind in ICC}


def tables():
    source = random.Random(30)
    for items, raters, values, blanks in ((40, 2, 2, 0), (40, 2, 2, 0.1), (60, 2, 4, 0), (60, 2, 5, 0.1), (25, 3, 3, 0),
                                          (25, 4, 5, 0.2), (50, 5, 11, 0)):
        rows = ratings(source, items, raters, values, blanks)
        values = dict(alphas(rows))
        if raters == 2:
            values.update(of_two(rows))
        if blanks == 0:
            values.update(iccs(rows))
        yield {"ratings": rows, "values": {name: float(value) for name, value in values.items()}}


def tests():
    for first, second in ((0, 1), (3, 9), (12, 12), (5, 20), (40, 22), (101, 150), (300, 302), (900, 500), (0, 30)):
        table = [[10, first], [second, 10]]
        yield {"only_first": first, "only_second": second, "exact": mcnemar(table, exact=True).pvalue,
               "asymptotic": mcnemar(table, exact=False, correction=False).pvalue,
               "asymptotic_corrected": mcnemar(table, exact=False, correction=True).pvalue}


def main():
    warnings.simplefilter("ignore")
    pingouin.options["round"] = None
    tools = {name: version(name) for name in ("scikit-learn", "krippendorff", "pingouin", "statsmodels")}
    document = {"tools": tools, "command": "python make_agreement_reference.py > agreement.json",
                "tables": list(tables()), "mcnemar": [{key: float(value) if isinstance(value, numpy.floating) else value
                                                       for key, value in each.items()} for each in tests()]}
    json.dump(document, sys.stdout)
    print()


if __name__ == "__main__":
    main()
