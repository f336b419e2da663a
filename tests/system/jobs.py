#!/usr/bin/env python3
"""Work that is cut into units ends in the bytes of a plain run, whoever worked on it and whatever became of them.

usage: jobs.py FIDUCIAL [--task ID] [--full]

Of every task: plans of 1, 3, 16 and 128 units, worked in random order, each unit twice, by workers that are killed. Then what
goes wrong: inputs that change, results that differ, workers that die, hang or whose clocks are wrong, a full disk, a file
system without locks, a stop.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "matrix"))
import every_task

OK, CHANGED, BAD_DATA, UNFINISHED, BAD_USAGE, NO_SPACE, STOPPED = 0, 5, 3, 4, 2, 74, 75


class Failure(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failure(what)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


class Bench:
    """One task's corpus, a plain run, and jobs."""

    def __init__(self, fiducial, task, folder):
        self.fiducial, self.task, self.folder = fiducial, task, folder
        self.corpus = every_task.CORPORA[task](folder)
        self.words = [str(self.corpus.data), str(self.corpus.predictions), "--task", task, "--max-failures", "100%",
                      "--group-by", "Site", "--metadata", str(self.corpus.metadata), *map(str, self.corpus.words)]
        self.plain = folder / "plain"
        self.run("score", *self.words, "-o", self.plain)
        self.count = 0

    def run(self, *words, status=OK, **more):
        done = subprocess.run([self.fiducial, *map(str, words)], capture_output=True, text=True, **more)
        expect(done.returncode == status,
               f"{' '.join(map(str, words))}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
        return done

    def plan(self, units, *more):
        self.count += 1
        job = self.folder / f"job{self.count}"
        self.run("plan", "score", *self.words, "--units", units, "-o", job, *more)
        return job

    def is_whole(self, job):
        out = self.folder / f"{job.name}_merged"
        self.run("merge", job, "-o", out)
        expect(contents(out) == contents(self.plain), f"{self.task}: {job.name} gives other bytes than a plain run")
        shutil.rmtree(out)

    def units(self, job):
        return json.loads(self.run("status", job, "--json").stdout)["units"]

    # What must be true of every task.

    def merges_to_the_bytes_of_a_plain_run(self, counts):
        chance = random.Random(self.task)
        for wanted in counts:
            job = self.plan(wanted)
            self.kill_some(job, chance)
            units = [*range(self.units(job))] * 2
            chance.shuffle(units)
            for unit in units:
                self.run("work", job, "--unit", unit, "--threads", 1)
            self.is_whole(job)

    def kill_some(self, job, chance):
        for _ in range(3):
            worker = subprocess.Popen([self.fiducial, "work", str(job), "--threads", "1"], stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.3))
            worker.kill()
            worker.wait()

    def keeps_private_scores(self):
        """The private outputs of a plain run, by a job that its owner alone may read."""
        words = [*self.words, "--private", "--min-group", 2]
        self.run("score", *words, "-o", self.folder / "private")
        job = self.plan(3, "--private", "--min-group", 2)
        expect(job.stat().st_mode & 0o777 == 0o700, f"others may enter {job}: {job.stat().st_mode & 0o777:o}")
        for unit in (2, 0, 1, 0):
            if unit < self.units(job):
                self.run("work", job, "--unit", unit, "--threads", 1)
        out = self.folder / "private-merged"
        self.run("merge", job, "-o", out)
        expect(contents(out) == contents(self.folder / "private"), f"{self.task}: private scores differ from those of a plain run")

    def workers_share_a_job(self):
        job = self.plan(12)
        workers = [subprocess.Popen([self.fiducial, "work", str(job), "--worker", f"{i}/3", "--threads", "1"],
                                    stderr=subprocess.PIPE, text=True) for i in range(3)]
        for worker in workers:
            said = worker.communicate()[1]
            expect(worker.returncode == OK, said)
        self.is_whole(job)


class Trouble(Bench):
    """What goes wrong, on masks."""

    def goes_on_after_a_stop(self):
        job = self.plan(4)
        for number in range(40):
            worker = subprocess.Popen([self.fiducial, "work", str(job), "--threads", "1"], stderr=subprocess.PIPE, text=True)
            time.sleep(0.02 + 0.01 * number)
            worker.send_signal(signal.SIGTERM)
            said = worker.communicate()[1]
            expect(worker.returncode in (OK, STOPPED, -signal.SIGTERM), f"a stop ends in {worker.returncode}: {said}")
            if worker.returncode == STOPPED:
                break
        else:
            raise Failure("no stop was heard")
        claimed = {path.name.split(".")[0] for path in (job / "claims").iterdir()}
        done = {path.name.split(".")[0] for path in (job / "units").iterdir()}
        expect(claimed == done, "a worker that was stopped keeps its claim")
        self.run("work", job)
        self.is_whole(job)

    def takes_over_from_the_dead(self):
        """A claim that nobody lets grow; its clock says next century."""
        job = self.plan(4)
        for unit in range(4):
            claim = job / f"claims/{unit:06}.0"
            claim.write_text("elsewhere 1\n")
            os.utime(claim, (4e9 if unit % 2 else 1, 4e9 if unit % 2 else 1))
        self.run("merge", job, "-o", self.folder / "none", status=UNFINISHED)
        self.run("work", job, "--patience-s", 0.4, "--no-copies")
        expect(len(list((job / "claims").iterdir())) == 8, "the units of the dead were not claimed anew")
        self.is_whole(job)

    def copies_what_hangs(self):
        """A worker that is stopped in the middle, as by a store that does not answer, holds nobody up."""
        job = self.plan(6)
        hung = subprocess.Popen([self.fiducial, "work", str(job), "--threads", "1"], stderr=subprocess.DEVNULL)
        while not any((job / "claims").iterdir()) and hung.poll() is None:
            time.sleep(0.001)
        hung.send_signal(signal.SIGSTOP)
        self.run("work", job)
        self.is_whole(job)
        hung.send_signal(signal.SIGCONT)
        expect(hung.wait() == OK, "a worker that hung does not end well")
        self.is_whole(job)

    def refuses_what_changed(self):
        mask = sorted(self.corpus.predictions.glob("*.nii.gz"))[0]
        listing = self.corpus.data / "dataset.json"
        for path in (mask, listing):
            kept, state = path.read_bytes(), path.stat()
            job = self.plan(1)
            path.write_bytes(kept + b" ")
            for verb in ("work",) if path == mask else ("work", "merge"):
                said = self.run(verb, job, *(["-o", self.folder / "none"] if verb == "merge" else []), status=CHANGED).stderr
                expect("changed since the job was planned" in said, said)
            path.write_bytes(kept)
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
            self.run("work", job)
            self.is_whole(job)

    def refuses_units_of_others(self):
        mine, other = self.plan(2), self.plan(3)
        self.run("work", mine)
        self.run("work", other)
        theirs = sorted((other / "units").iterdir())
        for path in sorted((mine / "units").iterdir()):
            path.unlink()
        for path in theirs:
            shutil.copy(path, mine / "units")
        said = self.run("merge", mine, "-o", self.folder / "none", status=CHANGED).stderr
        expect("a unit of another plan" in said, said)

    def refuses_another_build(self):
        import hashlib
        job = self.plan(2)
        lines = (job / "plan.json").read_text().split("\n")
        for change, said in ((lambda line: line.replace('"build":"', '"build":"00'), "planned by fiducial"),
                             (lambda line: line.replace('"tool_version":"', '"tool_version":"9'), "planned by fiducial")):
            body = "\n".join(map(change, lines[:-2])) + "\n"
            (job / "plan.json").write_text(body + f'"sha256":"{hashlib.sha256(body.encode()).hexdigest()}"}}\n')
            expect(said in self.run("work", job, status=CHANGED).stderr, "another build may work")
        (job / "plan.json").write_text("\n".join(lines).replace('"units":2', '"units":3'))
        expect("the plan was changed" in self.run("work", job, status=CHANGED).stderr, "a changed plan is taken")
        (job / "plan.json").write_text("\n".join(lines)[:200])
        self.run("work", job, status=BAD_DATA)

    def keeps_results_that_differ(self):
        import hashlib
        job = self.plan(2)
        self.run("work", job)
        first = sorted((job / "units").iterdir())[0]
        text = first.read_text().replace('"positions":[', '"positions":[ ', 1) if '"positions":[' in first.read_text() else first.read_text() + " "
        other = first.with_name(f"{first.name.split('.')[0]}.{hashlib.sha256(text.encode()).hexdigest()}.json")
        other.write_text(text)
        for words in (["work", job], ["status", job], ["merge", job, "-o", self.folder / "none"]):
            expect("results that differ" in self.run(*words, status=CHANGED).stderr, "results that differ pass")
        expect(first.exists() and other.exists(), "a result that differs went away")
        other.unlink()
        kept = first.read_bytes()
        first.write_bytes(kept[:-20])
        expect("changed or cut off" in self.run("merge", job, "-o", self.folder / "none", status=CHANGED).stderr, "a cut result passes")
        first.write_bytes(kept)
        self.is_whole(job)

    def survives_a_full_disk(self):
        job = self.plan(3)
        small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        self.run("work", job, status=NO_SPACE, preexec_fn=small)
        expect(not list((job / "units").iterdir()) and not list((job / "claims").iterdir()), "a full disk leaves files behind")
        self.run("work", job)
        self.is_whole(job)

    def needs_no_locks(self):
        """As on a file system where flock and fcntl locks fail."""
        shim = self.folder / "nolocks.so"
        (self.folder / "nolocks.c").write_text(
            "#include <errno.h>\nint flock(int f, int o) { (void)f; (void)o; errno = ENOLCK; return -1; }\n"
            "int lockf(int f, int o, long s) { (void)f; (void)o; (void)s; errno = ENOLCK; return -1; }\n")
        compiler = shutil.which("cc") or shutil.which("gcc")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, self.folder / "nolocks.c"], check=True)
        environment = {**os.environ, "LD_PRELOAD": str(shim)}
        job = self.plan(3)
        self.run("work", job, env=environment)
        self.run("merge", job, "-o", self.folder / "unlocked", env=environment)
        expect(contents(self.folder / "unlocked") == contents(self.plain), "without locks there are other bytes")

    def tells_what_is_missing(self):
        job = self.plan(7)
        for unit in (1, 4):
            self.run("work", job, "--unit", unit)
        expect(self.run("status", job, "--missing", "--format", "slurm").stdout == "0,2-3,5-6\n", "slurm's ranges")
        expect(self.run("status", job, "--missing").stdout.split() == ["0", "2", "3", "5", "6"], "lines")
        expect(json.loads(self.run("status", job, "--missing", "--format", "json").stdout) == [0, 2, 3, 5, 6], "json")
        expect("2 of 7 units done" in self.run("status", job).stdout, "status")
        self.run("work", job, "--unit", 7, status=BAD_USAGE)
        self.run("work", job)
        expect(self.run("status", job, "--missing", "--format", "slurm").stdout == "", "something is missing")

    def says_nothing_of_who_worked(self):
        """Two jobs of one plan, worked elsewhere and otherwise, hold the same files."""
        jobs = [self.plan(5), self.plan(5)]
        self.run("work", jobs[0])
        for unit in (4, 2, 0, 3, 1):
            self.run("work", jobs[1], "--unit", unit, "--threads", 3)
        expect(contents(jobs[0] / "units") == contents(jobs[1] / "units"), "results tell who made them")
        expect(not list((jobs[0] / "journals").iterdir()), "journals stay behind")

    def does_the_other_units_first(self):
        """A unit that cannot be scored stops nobody."""
        job = self.plan(5)
        first = json.loads((job / "plan.json").read_text())["cases"][0]
        listing = self.corpus.data / "segmentations" / first[0]
        kept, state = listing.read_bytes(), listing.stat()
        listing.write_bytes(kept[:-9] + b"x" * 9)
        os.utime(listing, ns=(state.st_atime_ns, state.st_mtime_ns))
        said = self.run("work", job, status=BAD_DATA).stderr
        expect(f"unit {first[2]}:" in said, said)
        expect(len(list((job / "units").iterdir())) == 4, "other units were not done")
        listing.write_bytes(kept)
        os.utime(listing, ns=(state.st_atime_ns, state.st_mtime_ns))
        self.run("work", job)
        self.is_whole(job)


TROUBLES = [Trouble.goes_on_after_a_stop, Trouble.takes_over_from_the_dead, Trouble.copies_what_hangs, Trouble.refuses_what_changed,
            Trouble.refuses_units_of_others, Trouble.refuses_another_build, Trouble.keeps_results_that_differ,
            Trouble.survives_a_full_disk, Trouble.needs_no_locks, Trouble.tells_what_is_missing, Trouble.says_nothing_of_who_worked,
            Trouble.does_the_other_units_first]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fiducial")
    parser.add_argument("--task", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    fiducial = str(pathlib.Path(options.fiducial).resolve())
    tasks = [each["id"] for each in json.loads(subprocess.run([fiducial, "info", "--json"], capture_output=True, text=True, check=True).stdout)["tasks"]]
    passed, failures = 0, []

    def attempt(name, check):
        nonlocal passed
        if options.only not in name:
            return
        try:
            check()
            passed += 1
        except Failure as failure:
            failures.append(f"{name}: {failure}")

    for task in tasks:
        if options.task not in task:
            continue
        with tempfile.TemporaryDirectory() as name:
            bench = Bench(fiducial, task, pathlib.Path(name))
            attempt(f"{task} merges", lambda: bench.merges_to_the_bytes_of_a_plain_run((1, 3, 16, 128) if options.full else (1, 3, 16)))
            attempt(f"{task} shares", bench.workers_share_a_job)
            attempt(f"{task} is private", bench.keeps_private_scores)
    if options.task in "finding_masks":
        with tempfile.TemporaryDirectory() as name:
            trouble = Trouble(fiducial, "finding_masks", pathlib.Path(name))
            for check in TROUBLES:
                attempt(check.__name__, lambda: check(trouble))
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
