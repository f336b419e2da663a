#!/usr/bin/env python3
"""`fiducial run --batch` with the batch endpoints of three vendors: bodies of their own types, one batch a wave, replies in the
journal, half the price; and kills while a batch is handed in, waited for and taken, after which none is handed in twice.

usage: run_batches.py FIDUCIAL
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import threading

from scripted import Checks
import planted_corpus

try:
    from batch_endpoint import Batches, serve
except ImportError as absent:
    print(f"skipped: {absent}; requirements/test.txt has the packages")
    sys.exit(77)

CASES = 6
BASES = {"openai": "/v1", "responses": "/v1", "anthropic": "/v1", "gemini": "/v1beta"}
BAD_USAGE, REMOTE = 2, 7


class Bench:
    def __init__(self, fiducial, folder):
        self.fiducial, self.folder = fiducial, folder
        planted_corpus.write_corpus(folder, CASES)
        (folder / "prices.json").write_text(json.dumps({"models": {"stand-in": {"input": 1, "output": 10}}}))

    def command(self, name, vendor, port, *words):
        return [self.fiducial, "run", self.folder / "data", "--vendor", vendor, "--model", "stand-in", "--batch", "--batch-poll-s", "1",
                "--endpoint", f"http://127.0.0.1:{port}{BASES[vendor]}", "--prices", self.folder / "prices.json", "-o", self.folder / name, *words]

    def run(self, name, vendor, batches, *words):
        server, port = serve(batches)
        ended = subprocess.run(self.command(name, vendor, port, *words), capture_output=True, text=True, timeout=120)
        server.shutdown()
        return ended

    def killed(self, name, vendor, batches, moment):
        """Runs until a moment of the endpoint, kills the run there, and starts it again."""
        server, port = serve(batches)
        reached = threading.Event()
        process = subprocess.Popen(self.command(name, vendor, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def kill():
            if not reached.is_set():
                process.kill()
                process.wait()
                reached.set()

        if moment == "polled":
            while batches.asks == 0 and process.poll() is None:
                threading.Event().wait(0.01)
            kill()
        else:
            setattr(batches, moment, kill)
            reached.wait(60)
        ended = subprocess.run(self.command(name, vendor, port), capture_output=True, text=True, timeout=120)
        server.shutdown()
        return ended

    def text(self, name, file="predictions.jsonl"):
        path = self.folder / name / file
        return path.read_text() if path.exists() else ""

    def manifest(self, name):
        return json.loads(self.text(name, "manifest.json"))


def asks_in_batches(bench, checks, vendor):
    batches = Batches()
    name = f"{vendor}_plain"
    ended = bench.run(name, vendor, batches)
    checks.equal((ended.returncode, batches.creates), (0, 1), f"{name}: {ended.stderr[-400:]}")
    checks.equal(batches.problems, [], f"{name}: bodies are of the vendor's types")
    rows = [json.loads(line) for line in bench.text(name).splitlines()]
    checks.equal([len(rows), {row["prediction"] in list("ABCDE") for row in rows}], [CASES, {True}], f"{name}: predictions")
    checks.that(abs(bench.manifest(name)["cost"]["total"] - 0.5 * CASES * (100 + 10 * 10) / 1e6) < 1e-12, f"{name}: half the price: {bench.manifest(name)['cost']}")
    status = subprocess.run([bench.fiducial, "status", bench.folder / name], capture_output=True, text=True).stdout
    checks.that(f"{CASES} requests" in status and "ended" in status, f"{name}: status shows the batch: {status}")
    again = Batches()
    ended = bench.run(name, vendor, again)
    checks.equal((ended.returncode, again.creates), (0, 0), f"{name}: a finished run hands in nothing")


def survives_kills(bench, checks, vendor):
    for moment in ("on_create", "polled", "on_results"):
        batches, name = Batches(), f"{vendor}_{moment}"
        ended = bench.killed(name, vendor, batches, moment)
        checks.equal((ended.returncode, batches.creates), (0, 1), f"{name}: one batch, in spite of a kill: {ended.stderr[-400:]}")
        checks.equal(bench.text(name), bench.text(f"{vendor}_plain"), f"{name}: predictions as without a kill")
        asked = [json.loads(line)["request"] for line in bench.text(name, "journal.jsonl").splitlines() if '"reply"' in line]
        checks.equal((len(asked), len(set(asked))), (CASES, CASES), f"{name}: each reply once")
        checks.equal(batches.lists, 1 if moment == "on_create" else 0, f"{name}: a lost batch is looked for")


def tries_again_what_failed(bench, checks, vendor):
    first = ["error", "overflow"] if vendor == "gemini" else ["error", "expired", "overflow"]
    batches, name = Batches(first), f"{vendor}_failing"
    ended = bench.run(name, vendor, batches, "--max-failures", "100%")
    checks.equal((ended.returncode, batches.creates), (0, 2), f"{name}: what failed goes with a second batch: {ended.stderr[-400:]}")
    checks.equal(bench.manifest(name)["failed_as"], {"overflow": 1}, f"{name}: overflow is an item's status")
    checks.equal(len(bench.text(name).splitlines()), CASES - 1, f"{name}: the others have answers")


def keeps_what_stands_behind_a_stop(bench, checks):
    """A result that stops the run does not cost the replies of its batch."""
    batches = Batches(["quota"])
    ended = bench.run("stopped", "openai", batches)
    checks.equal((ended.returncode, batches.creates), (REMOTE, 1), f"an account that is empty: {ended.stderr[-400:]}")
    answered = [line for line in bench.text("stopped", "journal.jsonl").splitlines() if '"reply"' in line]
    checks.equal(len(answered), CASES - 1, "the other replies are kept")
    again = Batches()
    ended = bench.run("stopped", "openai", again)
    checks.equal((ended.returncode, again.creates, sum(len(each["requests"]) for each in again.batches.values())), (0, 1, 1),
                 f"one question goes with the next batch: {ended.stderr[-400:]}")


def tells_what_was_dropped(bench, checks):
    """Replies without a parameter say so, also where the run was killed while the batch was handed in."""
    batches, words = Batches(["refused"] * CASES), ("--effort", "high", "--allow-drop", "effort")
    server, port = serve(batches)
    command = bench.command("dropped", "openai", port, *words)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill_at_second():
        if batches.creates == 2:
            process.kill()
            process.wait()

    batches.on_create = kill_at_second
    process.wait(60)
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    server.shutdown()
    checks.equal((ended.returncode, batches.creates), (0, 2), f"a second batch goes without it: {ended.stderr[-400:]}")
    dropped = [json.loads(line).get("dropped") for line in bench.text("dropped", "journal.jsonl").splitlines() if '"reply"' in line]
    checks.equal(dropped, [["effort"]] * CASES, "every reply says what it lacks")
    checks.equal(bench.manifest("dropped")["effort"]["replies_without"], CASES, "and the manifest counts them")


def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(name))
        for vendor in BASES:
            for part in (asks_in_batches, survives_kills, tries_again_what_failed):
                part(bench, checks, vendor)
        keeps_what_stands_behind_a_stop(bench, checks)
        tells_what_was_dropped(bench, checks)
        steps = Batches()
        ended = bench.run("steps", "openai", steps, "--workflow", "twi")
        checks.equal((ended.returncode, steps.creates, steps.problems), (0, 3, []), f"three steps are three batches: {ended.stderr[-400:]}")
        dear = Batches()
        ended = bench.run("dear", "anthropic", dear, "--max-tokens", "100", "--max-cost", "0.0001")
        checks.equal((ended.returncode, dear.creates), (4, 0), f"what may cost too much is not handed in: {ended.stderr[-400:]}")
        server, port = serve(Batches())
        words = [str(word) for word in bench.command("none", "openai", port)]
        ended = subprocess.run([*words, "--vendor", "compatible"], capture_output=True, text=True)
        checks.equal(ended.returncode, BAD_USAGE, f"servers without batches: {ended.stderr[-300:]}")
        server.shutdown()
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
