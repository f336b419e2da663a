#!/usr/bin/env python3
"""Ctrl-C leaves no unfinished folder behind, also where a verb has nothing to go on with; a kill leaves an earlier output whole.

usage: interrupted.py FIDUCIAL
"""

import pathlib
import signal
import subprocess
import sys
import tempfile


def contents(place):
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def ended(command, place, how):
    """The status of a command that is sent a signal as soon as it has begun to write below the place."""
    before = sum(path.is_file() for path in place.rglob("*"))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and sum(path.is_file() for path in place.rglob("*")) <= before:
        pass
    process.send_signal(how)
    return process.wait()


def main():
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        demo = [fiducial, "demo", str(place / "demo"), "--cases", "1"]
        status = ended(demo, place, signal.SIGINT)
        left = sorted(str(path.relative_to(place)) for path in place.rglob("*"))
        if status != -signal.SIGINT or left:
            sys.exit(f"an interrupted demo ends with {status} and leaves {left[:5]}")
        subprocess.run(demo, check=True, capture_output=True)
        earlier = contents(place / "demo")
        status = ended([*demo, "--seed", "2", "--overwrite"], place, signal.SIGKILL)
        if status != -signal.SIGKILL or contents(place / "demo") != earlier:
            sys.exit(f"a killed demo ends with {status} and has changed the earlier one")
    print("nothing is left behind, nothing is lost")


if __name__ == "__main__":
    main()
