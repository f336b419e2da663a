#!/usr/bin/env python3
"""What lies in a bucket is read as what lies in a folder: same answers, same hashes, same bytes of every output. What can go
wrong with a bucket is said, with its status.

usage: check_buckets.py FIDUCIAL PYTHON_WITH_MOTO
"""

import pathlib
import resource
import subprocess
import sys
import tempfile

from bucket_server import SECRET, Bucket, Proxy, environment, free_port, running

SKIPPED = 77
SMALL_FILES = 400_000  # bytes: less than one CT, so that none can be staged


def expect(condition, words):
    if not condition:
        sys.exit(f"check_buckets: {words}")


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Client:
    def __init__(self, fiducial, folder, endpoint):
        self.fiducial, self.folder = fiducial, folder
        self.environment = environment(endpoint) | {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}

    def run(self, *words, more=None, limit=None, status=0):
        done = subprocess.run([self.fiducial, *map(str, words)], capture_output=True, text=True, cwd=self.folder,
                              env=self.environment | (more or {}), preexec_fn=limit)
        expect(SECRET not in done.stdout + done.stderr, f"{words} told a key")
        expect(done.returncode == status, f"{words}: status {done.returncode}, not {status}: {done.stderr}")
        return done

    def refused(self, name, status, said, *words, more=None):
        done = self.run(*words, more=more, status=status)
        last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""
        expect(said in done.stderr, f"{name} said: {done.stderr}")
        print(f"{name}: status {status}, {last[:150]}")


def same_answers(client, demo):
    """Verbs that print: a bucket and a folder are told apart by their names only."""
    local, url = f"{demo}/rexgroundingct", "s3://bench/rexgroundingct"
    local_volumes, volumes = f"{local}/volumes", f"{url}/volumes"
    good, stored_good = f"{demo}/systems/rexgroundingct/good", "s3://bench/systems/rexgroundingct/good"
    med, stored_med = f"{demo}/medthinkvqa", "s3://bench/medthinkvqa"
    tables, stored_tables = f"{demo}/curated/radgenome", "s3://bench/curated/radgenome"
    for name, mine, theirs in (
            ("needs", ("info", local, "--needs"), ("info", url, "--needs")),
            ("check", ("check", local, "--predictions", good, "--volumes", local_volumes),
             ("check", url, "--predictions", stored_good, "--volumes", volumes)),
            ("stats", ("stats", local, "--masks"), ("stats", url, "--masks")),
            ("check of questions", ("check", med), ("check", stored_med)),
            ("stats of questions", ("stats", med), ("stats", stored_med)),
            ("stats of tables", ("stats", tables), ("stats", stored_tables))):
        here = subprocess.run([client.fiducial, *mine], capture_output=True, text=True)
        there = client.run(*theirs, status=here.returncode)
        told = there.stdout.replace("s3://bench", demo)
        expect(told == here.stdout, f"{name} differs:\n{here.stdout}\n--- bucket\n{told}")
        print(f"{name}: the same answer from a bucket")


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_FILES, SMALL_FILES))


SCORED = (("finding_masks", "rexgroundingct", "systems/rexgroundingct/good", ("--volumes", "rexgroundingct/volumes", "--metrics", "all")),
          ("diagnosis", "medthinkvqa", "systems/medthinkvqa/good/predictions.jsonl", ()),
          ("region_tables", "curated/radgenome", "systems/radgenome/careful", ()),
          ("grounded_reports", "rexgroundingct", "systems/grounded-report/right", ("--task", "grounded_reports")))


def same_scores(client, demo, bucket):
    """Outputs are equal byte for byte, wherever the input lies and wherever they go."""
    for task, data, predictions, options in SCORED:
        here, there = client.folder / f"{task}-here", client.folder / f"{task}-there"
        place = lambda root, word: f"{root}/{word}" if "/" in word else word
        command = lambda root: ["score", f"{root}/{data}", f"{root}/{predictions}", *(place(root, word) for word in options)]
        client.run(*command(demo), "-o", here)
        scratch = client.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        # A page may be larger than a CT, so it is left out where files have to be small.
        client.run(*command("s3://bench"), "-o", there, "--no-report", limit=small_files, more={"TMPDIR": str(scratch)})
        numbers = {name: held for name, held in tree(here).items() if name != "report.html"}
        expect(numbers == tree(there), f"{task}: outputs differ: {differing(numbers, tree(there))}")
        expect(not any(scratch.iterdir()), f"{task} left files in TMPDIR")
        client.run(*command("s3://bench"), "-o", f"s3://bench/out/{task}")
        expect(bucket.files(f"out/{task}") == tree(here), f"{task}: the output in the bucket differs")
        print(f"{task}: {len(tree(here))} files, the same bytes from and to a bucket")


def differing(one, other):
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


SCORE = ("score", "s3://bench/rexgroundingct", "s3://bench/systems/rexgroundingct/good")


def outputs(client, bucket, endpoint):
    client.refused("an output that is there", 2, "--overwrite replaces it", *SCORE, "-o", "s3://bench/out/finding_masks")
    before = bucket.files("out/finding_masks")
    bucket.put("out/finding_masks/old.txt", b"of an earlier run")
    client.run(*SCORE, "--volumes", "s3://bench/rexgroundingct/volumes", "--metrics", "all", "-o", "s3://bench/out/finding_masks", "--overwrite")
    expect(bucket.files("out/finding_masks") == before, "an output that was replaced differs")
    bucket.put("foreign/a.txt", b"somebody's")
    client.refused("a folder of somebody else", 6, "not an earlier output", *SCORE, "-o", "s3://bench/foreign", "--overwrite")
    # The connection goes in the middle of an upload: there is no marker, and the same command with --overwrite mends it.
    with Proxy(endpoint, before=lambda method, path: 503 if method in ("PUT", "POST") and "summary.json" in path else None) as proxy:
        client.refused("an upload that is cut short", 7, "does not answer", *SCORE, "-o", "s3://bench/out/cut",
                       more={"AWS_ENDPOINT_URL": proxy.endpoint})
    expect("plan.json" not in bucket.files("out/cut"), "an unfinished output has its marker")
    expect(".fiducial-unfinished" in bucket.files("out/cut"), "an unfinished output does not say so")
    client.run(*SCORE, "-o", "s3://bench/out/cut", "--overwrite")
    expect(".fiducial-unfinished" not in bucket.files("out/cut") and "plan.json" in bucket.files("out/cut"), "not mended")
    print("outputs: replaced, refused, mended")


def bad_input(client, bucket, endpoint):
    out = ("-o", client.folder / "never")
    client.refused("no such bucket", 3, "no such dataset folder", "check", "s3://none/rexgroundingct")
    client.refused("no such folder", 3, "no such dataset folder", "score", "s3://bench/none", SCORE[2], *out)
    client.refused("no such predictions", 3, "no such folder or archive", "score", SCORE[1], "s3://bench/none", *out)
    client.refused("a key in the URL", 2, "a URL with a key in it", "check", f"s3://id:{SECRET}@bench/rexgroundingct")
    client.refused("options in the URL", 2, "a URL with options", "check", f"s3://bench/x?secret_key={SECRET}")
    client.refused("nobody listens", 7, "does not answer", "check", SCORE[1],
                   more={"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}"})
    mask = "rexgroundingct/segmentations/train_263_a_1.nii.gz"
    kept = bucket.get(mask)
    bucket.remove(mask)
    client.refused("a mask that is missing", 3, "no such object", *SCORE, *out)
    bucket.put(mask, kept)
    # A prediction is replaced once its first bytes were read.
    changing = "systems/rexgroundingct/good/train_263_a_1.nii.gz"
    good = bucket.get(changing)
    with Proxy(endpoint, after=lambda method, path: bucket.put(changing, good + b"x") if method == "GET" and changing in path else None) as proxy:
        client.refused("an object that changes while it is read", 5, "changed while it was read", *SCORE, *out,
                       more={"AWS_ENDPOINT_URL": proxy.endpoint})
    bucket.put(changing, good)
    # The store goes away in the middle of a run; what was scored is kept, and the same command goes on.
    with Proxy(endpoint, before=lambda method, path: 503 if "train_428" in path else None) as proxy:
        client.refused("a store that fails on the way", 7, "does not answer", *SCORE, *out, "--threads", "1",
                       more={"AWS_ENDPOINT_URL": proxy.endpoint})
    with Proxy(endpoint) as proxy:
        client.run(*SCORE, *out, more={"AWS_ENDPOINT_URL": proxy.endpoint})
    expect(not (client.folder / "never").exists() or (client.folder / "never" / "plan.json").exists(), "half an output")


def denied(fiducial, python, folder):
    # Ten requests are let in: the bucket and one object; after them the server wants keys that it knows.
    with running(python, {"INITIAL_NO_AUTH_ACTION_COUNT": "2"}) as endpoint:
        bucket = Bucket(endpoint, "closed")
        bucket.put("rexgroundingct/dataset.json", b"{}")
        Client(fiducial, folder, endpoint).refused("a bucket without permission", 74, "permission denied by the store", "check",
                                                   "s3://closed/rexgroundingct")


def local_urls(client, demo):
    here = client.run("stats", f"{demo}/rexgroundingct").stdout
    expect(client.run("stats", f"file://{demo}/rexgroundingct").stdout == here, "file:// differs")
    client.refused("a file of another machine", 2, "names no other machine", "stats", "file://elsewhere/data")


def main():
    fiducial, python = sys.argv[1:]
    if subprocess.run([python, "-c", "import moto.server, flask_cors"], capture_output=True).returncode != 0:
        print(f"skipped: {python} has no moto; ./dev test installs it")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as scratch, running(python) as endpoint:
        folder = pathlib.Path(scratch)
        demo = str(folder / "demo")
        subprocess.run([fiducial, "demo", demo], check=True, capture_output=True)
        bucket = Bucket(endpoint, "bench")
        for below in ("rexgroundingct", "medthinkvqa", "curated", "systems"):
            bucket.send_folder(f"{demo}/{below}", below)
        client = Client(fiducial, folder, endpoint)
        local_urls(client, demo)
        same_answers(client, demo)
        same_scores(client, demo, bucket)
        outputs(client, bucket, endpoint)
        bad_input(client, bucket, endpoint)
        denied(fiducial, python, folder)


if __name__ == "__main__":
    main()
