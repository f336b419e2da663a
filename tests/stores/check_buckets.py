#!/usr/bin/env python3
"""What lies in a bucket is read as what lies in a folder: same answers, same hashes, same bytes of every output. What can go
wrong with a bucket is said, with its status.

usage: check_buckets.py FIDUCIAL PYTHON_WITH_MOTO
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

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
          ("grounded_reports", "rexgroundingct", "systems/grounded-report/right", ("--task", "grounded_reports")),
          ("controls", "controls", "systems/controls/listens", ()))


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
    with Proxy(endpoint, before=lambda method, path: bucket.put(changing, good + b"x") if method == "GET" and changing in path else None) as proxy:
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


def jobs(client, bucket, demo):
    """Work on data in a bucket that is cut into units, with the job in a folder or in the bucket itself."""
    command = [*SCORE, "--volumes", "s3://bench/rexgroundingct/volumes", "--metrics", "all"]
    for job, out in ((client.folder / "job", "s3://bench/out/job"), ("s3://bench/jobs/one", client.folder / "job-out")):
        told = client.run("plan", *command, "--units", "3", "-o", job).stdout
        expect("volumes" in told and " 0 bytes" not in told, f"a plan of a bucket tells no bytes: {told}")
        client.run("work", job, "--unit", "1")
        expect(client.run("status", job, "--missing", "--format", "slurm").stdout == "0,2\n", "what is missing of a job")
        for _ in range(2):  # the second worker finds nothing to do
            client.run("work", job)
        client.run("merge", job, "-o", out)
        found = bucket.files("out/job") if str(out).startswith("s3:") else tree(out)
        expect(found == bucket.files("out/finding_masks"), f"the job in {job} gives other bytes: "
               f"{differing(found, bucket.files('out/finding_masks'))}")
        print(f"a job in {'a bucket' if str(job).startswith('s3:') else 'a folder'}: the same bytes as a plain run")
    client.refused("a script for sbatch in a bucket", 2, "sbatch reads no bucket", "plan", *command, "--slurm", "-o", "s3://bench/jobs/none")
    # An object is replaced between plan and work.
    client.run("plan", *command, "--units", "3", "-o", client.folder / "changing")
    mask = "systems/rexgroundingct/good/train_263_a_1.nii.gz"
    good = bucket.get(mask)
    bucket.put(mask, good + b"x")
    client.refused("an object that changes between plan and work", 5, "changed since the job was planned", "work", client.folder / "changing")
    bucket.put(mask, good)


def cache(client, bucket, endpoint):
    """What was read once is read from the disk, as long as it is the same object; the folder stays small."""
    folder = client.folder / "kept"
    command = [*SCORE, "--no-report", "--cache", folder]
    wanted = {name: held for name, held in bucket.files("out/cut").items() if name != "report.html"}

    def run(name, *more):
        with Proxy(endpoint) as proxy:
            client.run(*command, *more, "-o", client.folder / name, more={"AWS_ENDPOINT_URL": proxy.endpoint})
        expect(tree(client.folder / name) == wanted, f"{name}: a cache changes the output")
        return sum(method == "GET" and path.split("?")[0].endswith(".nii.gz") for method, path in proxy.seen)

    first, second = run("cold"), run("warm")
    expect(first > 0 and second == 0, f"{first} reads of masks without a cache, {second} with one")
    mask = "systems/rexgroundingct/good/train_263_a_1.nii.gz"
    bucket.put(mask, bucket.get(mask))
    expect(run("put-again") >= 1, "an object that was written again is taken from the cache")
    size = lambda: sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    limit = size() // 2
    run("small", f"--cache-limit={limit}")
    run("smaller", "--cache-limit", str(limit))
    bucket.put(mask, bucket.get(mask))
    run("smallest", f"--cache-limit={limit}")
    expect(size() <= limit, f"{size()} bytes are kept, {limit} are allowed")
    # Of an archive the blocks that were read are kept.
    good = pathlib.Path(client.folder) / "good.zip"
    with zipfile.ZipFile(good, "w") as archive:
        for name, held in sorted(bucket.files("systems/rexgroundingct/good").items()):
            archive.writestr(name, held)
    bucket.put("good.zip", good.read_bytes())
    reads = []
    for name in ("archive-cold", "archive-warm"):
        with Proxy(endpoint) as proxy:
            client.run(SCORE[0], SCORE[1], "s3://bench/good.zip", *SCORE[3:], "--no-report", "--cache", folder, "-o", client.folder / name,
                       more={"AWS_ENDPOINT_URL": proxy.endpoint})
        reads.append(sum(method == "GET" and path.split("?")[0].endswith("good.zip") for method, path in proxy.seen))
    expect(reads[0] > 0 and reads[1] == 0, f"{reads} reads of an archive")
    expect(tree(client.folder / "archive-warm") == tree(client.folder / "archive-cold"), "a cache of an archive changes the output")
    (client.folder / "no-folder").write_text("in the way")
    client.run(*SCORE, "--no-report", "--cache", client.folder / "no-folder", "-o", client.folder / "uncached")
    expect(tree(client.folder / "uncached") == wanted, "a cache that cannot be written changes the output")
    client.refused("a limit that is no size", 2, "--cache-limit: expected a size", *command, "--cache-limit", "much", "-o", client.folder / "never")
    print(f"a cache: {first} reads of masks, then {second}; {size()} of at most {limit} bytes kept")


def served(client):
    """The pages and routes of a server on a bucket."""
    server = subprocess.Popen([client.fiducial, "serve", "s3://bench/rexgroundingct", "s3://bench/out", "--port", "0"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=client.environment, cwd=client.folder)
    try:
        root = server.stdout.readline().strip().split("?")[0].rstrip("/")
        expect(root.startswith("http://"), f"serve said {root}")
        ask = lambda path: json.loads(urllib.request.urlopen(f"{root}/api/v1{path}").read())
        cases = ask("/datasets/rexgroundingct/cases")["items"]
        expect(len(cases) > 3, f"the server finds {len(cases)} cases in a bucket")
        runs = json.dumps(ask("/runs"))
        expect("finding_masks" in runs and "diagnosis" in runs, f"the server does not list the scores of a bucket: {runs[:300]}")
        print("serve: lists datasets and scores of a bucket")
    finally:
        server.terminate()
        server.wait()


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
        for below in ("rexgroundingct", "medthinkvqa", "curated", "controls", "systems"):
            bucket.send_folder(f"{demo}/{below}", below)
        client = Client(fiducial, folder, endpoint)
        local_urls(client, demo)
        same_answers(client, demo)
        same_scores(client, demo, bucket)
        outputs(client, bucket, endpoint)
        jobs(client, bucket, demo)
        cache(client, bucket, endpoint)
        served(client)
        bad_input(client, bucket, endpoint)
        denied(fiducial, python, folder)


if __name__ == "__main__":
    main()
