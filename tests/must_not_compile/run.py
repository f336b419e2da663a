#!/usr/bin/env python3
"""Checks that what must not compile does not, for the reason it names.

    run.py COMPILER FLAGS... -- FOLDER

Each .cpp in FOLDER starts with '// error: TEXT'. It must compile with -DMUST_COMPILE and must fail without it,
with TEXT among the compiler's messages: a file that fails for another reason proves nothing.
"""

import pathlib
import subprocess
import sys


def compiled(command, path, *flags):
    done = subprocess.run([*command, *flags, "-fsyntax-only", str(path)], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def problem_of(command, path):
    reason = path.read_text().splitlines()[0].removeprefix("// error: ")
    good, messages = compiled(command, path, "-DMUST_COMPILE")
    if not good:
        return f"does not compile even with MUST_COMPILE:\n{messages}"
    good, messages = compiled(command, path)
    if good:
        return "compiles"
    if reason not in messages:
        return f"fails without '{reason}':\n{messages}"
    return None


def main():
    split = sys.argv.index("--")
    command, folder = sys.argv[1:split], pathlib.Path(sys.argv[split + 1])
    failed = 0
    paths = sorted(folder.glob("*.cpp"))
    for path in paths:
        problem = problem_of(command, path)
        if problem:
            failed += 1
            print(f"failed: {path.name}: {problem}")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


sys.exit(main())
