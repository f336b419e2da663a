#!/usr/bin/env python3
"""lint.py FOLDER [SOURCE...]: clang-tidy on the library, the command and the bindings; with sources, on what is compiled
together with those only.

FOLDER is configured, not built. A module's sources are compiled in batches, and so they are looked at: the headers of ten
sources are read once instead of ten times. Prints complaints as they come; status 1 where there are some.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = ("src", "apps", "python")
# A batch includes sources by its nature.
COMMAND = ["clang-tidy-14", "--quiet", "--checks=-bugprone-suspicious-include", "--extra-arg=-Wno-unknown-warning-option"]


def members(unit):
    """The sources a unit is made of: those of a batch, else itself."""
    if "/Unity/" not in unit:
        return {pathlib.Path(unit)}
    return {pathlib.Path(name) for name in re.findall(r'#include "(.*)"', pathlib.Path(unit).read_text())}


def units(folder, sources):
    """What is compiled from our own sources, and has one of the given ones in it."""
    wanted = {(ROOT / source).resolve() for source in sources}
    rooms = [ROOT / name for name in OURS]
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        ours = {path for path in members(entry["file"]) if any(path.is_relative_to(room) for room in rooms)}
        if ours and (not wanted or wanted & ours):
            yield entry["file"]


def complaints(folder, unit):
    found = subprocess.run([*COMMAND, "-p", folder, unit], capture_output=True, text=True)
    return found.returncode, found.stdout or found.stderr


def main():
    folder = pathlib.Path(sys.argv[1])
    chosen = list(units(folder, sys.argv[2:]))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for status, text in pool.map(lambda unit: complaints(folder, unit), chosen):
            if status != 0:
                print(text, flush=True)
                failed += 1
    print(f"clang-tidy: {len(chosen)} units, {failed} with complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
