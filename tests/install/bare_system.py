"""The wheel on a Debian 12 that has Python and nothing else: no compiler, none of the libraries it was built with."""

import os
import pathlib
import shutil
import subprocess
import sys

RELEASE = "bookworm"
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "cmake", "ninja", "ld")


def run(*words, **how):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout.strip()


# /proc tells a program where it lies, which is where its libraries are looked for.
ENTER = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'


def can_be_made():
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        return False
    return subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], stderr=subprocess.DEVNULL).returncode == 0


def make_root(root):
    """A root folder with Python, and proof that it is bare."""
    run("debootstrap", "--variant=minbase", "--include=python3,python3-venv", RELEASE, root)
    found = [name for name in COMPILERS if list(root.glob(f"usr/bin/{name}")) or list(root.glob(f"usr/bin/{name}-[0-9]*"))]
    if found:
        sys.exit(f"expected a system without compilers, found {found}")


def inside(root, *words):
    """Runs in the root, with an environment of its own."""
    return run("unshare", "--mount", "sh", "-c", ENTER, root, "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", *words)


def use(wheel, folder, script):
    """folder holds data and predictions; script takes who is imported first, the two and an output."""
    root = folder / "root"
    make_root(root)
    stay = root / "stay"
    (stay / "wheels").mkdir(parents=True)
    shutil.copy(wheel, stay / "wheels")
    run(sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--only-binary", ":all:", "-d", stay / "wheels", "numpy")
    for name in ("data", "predictions"):
        shutil.copytree(folder / name, stay / name)
    (stay / "script.py").write_text(script)
    inside(root, "python3", "-m", "venv", "/stay/venv")
    inside(root, "/stay/venv/bin/pip", "install", "-q", "--no-index", "--find-links", "/stay/wheels", "fiducial")
    said = inside(root, "/stay/venv/bin/python", "/stay/script.py", "ours", "/stay/data", "/stay/predictions", "/stay/out")
    print(f"on a bare system: {said}")
    inside(root, "/stay/venv/bin/fiducial", "score", "/stay/data", "/stay/predictions", "-o", "/stay/scores")
    for program in ("fiducial", "fiducial-dicom"):
        listed = inside(root, "sh", "-c", f"ldd /stay/venv/lib/python3*/site-packages/fiducial/bin/{program}")
        if "not found" in listed:
            sys.exit(f"{program} misses libraries on a bare system\n{listed}")
    if not (pathlib.Path(stay) / "scores" / "report.html").is_file():
        sys.exit("the command wrote no report on a bare system")
