#!/usr/bin/env python3
"""Kills `fiducial run` with signal 9 at random moments and starts it again. In the end its files have the bytes of a run
that was left alone, nothing that was journalled when a kill came was asked for again, and a kill repeats no more calls than
there were in flight.

With the workflow twi steps wait for one another: a lost reply of one must not change another case. A judge is asked several
times about a case, in both orders.

usage: chaos.py FIDUCIAL SCRIPTED_ENDPOINT [KILLS [WORKFLOW]]
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from scripted import Checks, Endpoint
import planted_corpus

IN_FLIGHT = 8
LATENCY_MS = 15
# Some requests are answered on a later attempt only: retries must survive a kill, too. No request meets a fault twice, so that
# none runs out of its six attempts by chance.
FAULTS = [{"every": 11, "do": "status", "status": 500}, {"every": 13, "do": "reset"}, {"every": 17, "do": "malformed"},
          {"every": 19, "do": "wrong_length"}]
RULES = [{**fault, "times": 1, "each": True} for fault in FAULTS]
# Cases for so many kills, what is said beside, and what comes out.
WORKFLOWS = {"direct": (12, [], ["predictions.jsonl"]),
             "twi": (3, [], ["predictions.jsonl"]),
             "judge": (4, ["--predictions", "reasoning.jsonl", "--samples", "2", "--seed", "1"], ["verdicts.jsonl", "probes.jsonl"])}


def command(fiducial, folder, endpoint, output, workflow, concurrency=IN_FLIGHT):
    return [fiducial, "run", "data", "--workflow", workflow, "--model", "stand-in", "--endpoint", endpoint.url(),
            "--concurrency", str(concurrency), *WORKFLOWS[workflow][1], "-o", output]


def replies(output):
    """Hashes of the requests whose replies stand whole in the journal, in its order."""
    path = output / "journal.jsonl"
    found = []
    for line in path.read_bytes().split(b"\n")[:-1] if path.exists() else []:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("reply") is not None:
            found.append(entry["request"])
    return found


def left_alone(checks, tools, folder, workflow):
    """A run that nothing disturbs, one call at a time: what it gives, and the body of every request by its hash."""
    fiducial, program = tools
    with Endpoint(program, folder / "alone") as endpoint:
        subprocess.run(command(fiducial, folder, endpoint, "run_alone", workflow, 1), cwd=folder, check=True, capture_output=True)
        bodies = [line["sha256"] for line in endpoint.requests()]
    requests = replies(folder / "run_alone")
    checks.equal(len(set(bodies)), len(bodies), "a run that is left alone repeats no call")
    checks.equal(len(requests), len(bodies), "and journals every reply")
    return dict(zip(requests, bodies))


def kill_at_random(process, endpoint, chance, most_calls):
    """Kills a run after a few more calls, and a little later."""
    calls = len(endpoint.requests()) + chance.randrange(most_calls)
    while process.poll() is None and len(endpoint.requests()) < calls:
        time.sleep(0.001)
    time.sleep(chance.uniform(0, 2 * LATENCY_MS / 1000))
    process.kill()
    return process.wait()


def check_kills(checks, lines, before_kills):
    """What every kill cost: nothing that was journalled, and of the rest no more than was in flight."""
    earlier = 0
    for calls, known in before_kills:
        again = known & {line["sha256"] for line in lines[calls:]}
        checks.that(not again, f"asked again after a kill although journalled: {sorted(again)[:5]}")
        lost = {line["sha256"] for line in lines[earlier:calls] if line["do"] == "reply"} - known
        checks.that(len(lost) <= IN_FLIGHT, f"a kill lost {len(lost)} replies: {sorted(lost)[:5]}")
        earlier = calls
    answered = [line["sha256"] for line in lines if line["do"] == "reply"]
    repeats = len(answered) - len(set(answered))
    checks.that(repeats <= len(before_kills) * IN_FLIGHT, f"{repeats} calls were repeated by {len(before_kills)} kills")
    return answered, repeats


def main():
    tools = fiducial, program = [str(pathlib.Path(word).resolve()) for word in sys.argv[1:3]]
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    workflow = sys.argv[4] if len(sys.argv) > 4 else "direct"
    chance = random.Random(7)
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        planted = planted_corpus.write_corpus(folder, WORKFLOWS[workflow][0] * kills)
        reasoning = [{"title": line["title"], "prediction": "A", "prediction_rationale": "The wall is thick. The fat is grey."}
                     for line in planted["cases"]]
        (folder / "reasoning.jsonl").write_text("".join(json.dumps(line) + "\n" for line in reasoning))
        body_of = left_alone(checks, tools, folder, workflow)
        before_kills = []  # calls, and bodies of journalled replies, at every kill
        with Endpoint(program, folder / "killed", script={"latency_ms": LATENCY_MS, "rules": RULES}) as endpoint:
            run = command(fiducial, folder, endpoint, "run_killed", workflow)
            for _ in range(kills):
                process = subprocess.Popen(run, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                status = kill_at_random(process, endpoint, chance, most_calls=16)
                checks.that(status in (-9, 0), f"a killed run ends by the signal, not with status {status}")
                known = {body_of[request] for request in replies(folder / "run_killed")}
                before_kills.append((len(endpoint.drained()), known))
            ended = subprocess.run(run, cwd=folder, capture_output=True, text=True)
            checks.equal(ended.returncode, 0, f"the last run ends well: {ended.stderr[-600:]}")
            lines = endpoint.requests()
        answered, repeats = check_kills(checks, lines, before_kills)
        kept = replies(folder / "run_killed")
        checks.equal(len(kept), len(set(kept)), "no request has two replies in the journal")
        checks.equal(set(answered), set(body_of.values()), "the same questions as in a run that is left alone")
        for file in WORKFLOWS[workflow][2]:
            checks.equal((folder / "run_killed" / file).read_bytes(), (folder / "run_alone" / file).read_bytes(), f"{file} after kills")
        unfinished = sum(len(known) < len(body_of) for _, known in before_kills)
        checks.that(2 * unfinished >= kills, f"only {unfinished} of {kills} kills came before the end")
        print(f"{workflow}: {kills} kills, {len(lines)} calls for {len(body_of)} questions, {repeats} repeated")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
