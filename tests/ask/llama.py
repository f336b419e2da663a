#!/usr/bin/env python3
"""A real llama.cpp server with random weights (random_llama.py): answers in a schema, several at once, streams (also to the command); and
`fiducial run` gets a whole run from it that can be scored. As a judge it gives every verdict in its form and knows nothing:
its certificate says that its agreement with people may be chance.

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
JUDGED = 10  # cases of five steps each
# A token is a byte. Random bytes are no UTF-8, random texts and lists are long: some never come, and what ends them comes often.
NEVER = [3 + byte for byte in [*b"\n\t\\", *range(128, 256)]]
SHORT_TEXTS = json.dumps([[token, False] for token in NEVER] + [[3 + byte, 4.0] for byte in b'"]'])
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
    return [json.loads(line) for line in path.read_text().split("\n") if line]


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


def check_stream(checks, fiducial, url, folder):
    """Taken piece by piece, replies are the same; a prompt with images is refused once for all."""
    run = [fiducial, "run", folder / "data", "--model", "random", "--limit", str(CASES), "--max-tokens", "300", "--max-failures", "100%",
           "--temperature", "0", "--seed", "1", "--concurrency", "1", "--set", f"logit_bias={SHORT_TEXTS}", "--endpoint", url + "/v1"]
    replies = []
    for name, words in {"whole": [], "stream": ["--stream"]}.items():
        ended = subprocess.run([*run, "--image-budget", "0%", *words, "-o", folder / name], capture_output=True, text=True)
        checks.equal(ended.returncode, 0, f"{name} replies: {ended.stderr[-500:]}")
        lines = lines_of(folder / name / "journal.jsonl")
        replies.append({line["request"]: (line["reply"], line["finish"], line["usage"]["completion"]) for line in lines if "reply" in line})
    checks.that(len(replies[0]) >= CASES and replies[0] == replies[1], f"a streamed reply is the whole one: {replies}")
    ended = subprocess.run([*run, "-o", folder / "seen"], capture_output=True, text=True)
    checks.that(ended.returncode == 7 and "takes no images" in ended.stderr, f"a model without eyes: {ended.returncode} {ended.stderr[-300:]}")


def check_score(checks, fiducial, folder):
    score = [fiducial, "score", folder / "data", folder / "direct", "-o", folder / "scores", "--max-failures", "100%"]
    ended = subprocess.run(score, capture_output=True, text=True)
    checks.equal(ended.returncode, 0, f"the run is scored: {ended.stderr[-500:]}")


def check_judge(checks, fiducial, url, folder):
    """A judge that follows the schema and knows nothing is found out."""
    for words in (["medthink", "cases", "--cases", str(JUDGED)], ["medthink-reasoning", "cases", "reasoning.jsonl", "people.csv"]):
        subprocess.run([sys.executable, "-m", "fixtures", words[0], *(folder / w if w[0].isalpha() else w for w in words[1:])],
                       cwd=TESTS, check=True, capture_output=True)
    run = [fiducial, "run", folder / "cases", "--workflow", "judge", "--predictions", folder / "reasoning.jsonl", "--model", "random",
           "--samples", "2", "--temperature", "1", "--seed", "1", "--concurrency", "1", "--max-tokens", "6000",
           "--set", f"logit_bias={SHORT_TEXTS}", "--endpoint", url + "/v1", "-o", folder / "judged"]
    ended = subprocess.run(run, capture_output=True, text=True)
    if not checks.equal(ended.returncode, 0, f"the judge runs: {ended.stderr[-500:]}"):
        return
    verdicts = [check for line in lines_of(folder / "judged" / "verdicts.jsonl") for check in line["explanation_steps_checks"]]
    checks.equal(len(verdicts), 5 * JUDGED, "a verdict for every step")
    checks.that(all(2 <= len(each["explanation"]) <= 300 for each in verdicts), "texts keep to their bounds")
    certify = [fiducial, "judge", "certify", folder / "judged", "--labels", folder / "people.csv", "-o", folder / "certificate.json"]
    ended = subprocess.run(certify, capture_output=True, text=True)
    checks.equal(ended.returncode, 1, f"a judge that knows nothing is not certified: {ended.stderr[-500:]}")
    checks.that("its agreement with people may be chance" in ended.stdout, f"and why: {ended.stdout}")
    certificate = json.loads((folder / "certificate.json").read_text())
    low, high = certificate["agreement"]["cohens_kappa"]["ci95"]
    checks.that(low <= 0 <= high, f"the interval of kappa covers 0: {low} to {high}")


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
            check_stream(checks, sys.argv[1], url, folder)
            check_score(checks, sys.argv[1], folder)
            check_judge(checks, sys.argv[1], url, folder)
        finally:
            process.stdin.close()
            process.wait()
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
