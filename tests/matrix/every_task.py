#!/usr/bin/env python3
"""What every scoring task must do, tried on every task that the command lists.

usage: every_task.py FIDUCIAL [--task ID]

A run is verified, split and put together, killed and gone on with where it was, stopped, refused where its output exists, given the
largest seed and a system name with dots, restricted to a list of cases, pooled again from its rows, and written in
private: on a corpus of 60 patients in groups of 19, 20 and 21. A task without a corpus here fails.
"""

import argparse
import csv
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
PATIENTS, SIZES = 60, {"a_few": 19, "b_enough": 20, "c_more": 21}
STOPPED, REFUSED = 75, 6
LARGEST_SEED = 2**63 - 1


def fixture(kind, *words):
    subprocess.run([sys.executable, "-m", "fixtures", kind, *map(str, words)], cwd=TESTS, check=True, capture_output=True)


class Corpus:
    """A dataset, predictions for it, and its cases with their patients."""

    def __init__(self, data, predictions, cases, kept, words=()):
        """kept: a pattern that finds a value in what the task's journal keeps, behind its first group."""
        self.data, self.predictions, self.cases, self.kept, self.words = data, predictions, cases, kept, list(words)
        self.metadata = data.parent / "groups.csv"
        labels = [label for label, size in SIZES.items() for _ in range(size)]
        patients = list(dict.fromkeys(cases.values()))
        assert len(patients) == PATIENTS, len(patients)
        of_patient = dict(zip(patients, labels))
        # Wards and beds differ by one patient, and each nearly fills what the other leaves.
        number = {patient: i for i, patient in enumerate(patients)}
        with self.metadata.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["VolumeName", "Site", "Ward", "Bed"])
            writer.writerows([name, of_patient[patient], "w0" if number[patient] < 30 else "w1",
                              "b0" if number[patient] < 31 else "b1"] for name, patient in cases.items())
        self.groups = {}  # patients, by kind and label
        for patient, i in number.items():
            for kind, label in (("Site", of_patient[patient]), ("Ward", "w0" if i < 30 else "w1"), ("Bed", "b0" if i < 31 else "b1")):
                self.groups.setdefault((kind, label), set()).add(patient)

    def predictions_but(self, folder, is_left_out):
        """The predictions without those for some cases: their files, and the lines that name them."""
        name = re.compile("|".join(rf"(?<![\w.]){re.escape(case)}(?![\w.])" for case in self.cases if is_left_out(case)))
        stems = {case.removesuffix(".nii.gz") for case in self.cases if is_left_out(case)}
        if self.predictions.is_file():
            folder.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.predictions, folder)
        else:
            shutil.copytree(self.predictions, folder)
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.suffix in (".jsonl", ".csv"):
                path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if not name.search(line)))
            elif path.name.removesuffix(".nii.gz").removeprefix("seg_") in stems:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return folder


def finding_masks(folder):
    fixture("rex", folder / "data", "--cases", PATIENTS, "--findings", 2)
    fixture("predictions", folder / "data", folder / "predictions", "--kind", "shifted")
    names = sorted(path.name for path in (folder / "data/segmentations").iterdir())
    (folder / "predictions" / names[5]).unlink()
    return Corpus(folder / "data", folder / "predictions", {name: name for name in names}, r'("strict":\[)[0-9.]+')


def diagnosis(folder):
    fixture("medthink", folder / "data", "--cases", PATIENTS)
    fixture("medthink-predictions", folder / "data", folder / "predictions.jsonl", "--kind", "steps")
    lines = (folder / "predictions.jsonl").read_text().splitlines()
    (folder / "predictions.jsonl").write_text("\n".join(lines[:-1]) + "\n")
    titles = [json.loads(line)["title"] for line in lines]
    return Corpus(folder / "data", folder / "predictions.jsonl", {title: title for title in titles}, r'("sums":")[0-9.]+')


def tables(folder):
    fixture("radgenome", folder / "data", "--volumes", 2 * PATIENTS)
    fixture("radgenome-answers", folder / "data", folder / "predictions", "--kind", "one-missing")
    names = [f"valid_{i // 2 + 1}_{'ab'[i % 2]}_1.nii.gz" for i in range(2 * PATIENTS)]
    return folder / "data", folder / "predictions", {name: name.rsplit("_", 2)[0] for name in names}


def region_tables(folder):
    return Corpus(*tables(folder), r'("rouge_1":")[0-9.]+')


def organ_masks(folder):
    data, _, cases = tables(folder)
    fixture("nifti", folder / "organ.nii.gz")
    for place, organs in ((data / "validation_anatomy_mask", ("heart", "liver")), (folder / "organs/masks", ("heart",))):
        for name in cases:
            (place / f"seg_{name.removesuffix('.nii.gz')}").mkdir(parents=True)
            for organ in organs:
                shutil.copy(folder / "organ.nii.gz", place / f"seg_{name.removesuffix('.nii.gz')}" / f"{organ}.nii.gz")
    return Corpus(data, folder / "organs", cases, r'(\["heart",\d,\d,)[0-9.]+', ["--spacing", "1,1,2"])


def grounded_reports(folder):
    corpus = finding_masks(folder)
    fixture("grounded-reports", folder / "data", folder / "reports")
    return Corpus(folder / "data", folder / "reports", corpus.cases, r'("matched":)[0-9.]+')


def controls(folder):
    fixture("controls", folder / "data", "--cases", PATIENTS)
    fixture("control-answers", folder / "data", folder / "predictions", "--kind", "drawn")
    names = sorted(path.name for path in (folder / "data/segmentations").iterdir())
    (folder / "predictions" / names[5]).unlink()
    return Corpus(folder / "data", folder / "predictions", {name: name for name in names}, r'("same":)[0-9.]+')


CORPORA = {each.__name__: each for each in (finding_masks, diagnosis, region_tables, organ_masks, grounded_reports, controls)}


class Failure(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failure(what)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


class Task:
    def __init__(self, fiducial, declared, folder):
        self.fiducial, self.id, self.has_official, self.folder = fiducial, declared["id"], declared["has_official"], folder
        expect(self.id in CORPORA, f"there is no corpus for task {self.id}: add one to {pathlib.Path(__file__).name}")
        self.metrics, self.options = declared.get("metrics", []), declared["options"]
        self.corpus = CORPORA[self.id](folder)

    def words(self, out, *more, predictions=None):
        return [self.fiducial, "score", self.corpus.data, predictions or self.corpus.predictions, "-o", out, "--task", self.id,
                "--max-failures", "100%", "--no-report", *self.corpus.words, *more]

    def run(self, *words, status=0):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        expect(done.returncode == status, f"{' '.join(map(str, words))}: status {done.returncode}, expected {status}\n{done.stderr}")
        return done

    def score(self, out, *more, status=0, predictions=None):
        return self.run(*self.words(out, *more, predictions=predictions), status=status)

    def verify(self, out, *more, predictions=None):
        self.run(self.fiducial, "verify", out, self.corpus.data, predictions or self.corpus.predictions, *more)

    def summary(self, out):
        return json.loads((out / "summary.json").read_text())

    def official(self):
        return [["--mode", mode] for mode in ("strict", "official")] if self.has_official else []

    # One behaviour each.

    def agrees_with_itself(self):
        for number, mode in enumerate([[], *self.official()]):
            out = self.folder / f"plain{number}"
            self.score(out, *mode)
            self.verify(out)
        twin = self.folder / "twin"
        self.score(twin, "--system", "twin")
        self.run(self.fiducial, "compare", self.folder / "plain0", twin)  # holds summaries against rows

    def is_put_together_from_shards(self):
        for number, mode in enumerate([["--group-by", "Site", "--metadata", self.corpus.metadata], *self.official()]):
            whole = self.folder / f"whole{number}"
            self.score(whole, *mode)
            parts = [self.folder / f"part{number}_{i}" for i in range(5)]
            for i, part in enumerate(parts):
                self.score(part, *mode, "--shard", f"{i}/5")
            merged = self.folder / f"merged{number}"
            self.run(self.fiducial, "merge", "-o", merged, *reversed(parts))
            expect(contents(merged) == contents(whole), f"shards give other bytes ({mode})")

    def goes_on_after_a_kill(self):
        chance, whole = random.Random(5), self.folder / "left_alone"
        started = time.monotonic()
        self.score(whole)
        seconds = time.monotonic() - started
        place = self.folder / "killed"
        place.mkdir()
        for _ in range(4):
            process = subprocess.Popen(list(map(str, self.words(place / "out"))), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, seconds))
            process.kill()
            process.wait()
        if not (place / "out").exists():
            self.score(place / "out")
        expect(contents(place / "out") == contents(whole), "a killed run ends in other bytes")
        expect([path.name for path in place.iterdir()] == ["out"], "a killed run leaves files behind")

    def goes_on_where_it_was(self):
        """What a killed run had done is taken from its journal: a value that is changed there shows in the scores."""
        words = ["--resamples", "20000"]
        whole, place = self.folder / "never_killed", self.folder / "resumed"
        self.score(whole, *words)
        place.mkdir()
        journal = place / ".out.journal"
        kept = self.journal_of_a_killed_run(place / "out", journal, words)
        changed, count = re.subn(self.corpus.kept, r"\g<1>0.0625", kept)
        expect(count > 0, f"the journal has nothing like {self.corpus.kept}: {kept[:400]}")
        for text, is_same in ((changed, False), (kept, True)):
            journal.write_text(text)
            self.score(place / "out", *words)
            expect((contents(place / "out") == contents(whole)) == is_same,
                   "a run that goes on gives other bytes" if is_same else "the journal is not read")
            expect([path.name for path in place.iterdir()] == ["out"], "a run that went on leaves files behind")
            shutil.rmtree(place / "out")

    def journal_of_a_killed_run(self, out, journal, words):
        """Kills a run as soon as its journal has a whole line behind the header."""
        for _ in range(20):
            process = subprocess.Popen(list(map(str, self.words(out, *words))), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 1):
                pass
            process.kill()
            process.wait()
            if journal.exists() and not out.exists():
                return journal.read_text().rpartition("\n")[0] + "\n"
            shutil.rmtree(out, ignore_errors=True)
        raise Failure("no run was met while it had a journal")

    def stops_when_asked(self):
        """Asked at many moments of a run, which many resamples make long enough to meet."""
        statuses = []
        for number in range(60):
            out = self.folder / f"stopped{number}"
            process = subprocess.Popen(list(map(str, self.words(out, "--resamples", 1_000_000))), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.01 * (1 + number % 30))
            process.send_signal(signal.SIGTERM)
            statuses.append(process.wait())
            expect(statuses[-1] in (0, STOPPED, -signal.SIGTERM), f"a stop ends in status {statuses[-1]}")
            expect(out.exists() == (statuses[-1] == 0), f"status {statuses[-1]} and the output disagree")
            if STOPPED in statuses:
                return
        raise Failure(f"no stop was heard: {sorted(set(statuses))}")

    def refuses_an_existing_output_at_once(self):
        out = self.folder / "taken"
        out.mkdir()
        (out / "mine.txt").write_text("mine")
        said = self.score(out, predictions=self.folder / "nowhere", status=2).stderr
        expect("nowhere" not in said and (out / "mine.txt").exists(), f"predictions were read before the output was refused: {said}")

    def writes_an_output_once_at_a_time(self):
        place = self.folder / "shared"
        place.mkdir()
        first = subprocess.Popen(list(map(str, self.words(place / "out", "--resamples", 10_000_000))), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        while not (place / ".out.lock").exists() and first.poll() is None:
            time.sleep(0.005)
        for private in ([], ["--private"]):
            said = self.score(place / "out", *private, status=REFUSED).stderr
            expect("another run is writing this output" in said, said)
        first.kill()
        first.wait()
        self.score(place / "out")
        expect([path.name for path in place.iterdir()] == ["out"], "the lock of a killed run stays")

    def bounds_what_a_case_costs(self):
        """Masks beyond the limits fail with the reason; the run goes on and its plan records them."""
        if "max-runs" not in self.options or not any(path.name.endswith(".nii.gz") for path in self.corpus.predictions.rglob("*")):
            return
        for option in ("max-runs", "max-components"):
            out = self.folder / option
            done = self.score(out, f"--{option}", "1")
            expect(f"(--{option})" in done.stderr or option == "max-components", f"nothing is said of --{option}: {done.stderr}")
            expect(json.loads((out / "plan.json").read_text())["options"][option] == ["1"], "the plan does not record the limit")
            self.verify(out)

    def takes_the_largest_seed(self):
        out = self.folder / "seeded"
        self.score(out, "--seed", LARGEST_SEED)
        self.verify(out)
        self.score(self.folder / "beyond", "--seed", LARGEST_SEED + 1, status=2)

    def keeps_dots_in_names_of_systems(self):
        named = self.folder / ("model-4.1" + (self.corpus.predictions.suffix if self.corpus.predictions.is_file() else ""))
        (shutil.copy if self.corpus.predictions.is_file() else shutil.copytree)(self.corpus.predictions, named)
        self.score(self.folder / "dotted", predictions=named)
        expect(self.summary(self.folder / "dotted")["system"] == "model-4.1", "the system's name lost what follows its dot")

    def scores_a_list_of_cases(self):
        names = list(self.corpus.cases)[::3]
        listed = self.folder / "listed.txt"
        listed.write_text("\n".join(names) + "\n")
        self.score(self.folder / "some", "--cases", listed)
        expect(self.summary(self.folder / "some")["counts"]["cases"] == len(names), "the list is not the denominator")
        self.verify(self.folder / "some", "--cases", listed)
        parts = [self.folder / f"some{i}" for i in range(2)]
        for i, part in enumerate(parts):
            self.score(part, "--cases", listed, "--shard", f"{i}/2")
        self.run(self.fiducial, "merge", "-o", self.folder / "some_merged", *parts)
        expect(contents(self.folder / "some_merged") == contents(self.folder / "some"), "shards of a list give other bytes")
        listed.write_text("\n".join([*names, "no such case"]) + "\n")
        self.score(self.folder / "none", "--cases", listed, status=3)

    def tells_nothing_private(self):
        for number, mode in enumerate([[], *self.official()]):
            out = self.folder / f"private{number}"
            words = [word for word in self.words(out, *mode, "--private", "--group-by", "Site", "--metadata", self.corpus.metadata)
                     if word != "--no-report"]
            self.run(*words)
            self.check_private(out)
            self.verify(out, "--metadata", self.corpus.metadata)
        self.score(self.folder / "finer", "--private", "--min-group", "19", "--group-by", "Site", "--metadata", self.corpus.metadata)
        told = self.summary(self.folder / "finer")["groups"]["Site"]
        expect(sorted(told) == sorted(SIZES), f"groups of 19 are told where that is enough: {sorted(told)}")
        expect(json.loads((self.folder / "finer/plan.json").read_text())["private"] == {"min_group": 19, "decimals": 3}, "the plan does not say it")

    def private_summary(self, name, *more, predictions=None):
        self.score(self.folder / name, "--private", *more, predictions=predictions)
        return self.summary(self.folder / name)

    def hides_the_group_of_a_case(self):
        """One case left out changes how many are missing, and nothing else that is counted: no group tells that it is in it."""
        def counted(summary):
            return {(part, kind, label, slot): [value[key] for key in ("n", "n_undefined", "n_failed")]
                    for part in ("groups", "official_groups") for kind, labels in summary.get(part, {}).items()
                    for label, slots in labels.items() for slot, value in slots.items()}
        words = ["--group-by", "Site", "--metadata", self.corpus.metadata]
        # Groups of every kind that the task has, and those of the metadata.
        for number, kinds in enumerate([["--min-group", "2"], words]):
            whole = self.private_summary(f"known{number}", *kinds)
            told = counted(whole)
            expect(told or not number, "no group of the metadata is told")
            expect(not {"key_letter", "key_is_longest", "equal_options"} & set(whole["groups"]), "groups tell keys")
            expect("baselines" not in whole, "baselines tell how often each answer is right")
            for case in list(self.corpus.cases)[7:10]:
                predictions = self.corpus.predictions_but(self.folder / f"omitted{number}" / case / self.corpus.predictions.name, lambda each: each == case)
                seen = counted(self.private_summary(f"omitted{number}_{case}", *kinds, predictions=predictions))
                differing = [key for key in told if seen.get(key, told[key]) != told[key] and self.is_told(told[key]) and self.is_told(seen[key])]
                expect(not differing, f"without {case}: {differing[:3]}")

    @staticmethod
    def is_told(counts):
        return counts[0] > 0

    def tells_no_difference_of_few(self):
        words = ["--group-by", "Site,Ward,Bed", "--metadata", self.corpus.metadata]
        summary = self.private_summary("nested", *words)
        for part in ("groups", "official_groups"):
            told = [self.corpus.groups[kind, label] for kind, labels in summary.get(part, {}).items() for label in labels
                    if (kind, label) in self.corpus.groups]
            sets = [set(self.corpus.cases.values()), *told]
            small = [len(a - b) for a in sets for b in sets if b < a and len(a - b) < 20]
            expect(not small, f"groups differ by {small} patients")
            expect(told or not summary.get(part), "no group of the metadata is told")

    def counts_patients(self):
        """A group of 19 patients is small however many findings, cases or questions they have."""
        for word in self.metrics[:4] or [None]:
            summary = self.private_summary(f"counted_{word}", "--group-by", "Site", "--metadata", self.corpus.metadata,
                                           *(["--metrics", word] if word else []))
            for part in ("groups", "official_groups"):
                expect("a_few" not in summary.get(part, {}).get("Site", {}), f"a group of 19 patients is told ({word})")

    def measures_no_case_alone(self):
        """A submission that is empty but for one case: what it tells is of all patients, to three decimals."""
        def check(value, place):
            if isinstance(value, dict):
                for key, each in value.items():
                    check(each, f"{place}/{key}")
            elif isinstance(value, list):
                for each in value:
                    check(each, place)
            elif isinstance(value, float):
                expect(value == round(value, 3), f"{place} is {value!r}")
        one = list(self.corpus.cases)[9]
        predictions = self.corpus.predictions_but(self.folder / "alone" / self.corpus.predictions.name, lambda each: each != one)
        for name, given in (("alone_scored", predictions), ("all_scored", None)):
            summary = self.private_summary(name, predictions=given)
            for part in ("metrics", "official", "groups", "official_groups"):
                check(summary.get(part, {}), part)
            for part in ("size", "corpus", "clinical", "masks", "orientation"):
                check(summary.get(part), part)
        alone = self.summary(self.folder / "alone_scored")
        for slot, value in alone["metrics"].items():
            expect(value["value"] is None or value["n"] >= 20 or slot.endswith("per_category"), f"{slot} is told of {value['n']}")
        expect(alone["orientation"] is None, "the orientation of one case is told")
        odd = {"findings_with_ties", "right_by_equal_option"} & set(alone["counts"])
        expect(not odd, f"counts follow from the reference of one case: {odd}")
        odd = [remark["code"] for remark in alone["remarks"] if remark["code"] in ("finding_order", "mask_unusable", "ids_wrapped")]
        expect(not odd, f"remarks follow from the reference of one case: {odd}")

    def check_private(self, out):
        summary = self.summary(out)
        text = {path.name: path.read_text() for path in out.iterdir()}
        expect(sorted(text) == ["plan.json", "report.html", "summary.json"], f"files of a private run: {sorted(text)}")
        hashes = {subprocess.run(["sha256sum", path], capture_output=True, text=True).stdout.split()[0]
                  for path in self.corpus.data.rglob("*") if path.is_file()}
        for name, said in text.items():
            for case in self.corpus.cases:
                stem = case.removesuffix(".nii.gz")
                expect(stem not in said.replace(f"{stem}0", ""), f"{name} names {case}")
            expect(not [each for each in hashes if each in said], f"{name} has the hash of a private file")
        for part in ("groups", "official_groups"):
            told = summary.get(part, {}).get("Site", {})
            expect("a_few" not in told, "a group of 19 patients is told")
            expect(len(told) < 2, "the group of 19 patients follows from the whole and the two others")
        self.check_slots(summary)

    def check_slots(self, summary):
        slots = [*summary["metrics"].items(), *summary.get("official", {}).items()]
        expect(any(slot["value"] is not None for _, slot in slots), "no value is told of 60 patients")
        for kinds in (summary["groups"], summary.get("official_groups", {})):
            for kind, labels in kinds.items():
                for label, of_group in labels.items():
                    for slot, value in of_group.items():
                        few = value["value"] is not None and 0 < value["n"] < 20 and not slot.endswith("per_category")
                        expect(not few, f"{kind} {label} {slot} is of {value['n']}")


CHECKS = [Task.agrees_with_itself, Task.is_put_together_from_shards, Task.goes_on_after_a_kill, Task.goes_on_where_it_was,
          Task.stops_when_asked, Task.refuses_an_existing_output_at_once, Task.writes_an_output_once_at_a_time, Task.bounds_what_a_case_costs,
          Task.takes_the_largest_seed, Task.keeps_dots_in_names_of_systems, Task.scores_a_list_of_cases,
          Task.tells_nothing_private, Task.hides_the_group_of_a_case, Task.tells_no_difference_of_few,
          Task.counts_patients, Task.measures_no_case_alone]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fiducial")
    parser.add_argument("--task", default="")
    options = parser.parse_args()
    fiducial = str(pathlib.Path(options.fiducial).resolve())
    declared = json.loads(subprocess.run([fiducial, "info", "--json"], capture_output=True, text=True, check=True).stdout)["tasks"]
    passed, failures = 0, []
    for each in declared:
        if options.task not in each["id"]:
            continue
        with tempfile.TemporaryDirectory() as name:
            task = Task(fiducial, each, pathlib.Path(name))
            for check in CHECKS:
                try:
                    check(task)
                    passed += 1
                except Failure as failure:
                    failures.append(f"{each['id']} {check.__name__}: {failure}")
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
