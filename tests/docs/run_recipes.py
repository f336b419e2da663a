#!/usr/bin/env python3
"""Runs the commands of the recipes in docs/howto/clusters.md as their engines would, without the engines.

usage: run_recipes.py FIDUCIAL
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/howto/clusters.md"


def expect(condition, what):
    if not condition:
        sys.exit(f"run_recipes: {what}")


def block(kind):
    found = re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    expect(found, f"{PAGE.name} has no block of {kind}")
    return found[-1]


class Kitchen:
    """A folder with data and predictions, and a plain run of them."""

    def __init__(self, fiducial, folder):
        self.folder = folder
        self.environment = {**os.environ, "PATH": f"{pathlib.Path(fiducial).resolve().parent}:{os.environ['PATH']}"}
        self.say("fiducial demo demo >/dev/null && ln -s demo/rexgroundingct data && "
                 "ln -s demo/systems/rexgroundingct/good predictions && fiducial score data predictions -o plain >/dev/null")

    def say(self, line, **more):
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment | more, capture_output=True, text=True)
        expect(done.returncode == 0, f"{line}: status {done.returncode}\n{done.stdout}{done.stderr}")

    def plan(self):
        self.say("rm -rf job done scores; fiducial plan score data predictions --units 16 -o job >/dev/null")
        return json.loads(subprocess.run(["fiducial", "status", "job", "--json"], cwd=self.folder, env=self.environment,
                                         capture_output=True, check=True).stdout)["units"]

    def is_whole(self, name):
        for path in sorted((self.folder / "plain").iterdir()):
            expect(path.read_bytes() == (self.folder / "scores" / path.name).read_bytes(), f"{name}: {path.name} differs")
        print(f"{name}: the same bytes")
        shutil.rmtree(self.folder / "scores")


def kubernetes(kitchen):
    recipe = block("yaml")
    command = json.loads(re.search(r"command: (\[.*\])", recipe)[1])
    workers = re.search(r'FIDUCIAL_WORKERS, value: "(\d+)"', recipe)[1]
    expect(workers == re.search(r"completions: (\d+)", recipe)[1], "the number of workers is not that of completions")
    kitchen.plan()
    for index in range(int(workers)):
        line = " ".join(command).replace("/shared/job", "job")
        kitchen.say(line, JOB_COMPLETION_INDEX=str(index), FIDUCIAL_WORKERS=workers)
    kitchen.say("fiducial merge job -o scores")
    kitchen.is_whole("kubernetes")


def snakemake(kitchen):
    shells = dict(re.findall(r"^rule (\w+):.*?shell: \"(.*?)\"", block("snakemake"), re.MULTILINE | re.DOTALL))
    kitchen.say("rm -rf job; mkdir job")  # Snakemake makes the folders of outputs
    kitchen.say(shells["plan"])
    units = len(list(json.loads(subprocess.run(["fiducial", "status", "job", "--missing", "--format", "json"], cwd=kitchen.folder,
                                               env=kitchen.environment, capture_output=True, check=True).stdout)))
    for unit in reversed(range(units)):
        kitchen.say(shells["work"].replace("{wildcards.unit}", str(unit)))
    kitchen.say(shells["merge"].replace("{output}", "scores"))
    kitchen.is_whole("snakemake")


def nextflow(kitchen):
    scripts = re.findall(r"script: \"(.*?)\"", block("groovy"))
    known = {"params.job": "job", "params.out": "scores", "task.cpus": "1"}
    units = kitchen.plan()
    for unit in range(units):
        kitchen.say(re.sub(r"\$\{(.*?)\}", lambda found: {**known, "unit": str(unit)}[found[1]], scripts[0]))
    kitchen.say(re.sub(r"\$\{(.*?)\}", lambda found: known[found[1]], scripts[1]))
    kitchen.is_whole("nextflow")


def submitit(kitchen):
    class Executor:
        def __init__(self, folder):
            pass

        def update_parameters(self, **_):
            pass

        def map_array(self, function, values):
            return [types.SimpleNamespace(result=lambda value=value: function(value)) for value in values]

    sys.modules["submitit"] = types.SimpleNamespace(AutoExecutor=Executor)
    kitchen.plan()
    os.environ["PATH"] = kitchen.environment["PATH"]
    os.chdir(kitchen.folder)
    exec(compile(block("python"), "submitit", "exec"), {})
    kitchen.is_whole("submitit")


def main():
    with tempfile.TemporaryDirectory() as name:
        kitchen = Kitchen(sys.argv[1], pathlib.Path(name))
        for recipe in (kubernetes, snakemake, nextflow, submitit):
            recipe(kitchen)
        os.chdir("/")


if __name__ == "__main__":
    main()
