#!/usr/bin/env python3
"""Compares `fiducial agree --json` with what scikit-learn, krippendorff and pingouin compute now, on seeded random
ratings, and the recorded McNemar tests (tests/reference/agreement.json) with statsmodels.

usage: compare_raters.py FIDUCIAL RATERS_PYTHON [TABLES]
Skips (status 77) where the packages are not installed.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REFERENCE = HERE.parent / "reference"
SKIPPED = 77
MAKER = """
import json, random, sys, warnings
sys.path.insert(0, sys.argv[1])
import make_agreement_reference as maker
warnings.simplefilter("ignore")
maker.pingouin.options["round"] = None
out = []
for seed in range(int(sys.argv[2])):
    source = random.Random(seed)
    raters, blanks = source.randint(2, 5), source.choice([0, 0.1])
    rows = maker.ratings(source, source.randint(12, 60), raters, source.randint(2, 6), blanks)
    values = dict(maker.alphas(rows))
    if raters == 2:
        values.update(maker.of_two(rows))
    if blanks == 0:
        values.update(maker.iccs(rows))
    out.append({"ratings": rows, "values": {name: float(value) for name, value in values.items()}})
print(json.dumps({"tables": out, "mcnemar": [{key: float(value) for key, value in each.items()} for each in maker.tests()]}))
"""


def ours(fiducial, rows, folder):
    table = folder / "ratings.csv"
    lines = [",".join(f"r{i}" for i in range(len(rows[0])))]
    lines += [",".join("NA" if value is None else str(value) for value in row) for row in rows]
    table.write_text("\n".join(lines) + "\n")
    done = subprocess.run([fiducial, "agree", table, "--json", "--resamples", "1"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def differences(fiducial, peers, folder):
    for number, table in enumerate(peers["tables"]):
        found = ours(fiducial, table["ratings"], folder)
        for name, value in table["values"].items():
            mine = found[name]["value"]
            if value == value and (mine is None or abs(mine - value) > 1e-9):
                yield f"table {number}: {name} is {mine}, the package gives {value}"
    recorded = json.loads((REFERENCE / "agreement.json").read_text())["mcnemar"]
    for mine, theirs in zip(recorded, peers["mcnemar"], strict=True):
        for name, value in theirs.items():
            if abs(mine[name] - value) > 1e-12 * max(1, abs(value)):
                yield f"McNemar {mine}: {name} is {value} by statsmodels"


def main():
    fiducial, python = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    tables = sys.argv[3] if len(sys.argv) > 3 else "40"
    if not python.exists():
        print(f"skipped: no {python}; ./dev test --full installs it")
        return SKIPPED
    done = subprocess.run([python, "-c", MAKER, REFERENCE, tables], capture_output=True, text=True, check=True)
    peers = json.loads(done.stdout)
    with tempfile.TemporaryDirectory() as name:
        found = list(differences(fiducial, peers, pathlib.Path(name)))
    print(*found, f"{len(peers['tables'])} tables compared, {len(found)} differences", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
