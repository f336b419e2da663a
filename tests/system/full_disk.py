#!/usr/bin/env python3
"""Lets outputs run out of space or permission: the run must say so and end with status 74, the earlier output must keep
its bytes and nothing half-written may be left beside it.

usage: full_disk.py FIDUCIAL

Space ends by a limit on the size of files, and, where this user may mount one, on a file system of its own. Where this
user is root, to whom nothing is forbidden, the command runs as nobody.
"""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
SMALL = 4096  # bytes: less than a report or a plan
REFUSED = 74  # the status of what the system refuses
NOBODY = 65534


def fixture(*words):
    subprocess.run([sys.executable, "-m", "fixtures", *map(str, words)], cwd=TESTS, check=True, capture_output=True)


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # the command itself must survive it


def expect(condition, words):
    if not condition:
        sys.exit(f"full_disk: {words}")


def check_refusal(done, name, words="cannot write"):
    expect(done.returncode == REFUSED, f"{name} ended with {done.returncode}: {done.stderr}")
    expect("error:" in done.stderr and words in done.stderr, f"{name} said: {done.stderr}")
    print(f"{name}: status {done.returncode}, {done.stderr.strip().splitlines()[-1]}")


def score(fiducial, folder, output, *more):
    return [fiducial, "score", folder / "data", folder / "predictions", "-o", output, *more]


def limited(fiducial, folder):
    kept = folder / "place" / "kept"
    subprocess.run(score(fiducial, folder, kept), check=True, capture_output=True)
    before = files(folder / "place")
    for name, command in (
            ("score to a new folder", score(fiducial, folder, folder / "place" / "new" / "scores")),
            ("score over an earlier output", score(fiducial, folder, kept, "--overwrite")),
            ("score in private", score(fiducial, folder, kept, "--overwrite", "--private")),
            ("merge over an earlier output", [fiducial, "merge", folder / "part", "-o", kept, "--overwrite", "--data",
                                              folder / "data", "--predictions", folder / "predictions"])):
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=small_files)
        check_refusal(done, name)
        for journal in (folder / "place").rglob(".*.journal"):
            journal.unlink()  # what a resumed run goes on from
        if (folder / "place/new").exists() and not any((folder / "place/new").iterdir()):
            (folder / "place/new").rmdir()  # made for the journal
        expect(files(folder / "place") == before, f"{name}: the place of outputs has changed")
        expect(sorted(p.name for p in (folder / "place").iterdir()) == ["kept"], f"{name}: something is left")


def goes_on(fiducial, folder):
    """A long run that found no room keeps what it had, and ends as if there had been room from the start."""
    table, place = folder / "reports.csv", folder / "curated"
    table.write_text("VolumeName,Findings_EN,Impressions_EN\n" + "".join(
        f"train_{i}_a_1.nii.gz,A nodule in the right upper lobe. No pleural effusion.,Nodule.\n" for i in range(300)))
    curate = [fiducial, "curate", "findings", table, "-o"]
    done = subprocess.run([*curate, place / "out"], capture_output=True, text=True, preexec_fn=small_files)
    check_refusal(done, "curate to a new folder")
    expect([path.name for path in place.iterdir()] == [".out.resume"], "a run without room keeps nothing to go on from")
    for name in ("out", "at_once"):
        subprocess.run([*curate, place / name], check=True, capture_output=True)
    expect(not (place / ".out.resume").exists() and files(place / "out") == files(place / "at_once"), "a run that went on differs")


def mounted(fiducial, folder):
    """A file system that holds an earlier output and has little room for another."""
    place, kept = folder / "small", folder / "place" / "kept"
    place.mkdir()
    room = sum(-(-path.stat().st_size // 4096) for path in kept.iterdir()) * 4096 + 64 * 1024
    script = (f'mount -t tmpfs -o size={room} tmpfs "$0" || exit 42; cp -r "$1" "$0/kept" || exit 43; shift; '
              '"$@" --overwrite -o "$0/kept"; status=$?; diff -r "$0/kept" "$0/../place/kept" || exit 44; '
              'ls -A "$0" > "$0.left"; exit $status')
    done = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", script, place, kept, fiducial, "score",
                           folder / "data", folder / "predictions"], capture_output=True, text=True)
    if done.returncode in (1, 42) and "error:" not in done.stderr:
        print("no file system of our own here:", done.stderr.strip())
        return
    expect(done.returncode not in (43, 44), f"the earlier output was not kept: {done.stdout} {done.stderr}")
    check_refusal(done, "score on a full file system")
    left = [name for name in place.with_suffix(".left").read_text().split() if not name.endswith(".journal")]
    expect(left == ["kept"], f"left on the full file system: {left}")


def as_nobody():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def forbidden(fiducial, folder):
    """Inputs that may not be read and folders that may not be written."""
    place, secret = folder / "closed", folder / "secret.csv"
    place.mkdir()
    secret.write_text("question,answer\n")
    secret.chmod(0)
    place.chmod(0o555)
    for path in (folder, *folder.parents):
        if path.stat().st_mode & 0o005 != 0o005 and path.stat().st_uid == os.getuid():
            path.chmod(path.stat().st_mode | 0o055)
    for name, command in (
            ("score to a closed folder", score(fiducial, folder, place / "scores")),
            ("demo in a closed folder", [fiducial, "demo", place / "demo"]),
            ("pages in a closed folder", [fiducial, "info", "--docs", place / "pages"]),
            ("check of a closed file", [fiducial, "check", secret])):
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=as_nobody)
        check_refusal(done, name, "Permission denied")
    expect(not any(place.iterdir()), "something is left in the closed folder")


def main():
    fiducial = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        fixture("rex", folder / "data", "--cases", 40)
        fixture("predictions", folder / "data", folder / "predictions", "--kind", "shifted")
        subprocess.run(score(fiducial, folder, folder / "part", "--shard", "0/1"), check=True, capture_output=True)
        forbidden(fiducial, folder)
        limited(fiducial, folder)
        goes_on(fiducial, folder)
        if shutil.which("unshare"):
            mounted(fiducial, folder)


if __name__ == "__main__":
    main()
