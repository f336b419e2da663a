#!/usr/bin/env python3
"""Packs the tarball, unpacks it elsewhere, runs its command and builds a ten-line project against its library.

usage: use_installed.py BUILD_FOLDER
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*words, cwd=None):
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout


def foreign_libraries(program):
    """What the program loads from outside its own tree, besides what every Linux has."""
    usual = ("linux-vdso", "libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "libpthread", "libdl", "librt")
    lines = [line.split() for line in run("ldd", program).splitlines()]
    names = [words[0].rsplit("/", 1)[-1] for words in lines if words]
    return [name for name in names if not name.startswith((*usual, "fid"))]


def unpacked(build, folder):
    """The tree as somebody else unpacks it."""
    run("cmake", "--install", build, "--prefix", folder / "fiducial", "--strip")
    run("tar", "-czf", folder / "fiducial.tar.gz", "fiducial", cwd=folder)
    shutil.rmtree(folder / "fiducial")
    (folder / "moved").mkdir()
    run("tar", "-xzf", folder / "fiducial.tar.gz", "-C", folder / "moved")
    return folder / "moved" / "fiducial"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tree = unpacked(build, folder)
        found = foreign_libraries(tree / "bin" / "fiducial")
        if found:
            sys.exit(f"the command loads {found} from outside its own tree")
        if str(build) in run("readelf", "-d", tree / "bin" / "fiducial"):
            sys.exit("the command looks for libraries in the build tree")
        run(sys.executable, ROOT / "tests" / "system" / "library_paths.py", tree)
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
