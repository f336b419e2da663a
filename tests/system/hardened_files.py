#!/usr/bin/env python3
"""Programs and libraries that we build are hardened: position independent, read-only relocations bound at once, no executable
stack, stack protector, checked copies.

usage: hardened_files.py FOLDER...

Reads every ELF file below the folders. Libraries of others that are shipped beside ours come as their makers built them; of
those only the stack is asked for.
"""

import pathlib
import re
import subprocess
import sys

OURS = re.compile(r"^(fiducial|fiducial-dicom|_native\..*\.so)$")


def is_elf(path):
    if not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def told(*words):
    return subprocess.run(["readelf", "-W", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def faults(path):
    segments, dynamic = told("-l", path), told("-d", path)
    stack = re.search(r"GNU_STACK.*\s(R\S*)\s", segments)
    if stack is None or "E" in stack.group(1):
        yield "its stack is executable"
    if not OURS.match(path.name):
        return
    symbols = told("--dyn-syms", path)
    if "Type:                              DYN" not in told("-h", path):
        yield "it is not position independent"
    if path.suffix != ".so" and "PIE" not in dynamic:
        yield "it is no position-independent program"
    if "GNU_RELRO" not in segments or not re.search(r"BIND_NOW|\bNOW\b", dynamic):
        yield "its relocations stay writable"
    if "TEXTREL" in dynamic:
        yield "its code is relocated"
    if "__stack_chk_fail" not in symbols:
        yield "it has no stack protector"
    if not re.search(r"__(memcpy|snprintf|read|fprintf|memset|memmove|vsnprintf|pread)\w*_chk", symbols):
        yield "no copy in it is checked"


def main():
    found = []
    for folder in map(pathlib.Path, sys.argv[1:]):
        files = sorted(path for path in folder.rglob("*") if path.suffix in ("", ".so") or ".so." in path.name)
        files = [path for path in files if "CMakeFiles" not in path.parts and is_elf(path)]
        found += [f"{path}: {fault}" for path in files for fault in faults(path)]
        if not any(OURS.match(path.name) for path in files):
            found.append(f"{folder}: none of our files is there")
    print("\n".join(found) if found else "every file is hardened")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
