#!/usr/bin/env python3
"""What it costs to cut work into units: a plain run on two threads beside plan, two workers and merge, beside Ray, and files
beside a bucket on this machine.

    python bench/jobs.py --bin-dir build/release/bin --data build/bench-data [--repeat N] [--json FILE]

Twice: with masks of 512 x 512 x 300 voxels a finding, as a benchmark has, and with those of `fiducial demo`, which take some
milliseconds each, so that what cutting costs is most of it. Goals, on 200 cases of the size a benchmark has: plan, two workers and merge take at most 1.05 times as long as the plain run, Ray on two cores 1.10 times;
reading from a bucket costs at most 1.1 times the processor time of the client. A plan of a million cases takes 30 s. Ray and the
bucket are left out, and told, where .venv-ray and .venv-buckets are not there.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from processes import arguments, timed
from two_builds import in_turns

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/stores"))
CASES, PLANNED = 200, 1_000_000
MOST_JOB, MOST_RAY, MOST_BUCKET, MOST_PLAN_S = 1.05, 1.10, 1.1, 30
UNITS = 32


GRID = (512, 512, 300)


def grow_masks(folder, names, shift):
    """Masks of the size of a chest CT in place of the small ones: one for each number of findings, under all its names."""
    import nibabel
    import numpy

    made = {}
    for name, findings in names.items():
        path = folder / name
        path.unlink(missing_ok=True)
        if findings not in made:
            voxels = numpy.zeros((findings, *GRID), numpy.uint8)
            for index in range(findings):
                # Rough, as drawn by hand: a smooth ball compresses to nothing.
                box = numpy.mgrid[-40:40, -40:40, -40:40] / 30
                ball = (box ** 2).sum(0) < numpy.random.default_rng(index).uniform(0.8, 1.2, box.shape[1:])
                x = 120 + 25 * index + shift
                voxels[index, x:x + 80, 180:260, 10:90] = ball
            made[findings] = path
            nibabel.Nifti1Image(voxels, numpy.eye(4)).to_filename(path)
        else:
            path.hardlink_to(made[findings])


def corpus(fiducial, data, is_grown):
    """The demo's cases, with its own masks or with masks of the size of a benchmark's."""
    folder = data / (f"jobs_{CASES}" if is_grown else f"small_jobs_{CASES}")
    masks, predictions = folder / "rexgroundingct/segmentations", folder / "systems/rexgroundingct/good"
    if not (folder / "rexgroundingct").exists():
        subprocess.run([fiducial, "demo", folder, "--cases", str(CASES), "--overwrite"], check=True, stdout=subprocess.DEVNULL)
    grown = folder / f"grown_{'x'.join(map(str, GRID))}"
    if is_grown and not grown.exists():
        listed = json.loads((folder / "rexgroundingct/dataset.json").read_text())["test"]
        names = {each["name"]: len(each["findings"]) for each in listed if each["findings"]}
        grow_masks(masks, names, 0)
        grow_masks(predictions, names, 2)
        grown.touch()
    return folder / "rexgroundingct", predictions


class Works:
    def __init__(self, fiducial, words, scratch):
        self.fiducial, self.words, self.scratch = str(fiducial), list(map(str, words)), scratch

    def fresh(self, name):
        shutil.rmtree(self.scratch / name, ignore_errors=True)
        return str(self.scratch / name)

    def plain(self):
        return timed([self.fiducial, "score", *self.words, "--max-failures", "100%", "--threads", "2", "-o", self.fresh("plain")])

    def job(self):
        job, out = self.fresh("job"), self.fresh("job-out")
        script = (f'"$0" plan score "${{@:3}}" --max-failures 100% --units {UNITS} -o "$1" >/dev/null && '
                  '{ "$0" work "$1" --worker 0/2 --threads 1 & a=$!; "$0" work "$1" --worker 1/2 --threads 1 & b=$!; wait $a && wait $b; } && '
                  '"$0" merge "$1" -o "$2" >/dev/null')
        return timed(["bash", "-c", script, self.fiducial, job, out, *self.words])

    def same(self, one, other):
        for path in sorted((self.scratch / one).iterdir()):
            if path.read_bytes() != (self.scratch / other / path.name).read_bytes():
                sys.exit(f"bench: {path.name} of {other} differs from a plain run")


RAY = """
import sys, time, ray, fiducial
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
fiducial.score(sys.argv[1], sys.argv[2], output=sys.argv[3] + "-first", engine="ray", units=2)
for line in sys.stdin:
    start = time.perf_counter()
    fiducial.score(sys.argv[1], sys.argv[2], output=sys.argv[3], overwrite=True, engine="ray", units=int(line))
    print(time.perf_counter() - start, flush=True)
"""


def ray_driver(works, package):
    """A driver whose cluster is up: starting Ray takes longer than scoring."""
    python = ROOT / ".venv-ray/bin/python"
    if not python.exists():
        print("ray is left out: no .venv-ray (./dev test --full installs it)")
        return None
    driver = subprocess.Popen([python, "-c", RAY, *works.words[:2], works.fresh("ray-out")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              env={**os.environ, "PYTHONPATH": str(package)})
    return driver


def ask_driver(driver):
    driver.stdin.write(f"{UNITS}\n")
    driver.stdin.flush()
    return float(driver.stdout.readline())


def bucket_times(fiducial, words, scratch, repeat):
    python = ROOT / ".venv-buckets/bin/python"
    if not python.exists():
        print("the bucket is left out: no .venv-buckets (./dev test installs it)")
        return None
    from bucket_server import Bucket, environment, running
    with running(python) as endpoint:
        bucket = Bucket(endpoint, "bench")
        for name, folder in (("data", words[0]), ("predictions", words[1])):
            bucket.send_folder(folder, name)
        os.environ.update(environment(endpoint))

        def score(data, predictions, name):
            shutil.rmtree(scratch / name, ignore_errors=True)
            return timed([str(fiducial), "score", str(data), str(predictions), "--system", "x", "--max-failures", "100%",
                          "--no-report", "--threads", "2", "-o", str(scratch / name)])

        return in_turns({"files": lambda: score(*words, "files"),
                         "bucket": lambda: score("s3://bench/data", "s3://bench/predictions", "bucket")}, repeat)


def million_cases(fiducial, scratch):
    """Seconds that a plan of a million cases takes: a table of answers, so that the disk has no part in it."""
    data, predictions = scratch / "million", scratch / "million.jsonl"
    data.mkdir()
    with (data / "test.jsonl").open("w") as cases, predictions.open("w") as answers:
        for number in range(PLANNED):
            title = f"Case number {number}"
            cases.write(json.dumps({"title": title, "options": {letter: letter.lower() for letter in "ABCDE"}, "correct_answer": "A", "images": []}) + "\n")
            answers.write(json.dumps({"title": title, "prediction": "A"}) + "\n")
    return timed([str(fiducial), "plan", "score", str(data), str(predictions), "-o", str(scratch / "million-job")])


def measure(options, scratch, name, is_grown, tell):
    """Ratios of one corpus, told as `name`."""
    fiducial = options.bin_dir.resolve() / "fiducial"
    words = corpus(fiducial, options.data.resolve(), is_grown)
    scratch.mkdir()
    works = Works(fiducial, words, scratch)
    turns = {"plain": lambda: works.plain()[:2], "job": lambda: works.job()[:2]}
    found = in_turns(turns, options.repeat)
    times, cpu = ({name: statistics.median(each[i] for each in turn) for name, turn in found.items()} for i in (0, 1))
    # Ray's own processes are not idle: they are started once the others are timed.
    driver = ray_driver(works, options.bin_dir.resolve().parent / "python")
    if driver:
        times["ray"] = statistics.median(in_turns({"ray": lambda: ask_driver(driver)}, options.repeat)["ray"])
    works.same("plain", "job-out")
    stored = sum(path.stat().st_size for path in words[1].glob("*.nii.gz")) / CASES
    print(f"\n{name}, {stored / 1e3:.0f} kB a prediction: plain run {times['plain']:.2f} s, plan, two workers and merge {times['job']:.2f} s"
          + (f", Ray {times['ray']:.2f} s" if driver else "") + f"; processor time {cpu['plain']:.2f} s and {cpu['job']:.2f} s")
    tell(f"job/{name}/two_workers", times["job"] / times["plain"], MOST_JOB)
    if driver:
        works.same("plain", "ray-out")
        driver.stdin.close()
        driver.wait()
        tell(f"job/{name}/ray", times["ray"] / times["plain"], MOST_RAY)
    read = bucket_times(fiducial, words, scratch, options.repeat)
    if read:
        cpu = {name: statistics.median(each[1] for each in times) for name, times in read.items()}
        print(f"client: {cpu['files']:.2f} s of processor time with files, {cpu['bucket']:.2f} s with a bucket")
        tell(f"bucket/{name}/client_cpu", cpu["bucket"] / cpu["files"], MOST_BUCKET)


def main():
    options = arguments(__doc__, 5)
    rows, missed = {}, 0

    def tell(name, value, goal, unit="x", is_goal=True):
        nonlocal missed
        missed += is_goal and value > goal
        rows[name] = {"value": value, "goal": goal if is_goal else None}
        said = f"<= {goal} {'reached' if value <= goal else 'MISSED'}" if is_goal else "no goal"
        print(f"{name:<44} {value:>8.3f} {unit:<2} {said}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        measure(options, scratch / "usual", f"{CASES}_cases", True, tell)
        measure(options, scratch / "small", f"{CASES}_small_cases", False, lambda *told: tell(*told, is_goal=False))
        wall, _, peak_mb = million_cases(options.bin_dir.resolve() / "fiducial", scratch)
        print(f"a plan of {PLANNED:,} cases: {wall:.1f} s, {peak_mb:.0f} MB")
        tell("plan/1000000_cases", wall, MOST_PLAN_S, "s")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
