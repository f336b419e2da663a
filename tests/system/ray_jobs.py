#!/usr/bin/env python3
"""engine="ray" on a cluster of two nodes on this machine: a node is lost in the middle, a driver is killed and starts again, and
what comes out has the bytes of a plain run.

usage: PYTHONPATH=build/python ray_jobs.py FIDUCIAL
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

SKIPPED = 77
TESTS = pathlib.Path(__file__).resolve().parents[1]
try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    print("skipped: no Ray here; ./dev test --full installs it in .venv-ray")
    sys.exit(SKIPPED)
import fiducial

UNITS = 12


def expect(condition, what):
    if not condition:
        raise SystemExit(f"ray_jobs: {what}")


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def done_units(job):
    folder = job / "units"
    return len(list(folder.iterdir())) if folder.exists() else 0


def when_done(job, count, act):
    """Acts once so many units have a result."""
    def watch():
        while done_units(job) < count:
            time.sleep(0.005)
        act()
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    return watcher


def loses_a_node(cluster, folder, words):
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    job, out = folder / "lost", folder / "lost-out"
    lost_at = []

    def lose():
        lost_at.append(done_units(job))
        cluster.remove_node(node, allow_graceful=False)

    watcher = when_done(job, 2, lose)
    scores = fiducial.score(*words, output=out, engine="ray", job=job, units=UNITS)
    watcher.join(60)
    expect(lost_at and lost_at[0] < UNITS, f"the node was lost after all units: {lost_at}")
    end = time.monotonic() + 60
    while sum(each["Alive"] for each in ray.nodes()) > 1 and time.monotonic() < end:  # Ray notices by its own clock
        time.sleep(0.1)
    expect(sum(each["Alive"] for each in ray.nodes()) == 1, "no node was lost")
    expect(contents(out) == contents(folder / "plain"), "a lost node changes the output")
    expect("dice_per_case" in scores, "scores were not read back")
    print("a node was lost in the middle: the same bytes")


def goes_on_after_its_driver(cluster, folder, words):
    job, out = folder / "driver", folder / "driver-out"
    script = f"import fiducial; fiducial.score({words[0]!r}, {words[1]!r}, output={str(out)!r}, engine='ray', job={str(job)!r}, units={UNITS})"
    driver = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "RAY_ADDRESS": cluster.address},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    watcher = when_done(job, 3, lambda: driver.send_signal(signal.SIGKILL))
    driver.wait()
    watcher.join(60)
    expect(not out.exists(), "a driver that was killed wrote an output")
    expect(driver.returncode == -signal.SIGKILL, f"the driver ended with {driver.returncode}")
    before = done_units(job)
    fiducial.score(*words, output=out, engine="ray", job=job, units=UNITS)
    expect(contents(out) == contents(folder / "plain"), "a driver that starts again changes the output")
    print(f"a driver was killed after {before} units and started again: the same bytes")


def other_calls(folder, demo):
    data = demo / "rexgroundingct"
    fiducial.predict(data, folder / "p-plain", volumes=data / "volumes")
    told = fiducial.predict(data, folder / "p-ray", volumes=data / "volumes", engine="ray")
    expect(contents(folder / "p-plain") == contents(folder / "p-ray") and told["cases"] > 0, "predict differs")
    expect(not (folder / "p-ray.job").exists(), "a job without a name of its own stays")
    fiducial.stages.regions(data / "reports.csv", output=folder / "r-plain.csv")
    fiducial.stages.regions(data / "reports.csv", output=folder / "r-ray.csv", engine="ray")
    expect((folder / "r-plain.csv").read_bytes() == (folder / "r-ray.csv").read_bytes(), "curate differs")
    print("predict and curate: the same bytes")


def keeps_private_scores(folder, words):
    private = {"private": True, "min_group": 2}
    fiducial.score(*words, output=folder / "private", **private)
    fiducial.score(*words, output=folder / "private-by-ray", engine="ray", units=3, **private)
    expect(contents(folder / "private-by-ray") == contents(folder / "private"), "private scores by Ray differ")
    expect(not (folder / "private-by-ray.job").exists(), "the job of private scores is left behind")
    print("private scores: the same bytes, and the job is gone")


def asks(folder, demo, cluster):
    questions = demo / "medthinkvqa"
    endpoint = [sys.executable, "-m", "ask.endpoint", "--keys", str(questions / "test.jsonl"), "--"]
    environment = {**os.environ, "PYTHONPATH": f"{TESTS}:{os.environ['PYTHONPATH']}", "RAY_ADDRESS": cluster.address}
    for engine in ("None", "'ray'"):
        script = (f"import sys, fiducial; fiducial.run({str(questions)!r}, sys.argv[2], model='m', endpoint=sys.argv[1], "
                  f"engine={engine})")
        done = subprocess.run([*endpoint, sys.executable, "-c", script, "{url}", str(folder / f"run-{engine.strip(chr(39))}")],
                              env=environment, capture_output=True, text=True)
        expect(done.returncode == 0, f"run, engine {engine}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    plain, by_ray = folder / "run-None", folder / "run-ray"
    expect((plain / "predictions.jsonl").read_bytes() == (by_ray / "predictions.jsonl").read_bytes(), "predictions differ")
    expect(json.loads((by_ray / "manifest.json").read_text())["finished"], "the run is not finished")
    print("run: the same predictions")


def refuses(folder, words):
    for wish, said in ((dict(engine="dask", output=folder / "x"), "expected one of local, ray"),
                       (dict(engine="ray"), "give output="), (dict(engine="ray", output=folder / "x", private=True, min_group=1), "min_group")):
        try:
            fiducial.score(*words, **wish)
        except fiducial.errors.BadUsage as refusal:
            expect(said in str(refusal), str(refusal))
        else:
            expect(False, f"{wish} is taken")


def main():
    command = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        demo = folder / "demo"
        subprocess.run([command, "demo", demo, "--cases", "16"], check=True, capture_output=True)
        words = (str(demo / "rexgroundingct"), str(demo / "systems/rexgroundingct/good"))
        subprocess.run([command, "score", *words, "--max-failures", "100%", "-o", folder / "plain"], check=True, capture_output=True)
        refuses(folder, words)
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        try:
            ray.init(address=cluster.address, logging_level="ERROR", log_to_driver=False)
            loses_a_node(cluster, folder, words)
            goes_on_after_its_driver(cluster, folder, words)
            other_calls(folder, demo)
            keeps_private_scores(folder, words)
            asks(folder, demo, cluster)
        finally:
            ray.shutdown()
            cluster.shutdown()
    print("passed")


if __name__ == "__main__":
    main()
