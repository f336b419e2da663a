#!/usr/bin/env python3
"""Kills `fiducial run` with signal 9 at random moments and starts it again. In the end its predictions have the bytes of a
run that was left alone, nothing that was journalled when a kill came was asked for again, and a kill repeats no more
calls than there were in flight.

With the workflow twi steps wait for one another: a lost reply of one must not change another case.

usage: chaos.py FIDUCIAL SCRIPTED_ENDPOINT [KILLS [WORKFLOW]]
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from scripted import Checks, Endpoint
import planted_corpus

IN_FLIGHT = 8
LATENCY_MS = 15
# Some requests are answered on the second attempt only: retries must survive a kill, too.
RULES = [{"every": 11, "do": "status", "status": 500}, {"every": 13, "do": "reset"}, {"every": 17, "do": "malformed"},
         {"every": 19, "do": "wrong_length"}]
WORD = re.compile(r"zorb(\d{5})")


def command(fiducial, folder, endpoint, output, workflow):
    return [fiducial, "run", folder / "data", "--workflow", workflow, "--model", "stand-in", "--endpoint", endpoint.url(),
            "--concurrency", str(IN_FLIGHT), "-o", output]


def case_of(endpoint, line):
    return WORD.search(json.dumps(endpoint.body(line))).group(1)


def replies(output):
    """Entries of the journal that hold a reply and stand there whole."""
    path = output / "journal.jsonl"
    found = []
    for line in path.read_bytes().split(b"\n")[:-1] if path.exists() else []:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("reply") is not None:
            found.append(entry)
    return found


def kill_at_random(process, endpoint, chance, most_calls):
    """Kills a run after a few more calls, and a little later."""
    calls = len(endpoint.requests()) + chance.randrange(most_calls)
    while process.poll() is None and len(endpoint.requests()) < calls:
        time.sleep(0.001)
    time.sleep(chance.uniform(0, 2 * LATENCY_MS / 1000))
    process.kill()
    return process.wait()


def main():
    fiducial, program = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    workflow = sys.argv[4] if len(sys.argv) > 4 else "direct"
    chance = random.Random(7)
    checks = Checks()
    cases = 12 * kills if workflow == "direct" else 3 * kills
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        planted = planted_corpus.write_corpus(folder, cases)
        words = {line["title"]: line["word"].removeprefix("zorb") for line in planted["cases"]}
        with Endpoint(program, folder / "alone", script={"latency_ms": LATENCY_MS}) as endpoint:
            subprocess.run(command(fiducial, folder, endpoint, folder / "run_alone", workflow), check=True, capture_output=True)
            alone = {line["sha256"] for line in endpoint.requests()}
            checks.equal(len(endpoint.requests()), len(alone), "a run that is left alone repeats no call")
        before_kills = []  # calls and journalled cases at every kill
        with Endpoint(program, folder / "killed", script={"latency_ms": LATENCY_MS, "rules": RULES}, bodies=True) as endpoint:
            run = command(fiducial, folder, endpoint, folder / "run_killed", workflow)
            for _ in range(kills):
                process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                status = kill_at_random(process, endpoint, chance, most_calls=16)
                checks.that(status in (-9, 0), f"a killed run ends by the signal, not with status {status}")
                known = {words[entry["item"]] for entry in replies(folder / "run_killed")}
                before_kills.append((len(endpoint.requests()), known))
            ended = subprocess.run(run, capture_output=True, text=True)
            checks.equal(ended.returncode, 0, f"the last run ends well: {ended.stderr[-600:]}")
            lines = endpoint.requests()
            calls = [case_of(endpoint, line) for line in lines]
            faults = [line["do"] != "reply" for line in lines]
        earlier = 0
        for calls_before, known in before_kills if workflow == "direct" else []:  # one reply a case
            again = known & set(calls[calls_before:])
            checks.that(not again, f"asked again after a kill although journalled: {sorted(again)[:5]}")
            since = slice(earlier, calls_before)
            lost = {case for case, fault in zip(calls[since], faults[since]) if not fault} - known
            checks.that(len(lost) <= IN_FLIGHT, f"a kill lost {len(lost)} replies: {sorted(lost)[:5]}")
            earlier = calls_before
        kept = [entry["request"] for entry in replies(folder / "run_killed")]
        checks.equal(len(kept), len(set(kept)), "no request has two replies in the journal")
        answered = [line["sha256"] for line in lines if line["do"] == "reply"]
        checks.equal(set(answered), alone, "the same questions as in a run that is left alone")
        repeats = len(answered) - len(set(answered))
        checks.that(repeats <= kills * IN_FLIGHT, f"{repeats} calls were repeated by {kills} kills")
        checks.equal((folder / "run_killed" / "predictions.jsonl").read_bytes(),
                     (folder / "run_alone" / "predictions.jsonl").read_bytes(), "predictions after kills")
        print(f"{kills} kills, {len(calls)} calls for {len(alone)} questions, {repeats} repeated")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
