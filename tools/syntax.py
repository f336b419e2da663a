#!/usr/bin/env python3
"""syntax.py FOLDER [--seconds N] [SOURCE...]: whether sources compile alone, outside the batch they are compiled in; without
sources, all. With --seconds, in the order given until that time is over.

FOLDER is configured with any compiler. A source in a batch sees what the sources before it include, so that an include
which it lacks is noticed here only. Nothing is written. Prints complaints; status 1 where there are some.
"""

import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys

from compiled_units import ROOT, arguments, units, within


def command_alone(entry, source):
    """The batch's own command for one source of it, without an output and without a cache before the compiler."""
    words = shlex.split(entry["command"])
    if pathlib.Path(words[0]).name in ("ccache", "sccache"):
        del words[0]
    output = words.index("-o")
    del words[output:output + 2]
    return [str(source) if word == entry["file"] else word for word in words if word != "-c"] + ["-fsyntax-only"]


def complaints(entry, source):
    found = subprocess.run(command_alone(entry, source), cwd=entry["directory"], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    return found.stdout if found.returncode != 0 else ""


def main():
    folder, seconds, wanted = arguments(sys.argv[1:])
    chosen = [(entry, source) for entry, sources in units(folder, wanted) for source in sources]
    failed, left = [], 0
    look = within(seconds, lambda each: complaints(*each))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (_, source), text in zip(chosen, pool.map(look, chosen)):
            if text is None:
                left += 1
            elif text:
                print(text, flush=True)
                failed.append(str(source.relative_to(ROOT)))
    print(f"sources compiled alone: {len(chosen) - left}" + (f"; no time for {left}" if left else ""))
    if failed:
        print("do not compile alone: " + " ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
