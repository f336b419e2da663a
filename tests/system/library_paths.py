#!/usr/bin/env python3
"""Nothing we build or install looks for shared libraries in the current folder.

usage: library_paths.py FOLDER...

Reads RPATH and RUNPATH of every ELF file under the folders: an element that is empty or relative is the current folder,
which may hold a stranger's files. Then runs the command and the reader from a folder full of libraries that are none.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

LOADED = ("libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "libpthread.so.0", "libdl.so.2")


def is_elf(path):
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def path_elements(path):
    """The elements of every RPATH and RUNPATH of a file."""
    said = subprocess.run(["readelf", "-dW", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", said)
    return [element for each in found for element in each.split(":")]


def is_safe(element):
    return re.match(r"/|\$(ORIGIN|\{ORIGIN\})(/|$)", element) is not None


def check_paths(folder):
    files = sorted(path for path in folder.rglob("*") if path.suffix in ("", ".so") or ".so." in path.name)
    with_paths = 0
    for path in files:
        if "CMakeFiles" in path.parts or not is_elf(path):
            continue
        elements = path_elements(path)
        with_paths += bool(elements)
        for element in elements:
            if not is_safe(element):
                sys.exit(f"{path}: looks for libraries in \"{element}\", which is the current folder or lies below it")
    if not with_paths:
        sys.exit(f"{folder}: no file with an RPATH or RUNPATH; expected at least the command")


def check_planted(program):
    """A loader that takes one of the planted files stops with an error about it."""
    with tempfile.TemporaryDirectory() as name:
        for library in LOADED:
            (pathlib.Path(name) / library).write_bytes(b"planted")
        done = subprocess.run([program, "--version"], cwd=name, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if any(library in done.stdout for library in LOADED) or done.returncode == 127:
            sys.exit(f"{program}: loads libraries of the current folder\n{done.stdout}")


def main():
    for folder in map(pathlib.Path, sys.argv[1:]):
        check_paths(folder)
        programs = [path for name in ("fiducial", "fiducial-dicom") for path in folder.rglob(f"bin/{name}") if path.is_file()]
        if not programs:
            sys.exit(f"{folder}: the command is not there")
        for program in programs:
            check_planted(program.resolve())
    print("no library is looked for in the current folder")


if __name__ == "__main__":
    main()
