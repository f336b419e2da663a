#!/usr/bin/env python3
"""The commands of docs/howto/reproduce.md, as they stand there, against the stand-in: from an endpoint to every table of the
MedThinkVQA paper, without an empty cell that they promise to fill.

usage: documented.py FIDUCIAL SCRIPTED_ENDPOINT
"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from scripted import Checks, Endpoint, TESTS

CASES = 4
NOTE = "# Background\nIt is known. It is rare.\n# Imaging Perspective\nA grey shadow.\n# Outcome\nGood."
SCRIPT = {"rules": [{"contains": "Write a case discussion for students", "do": "reply", "text": NOTE}]}
# Cells of tables that the commands fill.
FILLED = {"main": 1, "image_share": 6, "effort": 3, "cues": 7, "intermediates": 2, "steps": 1, "discussion": 3}


def commands():
    page = (TESTS.parent / "docs" / "howto" / "reproduce.md").read_text()
    return re.search(r"```bash\n(.*?)```", page, re.DOTALL).group(1)


def write_inputs(folder):
    subprocess.run([sys.executable, "-m", "fixtures", "medthink", folder / "medthinkvqa", "--cases", str(CASES)], cwd=TESTS,
                   check=True, capture_output=True)
    titles = [json.loads(line)["title"] for line in (folder / "medthinkvqa" / "test.jsonl").read_text().splitlines()]
    rows = ["title,clinical_history,step1,human_factual1,step2,human_factual2", *(f"{title},h,s,1,s,0" for title in titles)]
    (folder / "people.csv").write_text("\n".join(rows) + "\n")
    (folder / "models.csv").write_text("model,name,family,billions,weights\nmy-model,Mine,Own,7,open\n")


def own_cells(path, model):
    """How many cells of a model a table has a value in."""
    with open(path, newline="") as file:
        return sum(row.get("model") in (model, "Mine") and row["value"] != "" and not row["source"]
                   and row.get("of", "accuracy") == "accuracy" for row in csv.DictReader(file))


def main():
    fiducial, program = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_inputs(folder)
        with Endpoint(program, folder / "endpoint", script=SCRIPT) as endpoint:
            # A judge that nobody can certify ends with status 1, and the page goes on.
            shell = 'set -e; fiducial() { command fiducial "$@" || [ "$1 $2" = "judge certify" ]; }\n' + commands()
            ended = subprocess.run(["bash", "-c", shell], cwd=folder, capture_output=True, text=True, env={
                **os.environ, "PATH": f"{fiducial.parent}:{os.environ['PATH']}", "DIR": "medthinkvqa", "URL": endpoint.url(),
                "M": "my-model", "J": "my-judge"})
        if checks.equal(ended.returncode, 0, f"the commands of the page run: {ended.stderr[-800:]}"):
            for table, cells in FILLED.items():
                found = own_cells(folder / "tables" / f"{table}.csv", "my-model")
                checks.that(found >= cells, f"{table}: {found} cells have a value, {cells} were promised")
            checks.that("judged by my-judge" in ended.stdout or "uncertified" in ended.stdout, "scores say who judged")
            checks.that("published [1]" in ended.stdout, "published values stand beside")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
