#!/usr/bin/env python3
"""A real llama.cpp server with random weights (random_llama.py): answers in a schema, several at once, streams; and
`fiducial run` gets a whole run from it that can be scored.

usage: llama.py FIDUCIAL
"""

import concurrent.futures
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

from scripted import Checks, TESTS

CASES = 6
LETTERS = ["A", "B", "C", "D", "E"]
SCHEMA = {"type": "object", "properties": {"answer": {"enum": LETTERS}, "sure": {"type": "boolean"}},
          "required": ["answer", "sure"], "additionalProperties": False}


def started(folder):
    process = subprocess.Popen([sys.executable, TESTS / "ask" / "random_llama.py", folder / "random.gguf"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(folder / "server.log", "w"), text=True)
    for line in process.stdout:
        if line.startswith("listening on "):
            return process, line.split()[-1]
    raise RuntimeError((folder / "server.log").read_text()[-2000:])


def ask(url, words, **settings):
    body = {"model": "random", "messages": [{"role": "user", "content": words}], "max_tokens": 80, "temperature": 0, "seed": 1,
            "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA}}, **settings}
    request = urllib.request.Request(url + "/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    return urllib.request.urlopen(request, timeout=120).read().decode()


def check_server(checks, url):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        replies = [json.loads(reply) for reply in pool.map(lambda k: ask(url, f"Case {k}: which?"), range(8))]
    for reply in replies:
        answer = json.loads(reply["choices"][0]["message"]["content"])
        checks.that(answer["answer"] in LETTERS and isinstance(answer["sure"], bool), f"an answer in the schema: {answer}")
    events = [line[6:] for line in ask(url, "Case 1: which?", stream=True).split("\n") if line.startswith("data: ")]
    pieces = [json.loads(event)["choices"] for event in events if event != "[DONE]"]
    text = "".join(choice[0]["delta"].get("content") or "" for choice in pieces if choice)
    checks.equal(text, replies[1]["choices"][0]["message"]["content"], "a stream gives what a whole reply gives")


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def check_run(checks, fiducial, url, folder, workflow):
    """A model without images is asked without them; what it says may be cut off by the limit of tokens."""
    output = folder / workflow
    run = [fiducial, "run", folder / "data", "--workflow", workflow, "--image-budget", "0%", "--model", "random", "--limit", str(CASES),
           "--max-tokens", "120", "--max-failures", "100%", "--endpoint", url + "/v1", "-o", output]
    ended = subprocess.run(run, capture_output=True, text=True)
    if not checks.equal(ended.returncode, 0, f"{workflow} runs: {ended.stderr[-500:]}"):
        return
    rows, errors = lines_of(output / "predictions.jsonl"), lines_of(output / "errors.jsonl")
    checks.equal({row["title"] for row in rows} | {error["item"] for error in errors}, {f"Case number {66 + k}" for k in range(CASES)},
                 f"{workflow}: every case has a prediction or a reason why not")
    finishes = {line["finish"] for line in lines_of(output / "journal.jsonl") if "reply" in line}
    checks.that(finishes and finishes <= {"stop", "length"}, f"{workflow}: how replies ended: {finishes}")
    again = subprocess.run(run, capture_output=True, text=True)
    checks.equal(again.returncode, 0, f"{workflow} is finished: {again.stderr[-500:]}")


def check_score(checks, fiducial, folder):
    score = [fiducial, "score", folder / "data", folder / "direct", "-o", folder / "scores", "--max-failures", "100%"]
    ended = subprocess.run(score, capture_output=True, text=True)
    checks.equal(ended.returncode, 0, f"the run is scored: {ended.stderr[-500:]}")


def main():
    for package in ("gguf", "numpy", "xllamacpp"):
        if importlib.util.find_spec(package) is None:
            print(f"skipped: no Python package {package}; requirements/test.txt has it")
            return 77
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        process, url = started(folder)
        try:
            check_server(checks, url)
            subprocess.run([sys.executable, "-m", "fixtures", "medthink", folder / "data", "--cases", str(CASES)], cwd=TESTS,
                           check=True, capture_output=True)
            for workflow in ("direct", "twi"):
                check_run(checks, sys.argv[1], url, folder, workflow)
            check_score(checks, sys.argv[1], folder)
        finally:
            process.stdin.close()
            process.wait()
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
