#!/usr/bin/env python3
"""Ctrl-C leaves no unfinished folder behind, also where a verb has nothing to go on with.

usage: interrupted.py FIDUCIAL
"""

import pathlib
import signal
import subprocess
import sys
import tempfile


def interrupted(command, place):
    """The status of a command that is interrupted as soon as it has begun to write below the place."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not any(path.is_file() for path in place.rglob("*")):
        pass
    process.send_signal(signal.SIGINT)
    return process.wait()


def main():
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        status = interrupted([fiducial, "demo", str(place / "demo")], place)
        left = sorted(str(path.relative_to(place)) for path in place.rglob("*"))
        if status != -signal.SIGINT or left:
            sys.exit(f"an interrupted demo ends with {status} and leaves {left[:5]}")
    print("nothing is left behind")


if __name__ == "__main__":
    main()
