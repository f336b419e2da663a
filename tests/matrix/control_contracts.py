#!/usr/bin/env python3
"""What the contracts of control prompts promise, and their values against a few lines of NumPy that know the masks and the key alone.

usage: control_contracts.py FIDUCIAL

Right answers are best; a deaf system and a silent one get nothing for listening, and neither discriminates; a case that is left
out, or cannot be read, never helps; what a scan answers to nothing is told.
"""

import argparse
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("numpy is not installed")
    sys.exit(77)

TESTS = pathlib.Path(__file__).resolve().parents[1]
SWAPPED, EMPTY = ("swapped_side", "swapped_lobe"), ("denied", "other_patient")


def fixture(*words):
    subprocess.run([sys.executable, "-m", "fixtures", *map(str, words)], cwd=TESTS, check=True, capture_output=True)


def read_channels(path):
    """(prompt, voxel), of a file with channels first."""
    raw = gzip.decompress(path.read_bytes())
    shape = numpy.frombuffer(raw, "<i2", 8, 40)
    return numpy.frombuffer(raw, "u1", offset=352).reshape(-1, shape[1]).T > 0


def dice(a, b):
    return 2 * (a & b).sum() / (a.sum() + b.sum()) if a.any() or b.any() else 0.0


def case_values(prompts, key, answers, least):
    """Lists of what each measure takes the mean of; answers are None where there are none."""
    out = {slot: [] for slot in SLOTS}
    kinds = [each["kind"] for each in prompts]
    of = [each.get("finding") for each in prompts]
    usable = answers is not None
    if not usable:
        answers = numpy.zeros_like(key)

    def moved(at):
        return 1 - dice(answers[of[at]], answers[at]) if answers[of[at]].any() else 0.0

    for at, kind in enumerate(kinds):
        if kind == "finding":
            out["dice_per_finding"].append(dice(key[at], answers[at]))
            swaps = [moved(i) for i in range(len(kinds)) if kinds[i] in SWAPPED and of[i] == at]
            words = [moved(i) for i in range(len(kinds)) if kinds[i] == "paraphrase" and of[i] == at]
            if swaps and words:
                out["listening"].append(numpy.mean(swaps) - numpy.mean(words))
        if kind in SWAPPED:
            out["swap_movement"].append(moved(at))
            out["grounded_listening"].append(dice(key[of[at]], answers[of[at]]) - dice(key[of[at]], answers[at]))
        if kind == "paraphrase":
            out["paraphrase_movement"].append(moved(at))
            out["paraphrase_consistency"].append(dice(answers[of[at]], answers[at]))
    alarms = [1.0 if not usable else float(answers[at].sum() >= least) for at, kind in enumerate(kinds) if kind in EMPTY]
    answered = [float(usable and answers[at].sum() >= least) for at, kind in enumerate(kinds) if kind == "finding"]
    out["false_alarm_rate"] += alarms
    if alarms:
        out["false_alarms_per_scan"].append(sum(alarms))
    if alarms and answered:
        out["discrimination"].append(numpy.mean(answered) - numpy.mean(alarms))
    return out


SLOTS = ("listening", "grounded_listening", "swap_movement", "paraphrase_movement", "paraphrase_consistency", "false_alarm_rate",
         "false_alarms_per_scan", "discrimination", "dice_per_finding")


def expected(data, predictions, least):
    pooled = {slot: [] for slot in SLOTS}
    for line in (data / "controls.jsonl").read_text().splitlines():
        entry = json.loads(line)
        path = predictions / entry["case"]
        answers = read_channels(path) if path.exists() else None
        values = case_values(entry["prompts"], read_channels(data / "segmentations" / entry["case"]), answers, least)
        for slot in SLOTS:
            pooled[slot] += values[slot]
    return {slot: (float(numpy.mean(values)) if values else None, len(values)) for slot, values in pooled.items()}


class Contracts:
    def __init__(self, fiducial, folder):
        self.fiducial, self.folder, self.data, self.runs, self.problems = fiducial, folder, folder / "data", 0, []
        fixture("controls", self.data, "--cases", 7)
        said = subprocess.run([fiducial, "info", "--json"], capture_output=True, text=True, check=True).stdout
        self.contracts = {each["id"]: each for each in json.loads(said)["metrics"]}

    def answers(self, kind):
        out = self.folder / kind
        if not out.exists():
            fixture("control-answers", self.data, out, "--kind", kind)
        return out

    def score(self, predictions, *words):
        self.runs += 1
        out = self.folder / f"out{self.runs}"
        done = subprocess.run([self.fiducial, "score", self.data, predictions, "-o", out, "--resamples", "100", "--max-failures", "100%",
                               "--no-report", *words], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return json.loads((out / "summary.json").read_text())["metrics"]

    def expect(self, condition, what):
        if not condition:
            self.problems.append(what)

    def hold(self, kind, least=1):
        """The command's values against NumPy's, to 1e-12."""
        predictions = self.answers(kind)
        got = self.score(predictions, "--alarm-voxels", str(least))
        for slot, (value, count) in expected(self.data, predictions, least).items():
            near = (got[slot]["value"] is None) == (value is None) and (value is None or abs(got[slot]["value"] - value) < 1e-12)
            self.expect(near and got[slot]["n"] == count, f"{kind}, at least {least}: {slot} is {got[slot]['value']} of {got[slot]['n']}, "
                                                          f"expected {value} of {count}")
        return {slot: each["value"] for slot, each in got.items()}

    def hold_ranges(self, kind, values):
        for slot, value in values.items():
            contract = self.contracts.get(slot)
            if contract is None or value is None:
                continue
            low, high = (float(each) for each in contract["range"].strip("[])").split(","))
            self.expect(low <= value <= high, f"{kind}: {slot} {value} is outside {contract['range']}")

    def run(self):
        best = {"listening": 1, "grounded_listening": 1, "paraphrase_consistency": 1, "false_alarm_rate": 0, "false_alarms_per_scan": 0,
                "discrimination": 1, "dice_per_finding": 1}
        values = {kind: self.hold(kind) for kind in ("listens", "deaf", "silent", "drawn")}
        self.hold("drawn", least=40)
        for kind, of_kind in values.items():
            self.hold_ranges(kind, of_kind)
        self.expect({slot: values["listens"][slot] for slot in best} == best, f"right answers are not best: {values['listens']}")
        for kind in ("deaf", "silent"):
            for slot in ("listening", "grounded_listening", "discrimination"):
                self.expect(values[kind][slot] == 0, f"{kind}: {slot} is {values[kind][slot]}, expected 0")
        self.expect(values["silent"]["paraphrase_consistency"] == 0, "a silent system is consistent")
        self.expect(values["silent"]["false_alarm_rate"] == 0 and values["deaf"]["false_alarm_rate"] == 1, "false alarms are not told")
        self.expect(self.score(self.answers("drawn"), "--alarm-voxels", "40")["false_alarm_rate"]["metric"] == "false_alarm_rate_min40",
                    "two thresholds share an id")
        self.never_gains_by_leaving_out()

    def never_gains_by_leaving_out(self):
        for kind in ("drawn", "listens"):
            whole = self.score(self.answers(kind))
            for number, name in enumerate(sorted(path.name for path in self.answers(kind).iterdir())[:3]):
                for spoil in ("missing", "broken"):
                    less = self.folder / f"{kind}_{spoil}{number}"
                    shutil.copytree(self.answers(kind), less)
                    (less / name).unlink()
                    if spoil == "broken":
                        (less / name).write_bytes(b"not a mask")
                    for slot, found in self.score(less).items():
                        contract = self.contracts.get(slot, {"better": "higher"})
                        gain = {"higher": 1, "lower": -1, "none": 0}[contract["better"]] * (found["value"] - whole[slot]["value"])
                        gained = gain > 1e-12 and not self.was_below_missing(slot, kind, name)
                        self.expect(not gained, f"{kind}: {slot} gains {gain} where {name} is {spoil}")

    def was_below_missing(self, slot, kind, name):
        """Listening may be below what a missing case gets: masks that move more by other words than by another meaning."""
        if slot not in ("listening", "grounded_listening"):
            return False
        listed = self.folder / "one.txt"
        listed.write_text(name + "\n")
        return self.score(self.answers(kind), "--cases", listed)[slot]["value"] < 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fiducial")
    fiducial = str(pathlib.Path(parser.parse_args().fiducial).resolve())
    with tempfile.TemporaryDirectory() as name:
        contracts = Contracts(fiducial, pathlib.Path(name))
        contracts.run()
    for problem in contracts.problems:
        print(problem)
    print(f"{contracts.runs} runs, {len(contracts.problems)} problems")
    sys.exit(1 if contracts.problems else 0)


if __name__ == "__main__":
    main()
