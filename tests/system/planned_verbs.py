#!/usr/bin/env python3
"""Every verb that can be planned ends in the bytes of a plain run, however its work was cut and whatever became of the workers.

usage: planned_verbs.py FIDUCIAL [--only NAME] [--full]

Of each verb: plans of 1, 3 and 16 units (--full: 128, too), worked in random order, each unit twice, by workers of which some
are killed. Scoring has a test of its own, jobs.py.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]


class Failure(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failure(what)


def contents(path):
    """Every file of an output, or beside it where it is one file: OUT, OUT.json, OUT.status.jsonl."""
    if path.is_dir():
        found = {str(each.relative_to(path)): each.read_bytes() for each in sorted(path.rglob("*")) if each.is_file()}
        beside = path.with_name(path.name + ".json")
        return found | ({"beside": beside.read_bytes()} if beside.exists() else {})
    return {each.name[len(path.name):]: each.read_bytes() for each in sorted(path.parent.glob(path.name + "*"))}


class Verbs:
    def __init__(self, fiducial, folder, counts):
        self.fiducial, self.folder, self.counts = fiducial, folder, counts
        self.number = 0
        self.demo = folder / "demo"
        self.run("demo", self.demo, "--cases", 6)
        self.data, self.volumes = self.demo / "rexgroundingct", self.demo / "rexgroundingct/volumes"
        self.good = self.demo / "systems/rexgroundingct/good"
        self.reports = self.data / "reports.csv"

    def run(self, *words, status=0, **more):
        done = subprocess.run([self.fiducial, *map(str, words)], capture_output=True, text=True, **more)
        expect(done.returncode == status,
               f"{' '.join(map(str, words))}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
        return done

    def plan(self, *words):
        self.number += 1
        job = self.folder / f"job{self.number}"
        self.run("plan", *words, "-o", job)
        return job

    def kill_some(self, job, chance):
        for _ in range(2):
            worker = subprocess.Popen([self.fiducial, "work", str(job), "--threads", "1"], stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.2))
            worker.kill()
            worker.wait()

    def all_cuts(self, name, words, plain, compare=contents, out="out", status=0):
        """plain: the output of the verb itself, made by other means."""
        chance = random.Random(name)
        expected = compare(plain)
        expect(expected, f"{name}: the plain run wrote nothing")
        for count in self.counts:
            job = self.plan(*words, "--units", count)
            self.kill_some(job, chance)
            units = [*range(json.loads(self.run("status", job, "--json").stdout)["units"])] * 2
            chance.shuffle(units)
            for unit in units:
                self.run("work", job, "--unit", unit, "--threads", 1)
            expect(self.run("status", job, "--missing").stdout == "", f"{name}: a unit is missing")
            merged = self.folder / f"{job.name}-merged" / out
            merged.parent.mkdir()
            self.run("merge", job, "-o", merged, status=status)
            expect(not list((job / "journals").iterdir()), f"{name}: units leave {list((job / 'journals').iterdir())}")
            found = compare(merged)
            differing = sorted(key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key))
            expect(not differing, f"{name}, {count} units: {differing} differ from a plain run")
            shutil.rmtree(merged.parent)

    # The verbs.

    def check(self):
        words = [self.data, "--predictions", self.good, "--volumes", self.volumes]
        for name, status in (("sound", 0), ("broken", 3)):
            if status:  # a copy, of which every mask but the first is cut off
                words[2] = shutil.copytree(self.good, self.folder / "broken")
                for mask in sorted(words[2].glob("*.nii.gz"))[1:]:
                    mask.write_bytes(mask.read_bytes()[:-40])
            plain = self.folder / f"check-{name}"
            plain.write_text(self.run("check", *words, "--json", status=status).stdout)
            self.all_cuts(f"check of {name} masks", ["check", *words], plain, out=plain.name, status=status)

    def check_of_other_layouts(self):
        """Questions are cut by their images; the rules of tables, and of what curation wrote, look at all of it."""
        questions = self.demo / "medthinkvqa"
        answers = self.demo / "systems/medthinkvqa/good/predictions.jsonl"
        broken = shutil.copytree(questions, self.folder / "broken-questions")
        for image in sorted((broken / "images").rglob("*.jpg"))[::3]:
            image.write_bytes(image.read_bytes()[:-40])
        tables = self.demo / "curated/radgenome"
        curated = self.folder / "curated"
        self.run("curate", "vqa", self.reports, "-o", curated)
        for name, words in (("questions", [questions]), ("broken-questions", [broken]), ("answers", [questions, "--predictions", answers]),
                            ("tables", [tables]), ("curated", [curated])):
            plain = self.folder / f"check-{name}"
            done = subprocess.run([self.fiducial, "check", *map(str, words), "--json"], capture_output=True, text=True)
            plain.write_text(done.stdout)
            expect(done.returncode in (0, 3), f"check of {name}: {done.returncode} {done.stderr}")
            self.all_cuts(f"check of {name}", ["check", *words], plain, out=plain.name, status=done.returncode)
        job = self.plan("check", questions, "--units", 3)
        expect(json.loads((job / "plan.json").read_text())["units"] == 3, "questions are not cut by their images")

    def export(self):
        """Masks are cut by cases; answers and tables are packed at once."""
        systems = self.demo / "systems"
        kinds = {"masks": ([self.data, self.good], "out.zip"),
                 "answers": ([self.demo / "medthinkvqa", systems / "medthinkvqa/good/predictions.jsonl"], "out.jsonl"),
                 "tables": ([self.demo / "curated/radgenome", systems / "radgenome/careful"], "out.zip")}
        for kind, (words, out) in kinds.items():
            plain = self.folder / f"plain-export-{kind}" / out
            plain.parent.mkdir()
            self.run("export", "--to", "submission", *words, "-o", plain)
            self.all_cuts(f"export of {kind}", ["export", "--to", "submission", *words], plain, out=out)

    def predict(self):
        plain = self.folder / "plain-predict" / "out"
        self.run("predict", "text-region", self.data, "--volumes", self.volumes, "-o", plain)
        self.all_cuts("predict", ["predict", "text-region", self.data, "--volumes", self.volumes], plain)

    def anatomy(self):
        plain = self.folder / "plain-anatomy"
        plain.mkdir()
        for volume in sorted(self.volumes.rglob("*.nii.gz")):
            self.run("anatomy", volume, "-o", plain / volume.name)
        self.all_cuts("anatomy", ["anatomy", self.volumes], plain)

    def curate(self):
        stages = {"labels": (["--explain"], "out.csv"), "regions": (["--explain"], "out.csv"), "standardise": ([], "out"),
                  "findings": ([], "out"), "categories": ([], "out"), "reports": ([], "out"), "sentences": ([], "out"),
                  "select": ([], "out.csv"), "cot": (["--volumes", self.volumes, "--masks", self.data / "organs"], "out"),
                  "vqa": (["--silent", "--seed", "7"], "out"), "tasks": ([], "out.json"),
                  "ctrate": (["--volumes", self.volumes, "--masks", self.data / "organs"], "out")}
        listed = self.run("plan", "curate", "--help").stdout
        for stage, (options, out) in stages.items():
            expect(f"\n  {stage} " in listed, f"curate {stage} cannot be planned: {listed}")
            plain = self.folder / f"plain-{stage}" / out
            plain.parent.mkdir()
            self.run("curate", stage, self.reports, *options, "-o", plain)
            self.all_cuts(f"curate {stage}", ["curate", stage, self.reports, *options], plain, out=out)
        # A path that is typed relative to where one stands is told as it was typed, and read from anywhere.
        plain = self.folder / "plain-relative" / "out.json"
        plain.parent.mkdir()
        beside = {"cwd": self.volumes.parent}
        self.run("curate", "tasks", self.reports, "--volumes", "volumes", "-o", plain, **beside)
        job = self.folder / "relative-job"
        self.run("plan", "curate", "tasks", self.reports, "--volumes", "volumes", "-o", job, **beside)
        merged = self.folder / "relative-merged" / "out.json"
        merged.parent.mkdir()
        self.run("work", job)
        self.run("merge", job, "-o", merged)
        expect(contents(merged) == contents(plain), "a relative path gives other bytes")

    def curate_at_once(self):
        """Stages that read all their cases are a unit each."""
        cases = self.demo / "medthinkvqa/test.jsonl"
        listed = self.run("plan", "curate", "--help").stdout
        stages = {"schema": (["--to", "view"], "out.jsonl"), "options": (["--seed", "3"], "out.jsonl"),
                  "balance": (["--seed", "3", "--select", "4"], "out.jsonl"), "discussion": ([], "out")}
        for line in self.run("curate", "--help").stdout.split("Stages:\n")[1].split("\n\n")[0].splitlines():
            expect(not line[2:3].strip() or f"\n  {line.split()[0]} " in listed, f"cannot be planned: {line}")
        for stage, (options, out) in stages.items():
            plain = self.folder / f"plain-{stage}" / out
            plain.parent.mkdir()
            words = ["curate", stage, cases, *options, "--max-failures", "100%"]
            done = subprocess.run([self.fiducial, *map(str, words), "-o", str(plain)], capture_output=True, text=True)
            expect(done.returncode in (0, 4), f"curate {stage}: {done.returncode} {done.stderr}")
            self.all_cuts(f"curate {stage}", words, plain, out=out, status=done.returncode)
        self.training()

    def training(self):
        """A folder of tables as one unit, in a folder of its own."""
        plain = self.folder / "plain-training" / "out"
        plain.parent.mkdir()
        self.run("curate", "training", self.demo / "curated/radgenome", "-o", plain)
        self.all_cuts("curate training", ["curate", "training", self.demo / "curated/radgenome"], plain)

    def translate(self):
        """A stage that asks: parts ask for what is missing, and take the replies."""
        turkish = self.folder / "turkish.csv"
        rows = [f"r{number}.nii.gz,Sağ akciğerde {number + 3} mm nodül izlendi.,Nodül." for number in range(7)]
        turkish.write_text("\n".join(["VolumeName,Findings_EN,Impressions_EN", *rows]) + "\n")
        words = ["curate", "translate", turkish, "--language", "tr", "--model", "m"]
        plain = self.folder / "plain-translate" / "out.csv"
        plain.parent.mkdir()
        self.run(*words, "-o", plain, status=4)
        requests = (self.folder / "plain-translate" / "out.csv.requests.jsonl").read_text().splitlines()
        self.all_cuts("curate translate without replies", words, plain, out="out.csv", status=4)
        replies = self.folder / "replies.jsonl"
        with replies.open("w") as file:
            for line in requests:
                asked = json.loads(line)
                number = int(asked["item"][1:].split(".")[0])
                content = {"Findings_EN": [{"source": f"Sağ akciğerde {number + 3} mm nodül izlendi.",
                                            "english": f"A {number + 3} mm nodule was seen in the right lung."}],
                           "Impressions_EN": [{"source": "Nodül.", "english": "A nodule in the lung."}]}
                file.write(json.dumps({"request": asked["request"], "reply": content}) + "\n")
        plain = self.folder / "plain-translated" / "out.csv"
        plain.parent.mkdir()
        self.run(*words, "--replay", replies, "-o", plain)
        expect(len(plain.read_text().splitlines()) == 8, plain.read_text())
        self.all_cuts("curate translate", [*words, "--replay", replies], plain, out="out.csv")

    def run_of_a_model(self):
        """Units ask a scripted endpoint; what they heard makes the predictions of one run that heard the same."""
        data = self.demo / "medthinkvqa"
        asked = [str(data), "--model", "m", "--endpoint"]
        endpoint = [sys.executable, "-m", "ask.endpoint", "--keys", str(data / "test.jsonl"), "--"]
        plain = self.folder / "plain-run"
        environment = {**os.environ, "PYTHONPATH": str(TESTS)}

        def beside(*words):
            done = subprocess.run([*endpoint, self.fiducial, *map(str, words)], capture_output=True, text=True, env=environment)
            expect(done.returncode == 0, f"{words}: {done.returncode} {done.stdout}{done.stderr}")

        beside("run", *asked, "{url}", "-o", plain)
        said = lambda folder: {name: (folder / name).read_bytes() for name in ("predictions.jsonl", "errors.jsonl")}
        for count in self.counts:
            self.number += 1
            job = self.folder / f"job{self.number}"
            script = (f'"$0" plan run {data} --model m --endpoint "$1" --units {count} -o {job} >/dev/null && '
                      f'("$0" work {job} & sleep 0.1; kill -9 $!; wait; "$0" work {job} --patience-s 0.5; '
                      f'"$0" work {job} --unit 0) >/dev/null 2>&1; "$0" status {job} --missing')
            done = subprocess.run([*endpoint, "bash", "-c", script, self.fiducial, "{url}"], capture_output=True, text=True,
                                  env=environment)
            expect(done.returncode == 0 and done.stdout == "", f"run, {count} units: {done.stdout}{done.stderr}")
            merged = self.folder / f"{job.name}-merged"
            self.run("merge", job, "-o", merged)
            expect(said(merged) == said(plain), f"run, {count} units: predictions differ")
            replies = [json.loads(line) for line in (merged / "journal.jsonl").read_text().splitlines()[1:]]
            expect(replies, "the merged run has no journal")
        self.run("score", data, merged, "-o", self.folder / "scored")

    def requests_of_a_stage(self):
        """The requests of curation are asked in units, and the stage takes the replies."""
        out = self.folder / "asked.csv"
        self.run("curate", "labels", self.reports, "--ask", "--model", "m", "-o", out, status=4)
        requests = self.folder / "asked.csv.requests.jsonl"
        job = self.folder / "asked-job"
        environment = {**os.environ, "PYTHONPATH": str(TESTS)}
        script = f'"$0" plan run {requests} --model m --endpoint "$1" --units 3 -o {job} >/dev/null && "$0" work {job}'
        done = subprocess.run([sys.executable, "-m", "ask.endpoint", "--", "bash", "-c", script, self.fiducial, "{url}"],
                              capture_output=True, text=True, env=environment)
        expect(done.returncode == 0, done.stdout + done.stderr)
        merged = self.folder / "asked-merged"
        self.run("merge", job, "-o", merged)
        lines = (merged / "journal.jsonl").read_text().splitlines()
        wanted = {json.loads(line)["request"] for line in requests.read_text().splitlines()}
        asked = collections.Counter(json.loads(line)["request"] for line in lines[1:])
        expect({json.loads(line)["ask"] for line in lines[1:]} == wanted, "not the requests of the stage")
        expect(set(asked.values()) == {1}, f"a request was asked twice: {asked}")
        # The endpoint says "A" to everything, which is no reply of the wanted form: each is asked for once more, in other words.
        expect(len(asked) == 2 * len(wanted), f"{len(asked)} asked for {len(wanted)} requests")
        # Replies that are none are failures of their items, not of the stage.
        self.run("curate", "labels", self.reports, "--ask", "--model", "m", "--replay", merged / "journal.jsonl", "-o", out,
                 "--max-failures", "100%")


CHECKS = [Verbs.check, Verbs.check_of_other_layouts, Verbs.export, Verbs.predict, Verbs.anatomy, Verbs.curate, Verbs.curate_at_once, Verbs.translate,
          Verbs.run_of_a_model, Verbs.requests_of_a_stage]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fiducial")
    parser.add_argument("--only", default="")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    fiducial = str(pathlib.Path(options.fiducial).resolve())
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        verbs = Verbs(fiducial, pathlib.Path(name), (1, 3, 16, 128) if options.full else (1, 3))
        for check in CHECKS:
            if options.only not in check.__name__:
                continue
            try:
                check(verbs)
                print(f"{check.__name__}: the same bytes")
            except Failure as failure:
                failed += 1
                print(f"{check.__name__}: {failure}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
