#!/usr/bin/env python3
"""What the contracts of tables and grounded reports promise holds for drawn predictions.

usage: table_contracts.py FIDUCIAL

Values lie in their range, right answers score best, no answers score what the contract says, the order of rows does not
matter, and where a contract says that less is never better, no answer that is left out helps.
"""

import argparse
import csv
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
NOTHING = {"0", "wrong", "the wrong answer"}  # what a missing answer counts as, where that is the least there is


def fixture(*words):
    subprocess.run([sys.executable, "-m", "fixtures", *map(str, words)], cwd=TESTS, check=True, capture_output=True)


class Tables:
    """Answers to tables: by file, the columns and the rows."""

    task = "region_tables"

    def __init__(self, folder):
        self.data = folder / "tables"
        fixture("radgenome", self.data, "--volumes", 6)
        fixture("radgenome-answers", self.data, folder / "right", "--kind", "perfect")
        self.right = {path.name: list(csv.reader(path.open(newline=""))) for path in sorted((folder / "right").iterdir())}

    def drawn(self, chance):
        """Some answers are right, some are those of other questions, some are missing."""
        out = {}
        for name, (columns, *rows) in self.right.items():
            kept = [row if chance.random() < 0.5 else row[:-1] + [chance.choice(rows)[-1]] for row in rows if chance.random() < 0.8]
            out[name] = [columns, *kept]
        return out

    def shuffled(self, chance, answers):
        """Rows that answer one question, of which there may be several, stay in their order."""
        out = {}
        for name, (columns, *rows) in answers.items():
            places = {}
            for row in rows:
                places.setdefault(tuple(row[:-1]), chance.random())
            out[name] = [columns, *sorted(rows, key=lambda row: places[tuple(row[:-1])])]
        return out

    def with_one_less(self, chance, answers):
        name = chance.choice([name for name, rows in answers.items() if len(rows) > 1])
        gone = chance.randrange(1, len(answers[name]))
        return {**answers, name: answers[name][:gone] + answers[name][gone + 1:]}

    def none(self):
        return {name: rows[:1] for name, rows in self.right.items()}

    def write(self, folder, answers):
        folder.mkdir()
        for name, rows in answers.items():
            with (folder / name).open("w", newline="") as file:
                csv.writer(file).writerows(rows)


class Reports:
    """Grounded reports: sentences by case."""

    task = "grounded_reports"

    def __init__(self, folder):
        self.data, self.source = folder / "scans", folder / "reports"
        fixture("rex", self.data, "--cases", 5, "--findings", 3)
        fixture("grounded-reports", self.data, self.source)
        lines = (self.source / "grounded_reports.jsonl").read_text().splitlines()
        self.right = {each["case"]: each["sentences"] for each in map(json.loads, lines)}

    def drawn(self, chance):
        texts = [sentence["text"] for said in self.right.values() for sentence in said]
        return {case: [{**each, "text": each["text"] if chance.random() < 0.6 else chance.choice(texts)} for each in said]
                for case, said in self.right.items() if chance.random() < 0.8}

    def shuffled(self, chance, answers):
        return {case: answers[case] for case in chance.sample(list(answers), len(answers))}

    def with_one_less(self, chance, answers):
        case = chance.choice(list(answers))
        return {name: said for name, said in answers.items() if name != case}

    def none(self):
        return {}

    def write(self, folder, answers):
        folder.mkdir()
        for case in answers:
            shutil.copy(self.source / case, folder / case)
        lines = [json.dumps({"case": case, "sentences": said}) + "\n" for case, said in answers.items()]
        (folder / "grounded_reports.jsonl").write_text("".join(lines))


class Promises:
    def __init__(self, fiducial, folder, benchmark):
        self.fiducial, self.folder, self.benchmark, self.runs = fiducial, folder, benchmark, 0
        said = subprocess.run([fiducial, "info", "--json"], capture_output=True, text=True, check=True).stdout
        self.contracts = {each["id"]: each for each in json.loads(said)["metrics"]}
        self.problems = []

    def score(self, answers):
        self.runs += 1
        predictions, out = self.folder / f"predictions{self.runs}", self.folder / f"out{self.runs}"
        self.benchmark.write(predictions, answers)
        done = subprocess.run([self.fiducial, "score", self.benchmark.data, predictions, "-o", out, "--task", self.benchmark.task, "--system", "drawn",
                               "--resamples", "100", "--max-failures", "100%", "--no-report"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{self.benchmark.task}: status {done.returncode}\n{done.stderr}")
        return json.loads((out / "summary.json").read_text())

    def expect(self, condition, slot, what):
        if not condition:
            self.problems.append(f"{self.benchmark.task} {slot}: {what}")

    def slots(self, summary):
        """Slots with their contract and value."""
        for slot, value in summary["metrics"].items():
            yield slot, self.contracts[value["metric"]], value["value"]

    def check_range(self, summary, best):
        for slot, contract, value in self.slots(summary):
            if value is None:
                continue
            low, high = (float(end) for end in contract["range"].strip("[]()").split(", "))
            self.expect(low <= value <= high + 1e-9, slot, f"{value} is not in {contract['range']}")
            right = best["metrics"][slot]["value"]
            is_worse = right is None or (value >= right - 1e-9 if contract["better"] == "lower" else value <= right + 1e-9)
            self.expect(is_worse, slot, f"{value} is better than {right} of right answers")

    def check_none(self, summary):
        for slot, contract, value in self.slots(summary):
            if contract["empty"]["missing"] in NOTHING:
                self.expect(value in (0, None), slot, f"no answers score {value}; a missing one is {contract['empty']['missing']}")

    def check_less(self, before, after):
        was = {slot: value for slot, _, value in self.slots(before)}
        for slot, contract, value in self.slots(after):
            if contract["less_is_never_better"] and None not in (value, was[slot]):
                self.expect(value <= was[slot] + 1e-12, slot, f"{was[slot]} became {value} when an answer was left out")

    def check(self):
        best = self.score(self.benchmark.right)
        self.check_none(self.score(self.benchmark.none()))
        for seed in range(2):
            chance = random.Random(seed)
            answers = self.benchmark.drawn(chance)
            summary = self.score(answers)
            self.check_range(summary, best)
            other = self.score(self.benchmark.shuffled(chance, answers))
            for part in ("metrics", "groups", "counts"):
                self.expect(other[part] == summary[part], part, "depends on the order of rows")
            for _ in range(3):
                self.check_less(summary, self.score(self.benchmark.with_one_less(chance, answers)))
        promised = [slot for slot, contract, _ in self.slots(best) if contract["less_is_never_better"]]
        self.expect(promised, "all", "no metric promises that less is never better")
        return self.problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fiducial")
    fiducial = str(pathlib.Path(parser.parse_args().fiducial).resolve())
    problems, runs = [], 0
    for kind in (Tables, Reports):
        with tempfile.TemporaryDirectory() as name:
            promises = Promises(fiducial, pathlib.Path(name), kind(pathlib.Path(name)))
            problems += promises.check()
            runs += promises.runs
    for line in problems:
        print(line)
    print(f"{runs} runs, {len(problems)} promises broken")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
