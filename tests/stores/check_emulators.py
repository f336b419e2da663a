#!/usr/bin/env python3
"""Azure Blob Storage and Google Cloud Storage, each by an emulator where one is in PATH: `azurite-blob` (npm install azurite) and
`fake-gcs-server` (go install github.com/fsouza/fake-gcs-server). Same answers and same bytes of every output as of a folder.

usage: check_emulators.py FIDUCIAL
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import pyarrow.fs

from bucket_server import free_port

SKIPPED = 77
BUCKET = "fiducial-bench"
# The account that every Azurite has.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def expect(condition, words):
    if not condition:
        sys.exit(f"check_emulators: {words}")


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@contextlib.contextmanager
def running(words, port, folder):
    server = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            expect(server.poll() is None, f"{words[0]} ended with {server.returncode}")
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/").close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait()


@contextlib.contextmanager
def azure(folder):
    port = free_port()
    authority = {f"{kind}_storage_authority": f"127.0.0.1:{port}" for kind in ("blob", "dfs")}
    scheme = {f"{kind}_storage_scheme": "http" for kind in ("blob", "dfs")}
    words = [shutil.which("azurite-blob"), "--blobPort", str(port), "--location", str(folder), "--silent", "--skipApiVersionCheck"]
    with running(words, port, folder):
        yield (f"abfs://{BUCKET}", pyarrow.fs.AzureFileSystem(ACCOUNT, account_key=KEY, **authority, **scheme),
               {"AZURE_STORAGE_ACCOUNT": ACCOUNT, "AZURE_STORAGE_KEY": KEY,
                "AZURE_STORAGE_BLOB_ENDPOINT": f"http://127.0.0.1:{port}"})


@contextlib.contextmanager
def google(folder):
    port = free_port()
    words = [shutil.which("fake-gcs-server"), "-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-backend", "memory",
             "-external-url", f"http://127.0.0.1:{port}"]
    with running(words, port, folder):
        yield (f"gs://{BUCKET}", pyarrow.fs.GcsFileSystem(anonymous=True, scheme="http", endpoint_override=f"127.0.0.1:{port}",
                                                          project_id="fiducial"),
               {"STORAGE_EMULATOR_HOST": f"http://127.0.0.1:{port}"})


class Client:
    def __init__(self, fiducial, folder, more):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("AZURE_", "STORAGE_", "GOOGLE_", "FIDUCIAL_CACHE"))}
        self.fiducial, self.folder = fiducial, folder
        self.environment = clean | more | {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}

    def run(self, *words, status=0, more=None):
        done = subprocess.run([self.fiducial, *map(str, words)], capture_output=True, text=True, cwd=self.folder,
                              env=self.environment | (more or {}))
        expect(KEY not in done.stdout + done.stderr, f"{words} told a key")
        expect(done.returncode == status, f"{words}: status {done.returncode}, not {status}: {done.stderr}")
        return done


def send(store, demo):
    store.create_dir(BUCKET)
    for part in ("rexgroundingct", "systems/rexgroundingct/good", "medthinkvqa"):
        for path in sorted((demo / part).rglob("*")):
            if path.is_file():
                with store.open_output_stream(f"{BUCKET}/{path.relative_to(demo).as_posix()}", compression=None) as out:
                    out.write(path.read_bytes())


def same_as_a_folder(client, root, demo):
    local = client.folder / "local"
    client.run("score", demo / "rexgroundingct", demo / "systems/rexgroundingct/good", "--volumes", demo / "rexgroundingct/volumes",
               "--system", "good", "--no-report", "-o", local)
    words = [f"{root}/rexgroundingct", f"{root}/systems/rexgroundingct/good", "--volumes", f"{root}/rexgroundingct/volumes", "--system", "good",
             "--no-report"]
    client.run("score", *words, "-o", client.folder / "scores")
    client.run("score", *words, "-o", f"{root}/out/scores")
    expect(tree(client.folder / "scores") == tree(local), f"{root}: scores differ from those of a folder")
    rows = client.run("rows", local, "--worst", 5).stdout
    expect(client.run("rows", f"{root}/out/scores", "--worst", 5).stdout == rows, f"{root}: an output in the store is another one")
    check = client.run("check", demo / "medthinkvqa").stdout
    expect(client.run("check", f"{root}/medthinkvqa").stdout == check, f"{root}: a check differs")
    # A job in the store, worked on by two.
    client.run("plan", "score", *words, "--units", 3, "-o", f"{root}/job")
    workers = [subprocess.Popen([client.fiducial, "work", f"{root}/job", "--worker", f"{i}/2"], env=client.environment,
                                stderr=subprocess.PIPE, text=True) for i in range(2)]
    for worker in workers:
        said = worker.communicate()[1]
        expect(worker.returncode == 0, said)
    client.run("merge", f"{root}/job", "-o", client.folder / "merged")
    expect(tree(client.folder / "merged") == tree(local), f"{root}: a job in the store gives other bytes")


def bad_input(client, root):
    client.run("check", f"{root}/no-such-folder", status=3)
    if root.startswith("abfs:"):
        other = KEY.replace("E", "F", 1)
        client.run("check", f"{root}/rexgroundingct", status=74, more={"AZURE_STORAGE_KEY": other})


def main():
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    tried = 0
    for name, program, emulator in (("abfs", "azurite-blob", azure), ("gs", "fake-gcs-server", google)):
        if shutil.which(program) is None:
            print(f"{name}: skipped, no {program} in PATH")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "store").mkdir()
            demo = folder / "demo"
            subprocess.run([fiducial, "demo", demo, "--cases", "6"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with emulator(folder / "store") as (root, store, more):
                send(store, demo)
                client = Client(fiducial, folder, more)
                same_as_a_folder(client, root, demo)
                bad_input(client, root)
        tried += 1
        print(f"{name}: the bytes of a folder, by {program}")
    sys.exit(0 if tried else SKIPPED)


if __name__ == "__main__":
    main()
