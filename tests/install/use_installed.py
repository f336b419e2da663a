#!/usr/bin/env python3
"""Installs a build or packs the tarball, moves it elsewhere, runs its command and builds a ten-line project against its library.

usage: use_installed.py BUILD_FOLDER | --tarball

What a build folder installs may load the system's libraries; the tarball of `./dev tarball` carries them, runs all tests of
the command, and has the licence of everything that its bill of materials names.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from bill_of_materials import check_bill, check_notice

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What every Linux has, and what a build that is not to be shipped takes from the system.
USUAL = ("linux-vdso", "libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "libpthread", "libdl", "librt")
SYSTEM = ("libisal.so", "libdeflate.so", "libz.so", "libpng16.so", "libjpeg.so", "libexpat.so", "libarrow.so", "libparquet.so")


def run(*words, cwd=None):
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout


def foreign_libraries(tree, program, allowed):
    """What a program loads from outside its own tree, besides what is allowed."""
    lines = [line.split() for line in run("ldd", program).splitlines()]
    files = [pathlib.Path(words[2] if len(words) > 2 and words[1] == "=>" else words[0]) for words in lines if words]
    outside = [file for file in files if not file.resolve().is_relative_to(tree.resolve())]
    return [file.name for file in outside if not file.name.startswith(allowed)]


def installed(build, folder):
    """The tree of a build folder, away from where it was installed."""
    run("cmake", "--install", build, "--prefix", folder / "fiducial", "--strip")
    return shutil.move(folder / "fiducial", folder / "moved")


def unpacked(folder):
    """The tree of the tarball, as somebody else unpacks it."""
    run(ROOT / "dev", "tarball")
    tarball, = (ROOT / "out" / "tarball").glob("fiducial-*.tar.gz")
    run("tar", "-xzf", tarball, "-C", folder)
    tree, = folder.glob("fiducial-*")
    check_bill(tarball, tree / "share" / "doc" / "fiducial")
    return tree


def check_command(tree, carries_all):
    """What is shipped finds everything in its own tree."""
    for program in sorted((tree / "bin").iterdir()):
        # GDCM is Debian's where it is not shipped, with all that it needs.
        if program.name == "fiducial" or carries_all:
            found = foreign_libraries(tree, program, USUAL if carries_all else (*USUAL, *SYSTEM))
            if found:
                sys.exit(f"{program.name} loads {found} from outside its own tree")
        if str(ROOT) in run("readelf", "-d", program):
            sys.exit(f"{program.name} looks for libraries in the source tree")
    if carries_all:
        run(sys.executable, ROOT / "tests" / "cli" / "run.py", "--fiducial", tree / "bin" / "fiducial")


def main():
    check_notice()
    carries_all = sys.argv[1] == "--tarball"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tree = unpacked(folder) if carries_all else pathlib.Path(installed(pathlib.Path(sys.argv[1]).resolve(), folder))
        check_command(tree, carries_all)
        run(sys.executable, ROOT / "tests" / "system" / "library_paths.py", tree)
        run(sys.executable, ROOT / "tests" / "system" / "hardened_files.py", tree)
        for words in (["rex", folder / "data", "--cases", "2"], ["predictions", folder / "data", folder / "predictions", "--kind", "full"]):
            run(sys.executable, "-m", "fixtures", *words, cwd=ROOT / "tests")
        run(tree / "bin" / "fiducial", "score", folder / "data", folder / "predictions", "-o", folder / "scores", "--no-report")
        run("cmake", "-G", "Ninja", "-S", ROOT / "tests" / "install" / "consumer", "-B", folder / "consumer", f"-DCMAKE_PREFIX_PATH={tree}",
            "-DCMAKE_CXX_STANDARD=20")
        run("cmake", "--build", folder / "consumer")
        summary = json.loads(run(folder / "consumer" / "consumer", folder / "data", folder / "predictions"))
        kept = json.loads((folder / "scores" / "summary.json").read_text())
        if summary["metrics"] != kept["metrics"]:
            sys.exit("the consumer's scores differ from the command's")
    print("the unpacked tree scores, and a project builds against it")


if __name__ == "__main__":
    main()
