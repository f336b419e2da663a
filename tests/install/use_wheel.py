#!/usr/bin/env python3
"""Builds the wheel, installs it away from the source tree, and uses it beside no, an older, the same and a newer pyarrow; runs
the tests of the Python package on it; and installs it on a bare system.

usage: use_wheel.py

A version of pyarrow that has no wheel for this Python is named and left out, and so is the bare system for those who cannot
make one (root and debootstrap).
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import bare_system
from bill_of_materials import check_bill

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Each with a NumPy it was made for.
BESIDE = {"no pyarrow": ["numpy"], "pyarrow 14.0.2": ["pyarrow==14.0.2", "numpy<2"], "pyarrow 15.0.2": ["pyarrow==15.0.2", "numpy<2"],
          "pyarrow 20": ["pyarrow==20.*", "numpy"], "the newest pyarrow": ["pyarrow", "numpy"]}

SCRIPT = """
import os, sys
first, data, predictions, out = sys.argv[1:]

def theirs(rows=None):
    try:
        import pyarrow, pyarrow.parquet
    except ImportError:
        return None
    table = pyarrow.table({"a": [1, 2], "b": ["x", None]})
    pyarrow.parquet.write_table(table, out + ".parquet")
    assert pyarrow.parquet.read_table(out + ".parquet").equals(table)
    if rows is not None:
        taken = pyarrow.table(rows) if hasattr(pyarrow.Table, "__arrow_c_stream__") else None
        assert taken is None or taken.num_rows == len(rows)
        assert pyarrow.parquet.read_table(out + "/rows.parquet").num_rows == len(rows)
    return pyarrow.__version__

if first == "theirs":
    theirs()
import fiducial
card = fiducial.score(data, predictions)
card.write(out, overwrite=True)
assert len(fiducial.Card.read(out).rows()) == len(card.rows()) > 0
version = theirs(card.rows())
fiducial.score(data, predictions).write(out, overwrite=True)
assert "site-packages" in fiducial.__file__
print(fiducial.__version__, version)
"""


def run(*words, cwd=None):
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout.strip()


def installed(environment, packages):
    """Whether the packages could be had for this Python."""
    run(sys.executable, "-m", "venv", environment)
    words = [environment / "bin" / "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:", *packages]
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def check_tag(wheel):
    """The systems that the wheel names are those that auditwheel finds it fit for, and those that README.md names."""
    said = run(ROOT / ".venv-wheel" / "bin" / "auditwheel", "show", wheel)
    fit = re.search(r'following\s+platform\s+tag:\s+"(manylinux_[a-z0-9_]+)"', said)
    if not fit or not wheel.stem.endswith(fit.group(1)):
        sys.exit(f"{wheel.name}: expected a tag that auditwheel agrees with\n{said}")
    if fit.group(1) not in (ROOT / "README.md").read_text():
        sys.exit(f"README.md does not name {fit.group(1)}")
    print(f"{wheel.name}: auditwheel agrees")


def run_python_tests(environment, wheel):
    """The tests of the package, on what is shipped."""
    words = ["install", "-q", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:"]
    for name in ("build", "python", "test"):
        run(environment / "bin" / "pip", *words, "-r", ROOT / "requirements" / f"{name}.txt")
    run(environment / "bin" / "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", wheel)
    said = run(environment / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "python" / "tests")
    print(said.splitlines()[-1])


def main():
    run(ROOT / "dev", "wheel")
    wheel, = (ROOT / "out" / "wheel").glob("fiducial-*.whl")
    check_tag(wheel)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for words in (["rex", folder / "data", "--cases", "2"], ["predictions", folder / "data", folder / "predictions", "--kind", "full"]):
            run(sys.executable, "-m", "fixtures", *words, cwd=ROOT / "tests")
        for number, (beside, packages) in enumerate(BESIDE.items()):
            environment = folder / f"venv{number}"
            if not installed(environment, packages):
                print(f"left out: {beside} has no wheel here")
                continue
            run(environment / "bin" / "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", wheel)
            run(sys.executable, ROOT / "tests" / "system" / "hardened_files.py", *(environment / "lib").glob("python3.*/site-packages/fiducial"))
            run(sys.executable, ROOT / "tests" / "system" / "library_paths.py", *(environment / "lib").glob("python3.*/site-packages/fiducial"))
            if number == 0:
                check_bill(wheel, *(environment / "lib").glob("python3.*/site-packages/fiducial"))
            for first in ("ours", "theirs"):
                said = run(environment / "bin" / "python", "-c", SCRIPT, first, folder / "data", folder / "predictions",
                           folder / "out", cwd=folder)
                print(f"{beside}, {first} first: {said}")
            print(run(environment / "bin" / "fiducial", "--version", cwd=folder))
        run(sys.executable, "-m", "venv", folder / "tests")
        run_python_tests(folder / "tests", wheel)
        if bare_system.can_be_made():
            bare_system.use(wheel, folder, SCRIPT)
        else:
            print("left out: a bare system needs root and debootstrap")
    print("the wheel works beside every pyarrow there is")


if __name__ == "__main__":
    main()
