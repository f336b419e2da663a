#!/usr/bin/env python3
"""lint.py FOLDER [--seconds N] [SOURCE...]: clang-tidy on the library, the command and the bindings; with sources, on what
is compiled together with those only, in the order given, and with --seconds until that time is over.

FOLDER is configured, not built. A module's sources are compiled in batches, and so they are looked at: the headers of ten
sources are read once instead of ten times. Prints complaints as they come; status 1 where there are some.
"""

import concurrent.futures
import os
import subprocess
import sys

from compiled_units import arguments, units, within

# A batch includes sources by its nature.
COMMAND = ["clang-tidy-14", "--quiet", "--checks=-bugprone-suspicious-include", "--extra-arg=-Wno-unknown-warning-option"]


def complaints(folder, unit):
    found = subprocess.run([*COMMAND, "-p", folder, unit], capture_output=True, text=True)
    return found.returncode, found.stdout or found.stderr


def main():
    folder, seconds, sources = arguments(sys.argv[1:])
    chosen = list(units(folder, sources))
    looked_at = sum(len(ours) for _, ours in chosen)
    wanted = f"{len(set(sources))} changed sources, {looked_at} of them in this build" if sources else f"all {looked_at} sources"
    print(f"clang-tidy: {wanted}, in {len(chosen)} units", flush=True)
    failed = 0
    look = within(seconds, lambda unit: complaints(folder, unit[0]["file"]))
    left = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for answer in pool.map(look, chosen):
            if answer is None:
                left += 1
            elif answer[0] != 0:
                print(answer[1], flush=True)
                failed += 1
    print(f"clang-tidy: {failed} units with complaints" + (f"; no time for {left} of {len(chosen)}" if left else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
