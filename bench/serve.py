#!/usr/bin/env python3
"""What `fiducial serve` costs: requests per second of processor time beside nginx with the same file, the slowest of the lists
and slices, masks for the browser beside the NIfTI they come from, and the page of a large CT in Chromium.

    python bench/serve.py --bin-dir build/release/bin --data build/bench-data

Processor time is what /proc says of the server's processes, so the load generator is free. Without nginx, Node or Chromium the
rows that need them are left out, and the table says so.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

from processes import arguments

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "serve"))
from served import Served  # noqa: E402

CASES = 25_000
REQUESTS = 4_000
CONNECTIONS = 8
ASKED = 400  # for each list and slice
NODE = HERE.parent / "web/node_modules/.node/bin/node"
NGINX = """daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{ access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e; sendfile on; tcp_nopush on; keepalive_requests 100000;
server {{ listen 127.0.0.1:{port}; root {root}; default_type text/javascript; }} }}
"""


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_reply(stream):
    """Bytes of one body; the status line and the fields are read away."""
    status = stream.readline()
    assert b" 200 " in status, status
    length = 0
    while (line := stream.readline()) != b"\r\n":
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)
    assert len(stream.read(length)) == length
    return length


def ask_often(port, path, count):
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as stream:
        for _ in range(count):
            connection.sendall(request)
            size = read_reply(stream)
    return size


def per_cpu_second(pid, port, path):
    """A connection is closed by the server after 1,000 requests, so each asks fewer."""
    ask_often(port, path, 100)
    before, done = cpu_seconds(pid), 0
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        while cpu_seconds(pid) - before < 0.5:  # the clock of /proc ticks 100 times a second
            list(pool.map(lambda _: ask_often(port, path, REQUESTS // CONNECTIONS), range(CONNECTIONS)))
            done += REQUESTS // CONNECTIONS * CONNECTIONS
    return done / (cpu_seconds(pid) - before)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def nginx_rate(path, body):
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as name:
        folder, port = pathlib.Path(name), free_port()
        file = folder / "root" / path.lstrip("/")
        file.parent.mkdir(parents=True)
        file.write_bytes(body)
        os.chmod(folder, 0o755)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port, root=folder / "root"))
        process = subprocess.Popen([program, "-c", str(folder / "nginx.conf"), "-p", name], stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                with socket.socket() as one:
                    if one.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            return per_cpu_second(process.pid, port, path)
        finally:
            process.terminate()
            process.wait()


def many_cases(folder, demo):
    """The demo's cases over and over, under names of their own."""
    splits = json.loads((demo / "rexgroundingct/dataset.json").read_text())
    entries = [entry for split in splits.values() for entry in split]
    named = [dict(entries[i % len(entries)], name=f"train_{i + 1}_a_1.nii.gz") for i in range(CASES)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dataset.json").write_text(json.dumps({"train": named[2500:], "val": [], "test": named[:2500]}))
    return folder


def slowest(server, targets):
    """Milliseconds of the median and of the slowest hundredth."""
    walls = []
    for target in targets:
        started = time.perf_counter()
        server.bytes(target)
        walls.append(1e3 * (time.perf_counter() - started))
    return statistics.median(walls), sorted(walls)[int(0.99 * len(walls))]


def show(name, *cells):
    print(f"{name:44}" + "".join(f"{cell:>24}" for cell in cells))


def file_rows(fiducial, demo):
    with Served(fiducial, demo) as server:
        main = "/" + server.bytes("/").decode().split('src="/')[1].split('"')[0]
        folder = main.rsplit("/", 1)[0]
        names = re.findall(r'"\./([\w.-]+\.js)"', server.bytes(main).decode())
        bodies = {path: server.ask(path, **{"Accept-Encoding": "gzip"})[2] for path in {f"{folder}/{name}" for name in names}}
        show("/healthz", f"{per_cpu_second(server.process.pid, server.port, '/healthz'):,.0f} a CPU second")
        for path in (min(bodies, key=lambda one: len(bodies[one])), max(bodies, key=lambda one: len(bodies[one]))):
            ours = per_cpu_second(server.process.pid, server.port, path)
            rival = nginx_rate(path, bodies[path])
            show(f"{len(bodies[path]):,} bytes of the app", f"{ours:,.0f} a CPU second",
                 "no nginx here" if rival is None else f"nginx {rival:,.0f}")


def list_rows(fiducial, data, demo):
    with Served(fiducial, many_cases(data / "cases", demo)) as server:
        started = time.perf_counter()
        base = "/api/v1/datasets/cases/cases"
        server.bytes(base)
        show(f"first list of {CASES:,} cases", f"{1e3 * (time.perf_counter() - started):.0f} ms")
        for name, query in (("list", "?limit=100"), ("list, sorted", "?sort=name&order=desc"), ("search", "?q=nodule+{}")):
            middle, worst = slowest(server, [base + query.format(i) for i in range(ASKED)])
            show(f"{name}", f"{middle:.1f} ms median", f"{worst:.1f} ms p99")


def slice_rows(fiducial, large):
    with Served(fiducial, large) as server:
        case = "/api/v1/cases/dataset/train_79_a_1"
        started = time.perf_counter()
        server.bytes(f"{case}/volume/slice/axial/8.png")
        show("first slice of a cold 512 x 512 x 300", f"{1e3 * (time.perf_counter() - started):.0f} ms")
        server.bytes(f"{case}/volume/slice/axial/299.png")
        masks = "&masks=" + ",".join(f"reference:{i}" for i in range(8))
        for plane, count in (("axial", 300), ("sagittal", 512)):
            targets = [f"{case}/volume/slice/{plane}/{i * 37 % count}.png?l=40&w=400{masks}" for i in range(ASKED)]
            middle, worst = slowest(server, targets)
            show(f"slice with 8 masks, {plane}", f"{middle:.1f} ms median", f"{worst:.1f} ms p99")
        before = cpu_seconds(server.process.pid)
        _, _, sent = server.ask(f"{case}/masks?set=reference", **{"Accept-Encoding": "gzip"})
        show("8 masks, runs as they are sent", f"{len(sent):,} bytes",
             f"{1e3 * (cpu_seconds(server.process.pid) - before):.0f} ms CPU serving")
        (large / "masks.runs").write_bytes(zlib.decompress(sent, 31))
    stored = next((large / "dataset/segmentations").glob("*.nii.gz")).read_bytes()
    started = time.process_time()
    whole = len(zlib.decompress(stored, 31))
    show("8 masks, NIfTI", f"{len(stored):,} bytes", f"{1e3 * (time.process_time() - started):.0f} ms CPU inflating",
         f"{whole / 1e6:.0f} MB of memory")
    if NODE.exists():
        done = subprocess.run([NODE, HERE / "decode_runs.mjs", large / "masks.runs"], capture_output=True, text=True)
        show("8 masks, runs in the browser's JavaScript", *(done.stdout.strip().split("\n") if done.returncode == 0
                                                            else [done.stderr.strip().split("\n")[-1]]))


def large_case(fiducial, folder, demo):
    if not (folder / "scores").exists():
        subprocess.run([sys.executable, HERE / "large_case.py", demo, folder], check=True)
        subprocess.run([fiducial, "score", folder / "dataset", folder / "predictions", "-o", folder / "scores", "--volumes",
                        folder / "dataset/volumes", "--no-report"], check=True, capture_output=True)
    return folder


def main():
    options = arguments(__doc__, repeat=3)
    fiducial = options.bin_dir / "fiducial"
    data = options.data.resolve() / "serve"
    demo = data / "demo"
    if not demo.exists():
        subprocess.run([fiducial, "demo", demo], check=True, capture_output=True)
    file_rows(fiducial, demo)
    list_rows(fiducial, data, demo)
    large = large_case(fiducial, data / "large", demo)
    slice_rows(fiducial, large)
    if NODE.exists() and pathlib.Path("/usr/bin/chromium").exists():
        return subprocess.run([NODE, HERE / "case_page.mjs", fiducial, large, str(options.repeat)]).returncode
    print("no Chromium or no Node here: the page of the large CT is left out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
