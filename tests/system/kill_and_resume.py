#!/usr/bin/env python3
"""Kills `fiducial score` at random moments, asks it to stop once while it is under way, and starts it again until it
is done. The output must have the bytes of a run that was left alone, nothing may be left beside it, and a stop must
end in status 75.

usage: kill_and_resume.py FIDUCIAL [ROUNDS]
"""

import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
DONE, STOPPED = 0, 75


def fixture(*words):
    subprocess.run([sys.executable, "-m", "fixtures", *map(str, words)], cwd=TESTS, check=True, capture_output=True)


def score(fiducial, folder, output):
    return [fiducial, "score", folder / "data", folder / "predictions", "-o", output, "--threads", "1", "--no-report"]


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def journal_size(output):
    journal = output.parent / f".{output.name}.journal"
    return journal.stat().st_size if journal.exists() else 0


def wait_for_growth(process, output, size):
    """Until a case is added to the journal, so that a stop meets a run that is under way."""
    while process.poll() is None and journal_size(output) <= size:
        time.sleep(0.0005)


def one_round(command, output, chance, seconds):
    """Runs to the end with interruptions on the way; returns the statuses seen."""
    statuses = []
    for attempt in range(100):
        size = max(200, journal_size(output))
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if attempt == 0:
            wait_for_growth(process, output, size)
            process.terminate()
        elif attempt < 4:
            time.sleep(chance.uniform(0, seconds))
            process.kill()
        statuses.append(process.wait())
        if statuses[-1] == DONE or output.exists():  # killed between its last rename and its end, it is done
            return statuses
    return statuses


def main():
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    chance = random.Random(7)
    failed = 0
    seen = set()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fixture("rex", folder / "data", "--cases", 300)
        fixture("predictions", folder / "data", folder / "predictions", "--kind", "shifted")
        started = time.monotonic()
        subprocess.run(score(fiducial, folder, folder / "alone"), check=True, capture_output=True)
        seconds = time.monotonic() - started
        for number in range(rounds):
            outputs = folder / f"round_{number}"
            outputs.mkdir()
            statuses = one_round(score(fiducial, folder, outputs / "out"), outputs / "out", chance, seconds)
            seen.update(statuses)
            left_over = [path.name for path in outputs.iterdir() if path.name != "out"]
            problems = [status for status in statuses if status not in (DONE, STOPPED, -signal.SIGKILL)]
            if problems or left_over or contents(outputs / "out") != contents(folder / "alone"):
                failed += 1
                print(f"round {number}: statuses {statuses}, left over {left_over}")
    print(f"statuses seen: {sorted(seen)}")
    print(f"{rounds - failed} passed, {failed} failed")
    return 1 if failed or STOPPED not in seen else 0


if __name__ == "__main__":
    sys.exit(main())
