"""Work in units, on many machines: what `engine="ray"` does in `score`, `predict`, `run` and the stages of `curate`.

    scores = fiducial.score("rexgroundingct", "predictions", output="scores", engine="ray")

A job is a folder that all machines see (`fiducial plan` writes it). Units that were done stay done: the same call, after
whatever ended the one before, goes on from there. Ray is an optional extra: `pip install fiducial[ray]`. Every node needs
this package, or the command `fiducial` of the same build on its PATH.
"""

from __future__ import annotations

import collections.abc
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import typing

from fiducial import errors
from fiducial.datasets import PathLike

#: Who can work on a job: processes of this machine, or the tasks of a Ray cluster.
ENGINES = ("local", "ray")
_TRIES = 5
_UNITS_A_CORE = 2  # in flight
_AGAIN = (74, 75)  # a disk that was full, a worker that was stopped


def program() -> str:
    """The command that belongs to this package."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "fiducial")


def say(words: collections.abc.Sequence[typing.Any]) -> str:
    """What the command prints; its error as an exception of this package."""
    done = subprocess.run([program(), *map(os.fspath, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "FIDUCIAL_ERRORS": "json"})
    if done.returncode != 0:
        raise _error(done.returncode, done.stderr)
    return done.stdout


def _error(status: int, said: str) -> errors.Error:
    return errors._last_told(said, status)


class Job:
    """A job: its plan, and what has become of its units."""

    def __init__(self, folder: PathLike):
        self.folder = os.path.abspath(os.fspath(folder))

    def missing(self) -> list[int]:
        """The units without a result."""
        return json.loads(say(["status", self.folder, "--missing", "--format", "json"]))

    def status(self) -> dict[str, typing.Any]:
        """How far it is, as `fiducial status JOB --json` prints it."""
        return json.loads(say(["status", self.folder, "--json"]))

    def work(self, engine: str = "ray", workers: int | None = None) -> None:
        """Works until every unit has a result. `workers` is how many units are in flight, by default two a core."""
        if engine not in ENGINES:
            raise errors.BadUsage(f"engine is {engine!r}; expected one of {', '.join(ENGINES)}")
        units = self.missing()
        if engine == "ray":
            _on_ray(self.folder, units, workers)
        else:
            _here(self.folder, len(units), workers or os.cpu_count() or 1)
        left = self.missing()
        if left:
            raise errors.Unfinished(f"{len(left)} units have no result, the first is {left[0]}; the same call goes on")

    def merge(self, output: PathLike, overwrite: bool = False) -> None:
        """Writes what the verb itself would have written: the bytes are the same."""
        say(["merge", self.folder, "-o", output, *(["--overwrite"] if overwrite else [])])


def plan(words: collections.abc.Sequence[typing.Any], folder: PathLike, units: int | None = None) -> Job:
    """The job of a verb and what is typed behind it: `plan(["score", DIR, PREDICTIONS], "job")`.

    A folder that holds this very plan already is gone on with; one of another plan is refused.
    """
    asked = ["plan", *words, *([] if units is None else ["--units", str(units)])]
    place = pathlib.Path(os.path.abspath(os.fspath(folder)))
    if not (place / "plan.json").exists():
        say([*asked, "-o", place])
        return Job(place)
    with tempfile.TemporaryDirectory(prefix="fiducial-plan-") as scratch:
        say([*asked, "-o", os.path.join(scratch, "job")])
        same = pathlib.Path(scratch, "job", "plan.json").read_bytes() == (place / "plan.json").read_bytes()
    if not same:
        raise errors.BadUsage(f"{place} holds another job, or an input changed since it was planned; give another job=")
    return Job(place)


class Engine(typing.NamedTuple):
    """Where a call is worked on, and in which job."""

    name: str
    job: PathLike | None = None
    units: int | None = None

    def carry_out(self, words: collections.abc.Sequence[typing.Any], output: PathLike | None, overwrite: bool) -> None:
        """Plans, works and merges into `output`; a job that got its own folder beside it goes away then."""
        if output is None:
            raise errors.BadUsage(f"engine={self.name!r} writes a folder that all machines see: give output=")
        if self.name not in ENGINES:
            raise errors.BadUsage(f"engine is {self.name!r}; expected one of {', '.join(ENGINES)}")
        target = pathlib.Path(os.path.abspath(os.fspath(output)))
        place = target.with_name(target.name + ".job") if self.job is None else self.job
        job = plan(words, place, self.units)
        job.work(self.name)
        job.merge(target, overwrite)
        if self.job is None:
            shutil.rmtree(place)


def _here(folder: str, units: int, workers: int) -> None:
    """Workers of this machine, each of which takes units until none is left."""
    count = max(1, min(workers, units))
    started = [subprocess.Popen([program(), "work", folder, "--worker", f"{number}/{count}", "--threads", "1"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for number in range(count)]
    ended = [(worker.communicate()[1], worker.returncode) for worker in started]
    for said, status in ended:
        if status != 0:
            raise _error(status, said)


def _ray() -> typing.Any:
    try:
        import ray
    except ImportError:
        raise errors.Unavailable("Ray is not installed: pip install 'fiducial[ray]'") from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    return ray


def _on_ray(folder: str, units: list[int], at_once: int | None) -> None:
    """Every unit as a task. A node that is lost takes its tasks elsewhere; a process that was killed is tried again."""
    if not units:
        return
    ray = _ray()

    def work_on(program, unit):  # sent as it is: a node needs no more than the command
        import os
        import shutil
        import subprocess

        command = program if os.path.exists(program) else shutil.which("fiducial") or program
        done = subprocess.run([command, "work", folder, "--unit", str(unit), "--threads", "1"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        return unit, done.returncode, done.stderr[-4000:]

    task = ray.remote(max_retries=_TRIES, num_cpus=1, scheduling_strategy="SPREAD")(work_on)
    most = at_once or max(2, _UNITS_A_CORE * int(ray.cluster_resources().get("CPU", 1)))
    waiting, tries = list(reversed(units)), dict.fromkeys(units, 0)
    flying: list[typing.Any] = []
    while waiting or flying:
        while waiting and len(flying) < most:
            flying.append(task.remote(program(), waiting.pop()))
        ready, flying = ray.wait(flying, num_returns=1)
        try:
            unit, status, said = ray.get(ready[0])
        except ray.exceptions.RayError as failure:
            raise errors.RemoteError(f"Ray could not work on a unit: {str(failure).splitlines()[0]}") from failure
        if status == 0:
            continue
        tries[unit] += 1
        if (status >= 0 and status not in _AGAIN) or tries[unit] == _TRIES:
            raise _error(status if status > 0 else errors.InternalError.status, said or f"unit {unit} was killed")
        waiting.insert(0, unit)
