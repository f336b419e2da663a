#!/usr/bin/env python3
"""A real server with pictures: a random LLaVA (random_llava.py) under `transformers serve`. `fiducial run` shows it every
image of a case, other pictures give other replies, and the run is scored.

Skips without the environment that has torch and transformers, which `./dev setup --vision` makes.

usage: llava.py FIDUCIAL PYTHON
"""

import base64
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from scripted import Checks, TESTS

CASES = 3
START_S = 300
IMAGE_TOKENS = 16  # of a picture of random_llava.py


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def started(folder, python):
    """The server, once it listens."""
    subprocess.run([python, TESTS / "ask" / "random_llava.py", folder / "model"], check=True, capture_output=True)
    port = free_port()
    process = subprocess.Popen([python.with_name("transformers"), "serve", folder / "model", "--device", "cpu", "--port", str(port)],
                               env={**os.environ, "HF_HUB_OFFLINE": "1"}, stdout=open(folder / "server.log", "w"),
                               stderr=subprocess.STDOUT)
    ends = time.monotonic() + START_S
    while time.monotonic() < ends and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process, f"http://127.0.0.1:{port}/v1"
        time.sleep(0.5)
    process.kill()
    raise RuntimeError((folder / "server.log").read_text()[-2000:])


def said(url, model, picture):
    parts = [{"type": "text", "text": "What is this?"},
             {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64," + base64.b64encode(picture).decode()}}]
    body = {"model": str(model), "messages": [{"role": "user", "content": parts}], "max_tokens": 24, "temperature": 0}
    request = urllib.request.Request(url + "/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=300))["choices"][0]["message"]["content"]


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def check_run(checks, fiducial, url, folder):
    output = folder / "run"
    run = [fiducial, "run", folder / "data", "--model", folder / "model", "--endpoint", url, "--no-schema", "--max-tokens", "40",
           "--max-failures", "100%", "--limit", str(CASES), "-o", output]
    ended = subprocess.run(run, capture_output=True, text=True)
    if not checks.equal(ended.returncode, 0, f"it runs: {ended.stderr[-500:]}"):
        return
    journal = [line for line in lines_of(output / "journal.jsonl") if "request" in line]
    checks.equal(len(journal), CASES, "one attempt a case")
    checks.that(all("reply" in line and line["usage"]["completion"] > 0 for line in journal), f"replies with tokens: {journal[:1]}")
    cases = {row["title"]: row["image_count"] for row in lines_of(folder / "data" / "test.jsonl")[:CASES]}
    checks.that(all(line["usage"]["prompt"] > IMAGE_TOKENS * cases[line["item"]] for line in journal), "the server counts every image")
    errors = {line["item"] for line in lines_of(output / "errors.jsonl")}  # a reply may be cut off by its limit of tokens
    shown = {line["title"]: line["images_shown"] for line in lines_of(output / "predictions.jsonl")}
    checks.equal(set(shown) | errors, set(cases), "every case has a prediction or a reason why not")
    checks.that(all(cases[title] == count for title, count in shown.items()), "every image was shown")
    score = [fiducial, "score", folder / "data", output, "-o", folder / "scores", "--max-failures", "100%"]
    ended = subprocess.run(score, capture_output=True, text=True)
    checks.equal(ended.returncode, 0, f"it is scored: {ended.stderr[-500:]}")


def main():
    python = pathlib.Path(sys.argv[2])
    if not python.exists():
        print(f"skipped: there is no {python}; ./dev setup --vision makes it")
        return 77
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, "-m", "fixtures", "medthink", folder / "data", "--cases", str(CASES)], cwd=TESTS,
                       check=True, capture_output=True)
        process, url = started(folder, python)
        try:
            pictures = [path.read_bytes() for path in sorted((folder / "data" / "images").rglob("*.jpg"))[:2]]
            texts = [said(url, folder / "model", picture) for picture in (*pictures, pictures[0])]
            checks.equal(texts[0], texts[2], "the same picture gives the same reply")
            checks.that(texts[0] != texts[1], "another picture gives another reply")
            check_run(checks, sys.argv[1], url, folder)
        finally:
            process.terminate()
            process.wait()
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
