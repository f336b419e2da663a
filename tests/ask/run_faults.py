#!/usr/bin/env python3
"""`fiducial run` against an endpoint that misbehaves: faults that pass are outlasted, faults that do not end the run with
the documented status and a reason, no key is ever written, and what was paid for is kept.

usage: run_faults.py FIDUCIAL SCRIPTED_ENDPOINT
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from scripted import Checks, Endpoint, certificate
import planted_corpus

CASES = 12
BAD_USAGE, INVALID, UNFINISHED, INTEGRITY, REFUSED, REMOTE, STOPPED = 2, 3, 4, 5, 6, 7, 75
KEY = "sk-planted-0123456789"


class Bench:
    """Runs commands over one corpus, each into a folder of its own."""

    def __init__(self, fiducial, program, folder, checks):
        self.fiducial, self.program, self.folder, self.checks = fiducial, program, folder, checks
        planted_corpus.write_corpus(folder, CASES)
        self.data = folder / "data"

    def command(self, name, url, *words):
        return [self.fiducial, "run", self.data, "--model", "stand-in", "--endpoint", url, "-o", self.folder / name, *words]

    def run(self, name, url, *words, environment=None):
        return subprocess.run(self.command(name, url, *words), capture_output=True, text=True,
                              env={**os.environ, **(environment or {})})

    def with_script(self, name, script, *words, tls=None, environment=None, base="/v1"):
        """Runs against a script; returns how it ended and what the endpoint saw."""
        with Endpoint(self.program, self.folder / "endpoints" / name, script=script, tls=tls) as endpoint:
            ended = self.run(name, endpoint.url(base), *words, environment=environment)
            return ended, endpoint.requests()

    def predictions(self, name):
        path = self.folder / name / "predictions.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def passing(kind, **settings):
    return {"rules": [{"contains": "zorb", "times": 1, "each": True, "do": kind, **settings}]}


def letters(bench, name):
    return [row.get("prediction") for row in bench.predictions(name)]


def outlasts_what_passes(bench, checks):
    plain, calls = bench.with_script("plain", {})
    checks.equal((plain.returncode, len(calls)), (0, CASES), f"a plain run: {plain.stderr[-300:]}")
    expected = bench.predictions("plain")
    checks.equal(len(expected), CASES, "predictions of a plain run")
    faults = {"throttled": passing("status", status=429, retry_after=0), "dated": passing("status", status=429, retry_after_date=1),
              "failing": passing("status", status=500), "busy": passing("status", status=503), "page": passing("status", status=502, html=True),
              "overloaded": passing("status", status=529), "reset": passing("reset"), "short": passing("wrong_length"),
              "malformed": passing("malformed"), "drip": passing("drip", every_ms=1, bytes=20), "no_usage": passing("reply", usage=False)}
    for name, script in faults.items():
        ended, calls = bench.with_script(name, script, "--concurrency", "4")
        checks.equal(ended.returncode, 0, f"{name} is outlasted: {ended.stderr[-300:]}")
        checks.equal(letters(bench, name), letters(bench, "plain"), f"{name}: predictions as without faults")
        checks.equal(len(calls), CASES * (1 if name in ("drip", "no_usage") else 2), f"{name}: calls")
    for name, script in {"hang": passing("hang"), "stall": passing("stall")}.items():
        ended, calls = bench.with_script(name, script, "--timeout-s", "1", "--concurrency", "12")
        checks.equal(ended.returncode, 0, f"{name} is outlasted: {ended.stderr[-300:]}")
        checks.that(bench.predictions(name) == expected, f"{name}: predictions as without faults")


def reads_odd_replies(bench, checks):
    ended, calls = bench.with_script("fenced", {"default": {"do": "reply", "fenced": True}})
    checks.equal((ended.returncode, len(calls)), (0, CASES), f"fenced replies: {ended.stderr[-300:]}")
    checks.equal(letters(bench, "fenced"), letters(bench, "plain"), "fenced answers are read")
    for name, step in {"refusal": {"do": "refusal"}, "thinking": {"do": "reply", "unclosed_think": True}, "empty": {"do": "reply", "null_text": True},
                       "length": {"do": "reply", "finish": "length", "text": "{\"answer\": "}, "latin": {"do": "invalid_utf8"}}.items():
        ended, calls = bench.with_script(name, {"default": step}, "--max-failures", "100%")
        checks.that(ended.returncode in (0, 1), f"{name} ends as a run: {ended.returncode} {ended.stderr[-300:]}")
        answers = letters(bench, name)
        checks.that(len(calls) <= 6 * CASES, f"{name}: {len(calls)} calls are bounded")
        if name != "latin":
            checks.that(not any(answer in list("ABCDE") for answer in answers), f"{name} is never read as an answer: {answers[:3]}")


def stops_at_what_does_not_pass(bench, checks):
    lasting = {"unknown_model": {"do": "unknown_model"}, "bad_key": {"do": "bad_key"}, "quota": {"do": "quota"},
               "parameter": {"do": "bad_parameter", "parameter": "reasoning_effort"}}
    for name, step in lasting.items():
        ended, calls = bench.with_script(name, {"default": step}, "--effort", "high", "--concurrency", "2")
        checks.equal(ended.returncode, REMOTE, f"{name} stops the run: {ended.stderr[-300:]}")
        checks.that(len(calls) <= 6, f"{name}: {len(calls)} calls")
        checks.that(ended.stderr.strip(), f"{name} has a reason")
    ended, calls = bench.with_script("dropped", {"default": lasting["parameter"]}, "--effort", "high", "--allow-drop", "effort")
    checks.equal(ended.returncode, 0, f"a parameter that may be dropped: {ended.stderr[-300:]}")
    checks.that("effort" in (bench.folder / "dropped" / "manifest.json").read_text(), "a dropped parameter is in the manifest")
    ended, _ = bench.with_script("half", {"rules": [{"index": k, "do": "quota"} for k in range(5, 400)]}, "--concurrency", "1")
    checks.equal(ended.returncode, REMOTE, f"quota gone half way: {ended.stderr[-300:]}")
    ended, calls = bench.with_script("half", {}, "--concurrency", "1")
    checks.equal((ended.returncode, len(calls)), (0, CASES - 5), f"what was paid for is kept: {ended.stderr[-300:]}")
    checks.that(bench.predictions("half") == bench.predictions("plain"), "predictions after the quota came back")
    ended, calls = bench.with_script("huge", {"default": {"do": "huge", "bytes": 3 << 20}}, "--max-reply-mib", "1", "--max-failures", "0")
    checks.that(ended.returncode in (1, REMOTE), f"a reply over the cap: {ended.returncode} {ended.stderr[-300:]}")


def tells_overflow_apart(bench, checks):
    script = {"rules": [{"contains": "zorb70003", "do": "context_length"},
                        {"contains": "zorb70005", "do": "status", "status": 400, "message": "At most 2 image(s) may be provided in one prompt."}]}
    ended, calls = bench.with_script("overflow", script, "--max-failures", "100%")
    checks.equal((ended.returncode, len(calls)), (0, CASES), f"what overflows is asked once: {ended.stderr[-300:]}")
    lines = [json.loads(line) for line in (bench.folder / "overflow" / "errors.jsonl").read_text().splitlines()]
    checks.equal([line["status"] for line in lines], ["overflow"] * 2, "overflow is a status of its own")
    manifest = json.loads((bench.folder / "overflow" / "manifest.json").read_text())
    checks.equal((manifest["items"]["overflow"], manifest["failed_as"]), (2, {"overflow": 2}), "and is counted apart")
    checks.that("2 of them by overflow" in ended.stdout, f"and told: {ended.stdout}")


def recovers_letters(bench, checks):
    unread = {"contains": "zorb70003", "times": 2, "do": "reply", "text": "It is hard to say."}
    for name, step in {"prose": unread, "cut": {**unread, "times": 1, "finish": "length", "text": "<think>The wall"}}.items():
        letter = {"contains": "has no answer that can be read", "do": "reply", "text": "B"}
        ended, calls = bench.with_script(f"recovered_{name}", {"rules": [letter, step]}, "--recovery")
        checks.equal(ended.returncode, 0, f"an unreadable answer is recovered: {ended.stderr[-300:]}")
        rows = [row for row in bench.predictions(f"recovered_{name}") if row["reply_form"] == "recovered"]
        checks.equal([(row["prediction"], row["prediction_rationale"]) for row in rows], [("B", step["text"])], "the letter and what was said before")
        manifest = json.loads((bench.folder / f"recovered_{name}" / "manifest.json").read_text())
        checks.equal((manifest["items"]["recovered"], manifest["plan"]["recovery"]), (1, True), "it is counted and part of the plan")
        journal = (bench.folder / f"recovered_{name}" / "journal.jsonl").read_text()
        checks.equal(journal.count('"step":"recovery"'), 1, "the turn has its own line")
    ended, _ = bench.with_script("recovered_judge", {}, "--recovery", "--workflow", "meld")
    checks.equal(ended.returncode, BAD_USAGE, "a workflow without a letter has nothing to recover")


def takes_profiles(bench, checks):
    ended, _ = bench.with_script("profile", {}, "--profile", "vllm", "--temperature", "0")
    checks.equal(ended.returncode, 0, f"a profile: {ended.stderr[-300:]}")
    plan = json.loads((bench.folder / "profile" / "manifest.json").read_text())["plan"]
    checks.equal(plan["parameters"], {"temperature": 0.0, "top_p": 0.95, "max_tokens": 8192}, "a profile and what is given beside it")
    checks.equal((plan["profile"]["name"], len(plan["profile"]["sha256"])), ("vllm", 64), "it is part of the plan")
    ended, calls = bench.with_script("no_profile", {}, "--profile", "vlm")
    checks.that(ended.returncode == BAD_USAGE and not calls and "vllm" in ended.stderr, f"a profile that is not there: {ended.stderr[-200:]}")


def tells_the_commit_of_prompts(bench, checks):
    checkout = bench.folder / "checkout"
    (checkout / ".git" / "refs" / "heads").mkdir(parents=True)
    (checkout / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (checkout / ".git" / "refs" / "heads" / "main").write_text("c" * 40 + "\n")
    (checkout / "prompts").mkdir()
    (checkout / "prompts" / "direct.txt").write_text("[user]\n{{history}} {{options}}\n")
    ended, _ = bench.with_script("upstream", {}, "--prompts", f"upstream={checkout / 'prompts'}")
    checks.equal(ended.returncode, 0, f"prompts of a checkout: {ended.stderr[-300:]}")
    plan = json.loads((bench.folder / "upstream" / "manifest.json").read_text())["plan"]
    checks.equal((plan["upstream"]["commit"], len(plan["upstream"]["sha256"])), ("c" * 40, 64), "their commit and hash")


def knows_every_vendors_errors(bench, checks):
    for vendor in ("openai", "responses", "anthropic", "gemini"):
        def run(name, script, *words):
            base = "/v1beta" if vendor == "gemini" else "/v1"
            return bench.with_script(f"{vendor}_{name}", script, "--vendor", vendor, "--concurrency", "2", *words, base=base)
        ended, calls = run("throttled", passing("status", status=429, retry_after=0))
        checks.equal((ended.returncode, len(calls)), (0, 2 * CASES), f"{vendor} throttles: {ended.stderr[-300:]}")
        checks.equal(letters(bench, f"{vendor}_throttled"), letters(bench, "plain"), f"{vendor}: predictions after that")
        ended, calls = run("busy", passing("status", status=529 if vendor == "anthropic" else 503))
        checks.equal((ended.returncode, len(calls)), (0, 2 * CASES), f"{vendor} is busy: {ended.stderr[-300:]}")
        # Gemini says the same of a rate that was exceeded and of an account that is empty.
        for kind in ("unknown_model", "bad_key") + (() if vendor == "gemini" else ("quota",)):
            ended, calls = run(kind, {"default": {"do": kind}})
            checks.that(ended.returncode == REMOTE and len(calls) <= 6, f"{vendor}, {kind}: {ended.returncode}, {len(calls)} calls, {ended.stderr[-300:]}")
        for name, step in {"refusal": {"do": "refusal"}, "filtered": {"do": "reply", "finish": "content_filter"}}.items():
            ended, _ = run(name, {"default": step}, "--max-failures", "100%")
            answers = letters(bench, f"{vendor}_{name}")
            checks.that(name != "refusal" or not any(answer in list("ABCDE") for answer in answers), f"{vendor}, {name}: {answers[:3]}")
            checks.that(ended.returncode in (0, 1), f"{vendor}, {name}: {ended.returncode} {ended.stderr[-300:]}")


def keeps_keys_and_hosts(bench, checks):
    ended, calls = bench.with_script("keyed", {}, "--key-env", "PLANTED_KEY", environment={"PLANTED_KEY": KEY})
    checks.equal(ended.returncode, 0, f"a key by its variable: {ended.stderr[-300:]}")
    checks.that(all(line["key"] for line in calls), "the key is sent")
    failed, _ = bench.with_script("keyed_bad", {"default": {"do": "bad_key"}}, "--key-env", "PLANTED_KEY", environment={"PLANTED_KEY": KEY})
    written = b"".join(path.read_bytes() for name in ("keyed", "keyed_bad") for path in (bench.folder / name).rglob("*") if path.is_file())
    checks.that(KEY.encode() not in written and KEY not in ended.stdout + ended.stderr + failed.stdout + failed.stderr, "the key is nowhere")
    missing = bench.run("missing", "http://127.0.0.1:1/v1", "--key-env", "PLANTED_NONE")
    checks.that(missing.returncode in (BAD_USAGE, REFUSED, 8), f"no key: {missing.returncode} {missing.stderr[-200:]}")
    remote = bench.run("remote", "https://models.example/v1", "--key-env", "PLANTED_KEY")
    checks.equal(remote.returncode, REFUSED, f"another host needs leave: {remote.stderr[-200:]}")
    nobody = bench.run("nobody", "http://127.0.0.1:1/v1")
    checks.equal(nobody.returncode, REMOTE, f"nobody listens: {nobody.stderr[-200:]}")


def trusts_certificates_it_was_given(bench, checks):
    pair = certificate(bench.folder / "tls")
    ended, _ = bench.with_script("tls_trusted", {}, "--ca-file", pair[0], tls=pair)
    checks.equal(ended.returncode, 0, f"TLS with its certificate: {ended.stderr[-300:]}")
    ended, calls = bench.with_script("tls_unknown", {}, tls=pair)
    checks.equal((ended.returncode, len(calls)), (REMOTE, 0), f"a certificate nobody knows: {ended.stderr[-300:]}")
    kinds = ["reset", "wrong_length", "malformed", "status", "drip"]
    script = {"rules": [{"contains": f"zorb{70001 + k}", "times": 1, "each": True, "do": kind, **({"every_ms": 1, "bytes": 50} if kind == "drip" else {})}
                        for k, kind in enumerate(kinds)]}
    ended, calls = bench.with_script("tls_faults", script, "--ca-file", pair[0], tls=pair)
    checks.equal((ended.returncode, len(calls)), (0, CASES + 4), f"faults inside of TLS are outlasted: {ended.stderr[-300:]}")
    checks.equal(letters(bench, "tls_faults"), letters(bench, "plain"), "predictions after faults inside of TLS")
    with Endpoint(bench.program, bench.folder / "endpoints" / "no_tls") as endpoint:
        ended = bench.run("no_tls", endpoint.url().replace("http:", "https:"), "--attempts", "2")
        checks.that(ended.returncode == REMOTE and "does not speak https" in ended.stderr, f"a server without TLS: {ended.stderr[-300:]}")
    other = certificate(bench.folder / "tls_other", "elsewhere.example")
    ended, calls = bench.with_script("tls_other_name", {}, "--ca-file", other[0], tls=other)
    checks.equal((ended.returncode, len(calls)), (REMOTE, 0), f"a certificate for another host: {ended.stderr[-300:]}")


def guards_its_journal(bench, checks):
    journal = "journal.jsonl"
    def copy(name):
        shutil.copytree(bench.folder / "plain", bench.folder / name)
        return bench.folder / name / journal
    torn = copy("torn")
    torn.write_bytes(torn.read_bytes()[:-20])
    ended, calls = bench.with_script("torn", {})
    checks.equal((ended.returncode, len(calls)), (0, 1), f"a torn last line is asked again: {ended.stderr[-300:]}")
    flipped = copy("flipped")
    bytes_of = bytearray(flipped.read_bytes())
    bytes_of[len(bytes_of) // 2] ^= 1
    flipped.write_bytes(bytes_of)
    ended, calls = bench.with_script("flipped", {})
    checks.equal((ended.returncode, len(calls)), (INTEGRITY, 0), f"a flipped bit: {ended.stderr[-300:]}")
    foreign = copy("foreign")
    ended = bench.run("foreign", "http://127.0.0.1:1/v1", "--effort", "high")
    checks.that(ended.returncode in (BAD_USAGE, INVALID, REFUSED), f"another run's folder: {ended.returncode} {ended.stderr[-300:]}")
    foreign.write_text("not a journal\n")
    ended = bench.run("foreign", "http://127.0.0.1:1/v1")
    checks.that(ended.returncode in (INVALID, INTEGRITY, REFUSED), f"no journal at all: {ended.returncode} {ended.stderr[-300:]}")


def refuses_bad_inputs(bench, checks):
    prompts = bench.folder / "prompts"
    prompts.mkdir()
    (prompts / "direct.txt").write_text("[user]\n{{history}} {{discussion}} {{options}}\n")
    ended, calls = bench.with_script("prompt", {}, "--prompts", prompts)
    checks.that(ended.returncode in (BAD_USAGE, INVALID) and not calls, f"an unknown variable: {ended.returncode} {ended.stderr[-300:]}")
    checks.that("discussion" in ended.stderr, "the variable is named")
    picture = next((bench.data / "images").rglob("*.jpg"))
    kept = picture.read_bytes()
    picture.write_bytes(b"no picture")
    ended, calls = bench.with_script("picture", {}, "--max-failures", "100%")
    checks.equal(len(calls), CASES - 1, f"an undecodable image is never sent, nor its case: {ended.stderr[-300:]}")
    picture.write_bytes(kept)


def asks_no_more_than_it_must(bench, checks):
    ended, calls = bench.with_script("dry", {}, "--dry-run")
    checks.equal((ended.returncode, len(calls)), (0, 0), f"a dry run sends nothing: {ended.stderr[-300:]}")
    checks.that(not (bench.folder / "dry").exists(), "and leaves nothing")
    ended, calls = bench.with_script("plain", {})
    checks.equal((ended.returncode, len(calls)), (0, 0), f"a finished run asks nothing: {ended.stderr[-300:]}")
    ended, calls = bench.with_script("replayed", {}, "--replay", bench.folder / "plain" / "journal.jsonl")
    checks.equal((ended.returncode, len(calls)), (0, 0), f"a replay asks nothing: {ended.stderr[-300:]}")
    checks.that(bench.predictions("replayed") == bench.predictions("plain"), "a replay gives the predictions of its run")
    with Endpoint(bench.program, bench.folder / "endpoints" / "both", script={"latency_ms": 200}) as endpoint:
        first = subprocess.Popen(bench.command("both", endpoint.url(), "--concurrency", "1"), stdout=subprocess.DEVNULL)
        while not endpoint.requests():
            time.sleep(0.01)
        second = bench.run("both", endpoint.url())
        checks.equal((second.returncode, first.wait()), (REFUSED, 0), f"two runs into one folder: {second.stderr[-200:]}")
        checks.equal(len(endpoint.requests()), CASES, "two runs into one folder: calls")


def stops_before_it_costs_too_much(bench, checks):
    prices = bench.folder / "prices.json"
    prices.write_text(json.dumps({"currency": "USD", "models": {"stand-in": {"input": 1, "cached": 1, "output": 10}}}))
    words = ["--prices", prices, "--max-tokens", "100", "--concurrency", "2"]
    free, _ = bench.with_script("priced", {}, *words)
    checks.equal(free.returncode, 0, f"a run with prices: {free.stderr[-300:]}")
    whole = json.loads((bench.folder / "priced" / "manifest.json").read_text())["cost"]["total"]
    for name, share in {"half": 0.5, "none": 0.0}.items():
        ended, calls = bench.with_script(f"cost_{name}", {}, *words, "--max-cost", str(whole * share))
        checks.equal(ended.returncode, UNFINISHED, f"{name} of the cost is allowed: {ended.stderr[-300:]}")
        manifest = json.loads((bench.folder / f"cost_{name}" / "manifest.json").read_text())
        checks.that(manifest["cost"]["total"] <= whole * share, f"{name} of the cost: {manifest['cost']} of {whole}")
        checks.that(len(calls) < CASES, f"{name} of the cost: {len(calls)} calls")
    ended, calls = bench.with_script("cost_half", {}, *words)
    checks.equal(ended.returncode, 0, f"goes on when more is allowed: {ended.stderr[-300:]}")
    checks.that(letters(bench, "cost_half") == letters(bench, "plain"), "predictions of both parts")


def counts_what_nobody_counts(bench, checks):
    """Where no tokens are told, or a paid reply cannot be read, the estimate is spent, also by the commands before."""
    prices = bench.folder / "uncounted.json"
    prices.write_text(json.dumps({"models": {"stand-in": {"input": 0, "output": 10}}}))
    words = ["--prices", prices, "--max-tokens", "1000", "--max-cost", "0.035", "--concurrency", "1"]
    for name, step in {"untold": {"do": "reply", "usage": False}, "unreadable": {"do": "malformed"}}.items():
        ends = [bench.with_script(name, {"default": step}, *words) for _ in range(2)]
        checks.equal([(ended.returncode, len(calls)) for ended, calls in ends], [(UNFINISHED, 3), (UNFINISHED, 0)],
                     f"{name}: three replies of at most 0.01 are all that 0.035 buys: {ends[-1][0].stderr[-300:]}")
        manifest = json.loads((bench.folder / name / "manifest.json").read_text())
        checks.that(abs(manifest["cost"]["total"] - 0.03) < 1e-9, f"{name}: the cost: {manifest['cost']}")
        checks.equal(manifest["calls"]["tokens_uncounted_at_most"]["completion"], 3000, f"{name}: tokens that nobody counted")


class Relay(threading.Thread):
    """A proxy to one port of this machine, whichever host is asked for."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.target, self.hosts = port, []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        self.start()

    def run(self):
        while True:
            try:
                client = self.server.accept()[0]
            except OSError:
                return
            head = b""
            while b"\r\n\r\n" not in head:
                head += client.recv(4096)
            self.hosts.append(head.split()[1].decode())
            target = socket.create_connection(("127.0.0.1", self.target))
            client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            for one, other in ((client, target), (target, client)):
                threading.Thread(target=self.pump, args=(one, other), daemon=True).start()

    @staticmethod
    def pump(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def lists_what_left(bench, checks):
    """A run that asked another host says so for good, with the images that went there and no others."""
    pair = certificate(bench.folder / "tls_remote", "models.example")
    with Endpoint(bench.program, bench.folder / "endpoints" / "remote_half", script={}, tls=pair) as endpoint:
        relay = Relay(endpoint.port)
        words = ["--ca-file", pair[0], "--allow-remote", "models.example", "--key-env", "PLANTED_KEY"]
        ended = bench.run("left", "https://models.example/v1", "--limit", "2", *words,
                          environment={"PLANTED_KEY": KEY, "HTTPS_PROXY": relay.url, "https_proxy": relay.url})
        sent = {image for line in endpoint.requests() for image in line["images"]}
        relay.server.close()
    checks.equal((ended.returncode, set(relay.hosts)), (0, {"models.example:443"}), f"another host is asked: {ended.stderr[-300:]}")
    told = lambda: json.loads((bench.folder / "left" / "manifest.json").read_text())["egress"]  # noqa: E731
    checks.equal({**told(), "images": None}, {"left_this_machine": True, "hosts": ["models.example"], "requests": 2, "images": None}, "what left")
    checks.equal(set(told()["images"]), sent, "the images that left")
    ended, calls = bench.with_script("left", {})
    checks.equal((ended.returncode, len(calls)), (0, CASES - 2), f"the rest is asked here: {ended.stderr[-300:]}")
    checks.that(told()["left_this_machine"] and sent <= set(told()["images"]), f"and what left before is still told: {told()}")
    ended, _ = bench.with_script("left_replayed", {}, "--replay", bench.folder / "left" / "journal.jsonl")
    replayed = json.loads((bench.folder / "left_replayed" / "manifest.json").read_text())["egress"]
    checks.equal((ended.returncode, replayed["hosts"]), (0, ["models.example"]), f"a replay tells it, too: {ended.stderr[-300:]}")
    stayed = json.loads((bench.folder / "plain" / "manifest.json").read_text())["egress"]
    checks.equal(stayed, {"left_this_machine": False, "hosts": [], "requests": 0, "images": []}, "nothing left for this machine")


def stops_when_asked(bench, checks):
    for name, signals in {"once": 1, "twice": 2}.items():
        with Endpoint(bench.program, bench.folder / "endpoints" / name, script={"latency_ms": 400}) as endpoint:
            process = subprocess.Popen(bench.command(name, endpoint.url(), "--concurrency", "2"), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
            while len(endpoint.requests()) < 3:
                time.sleep(0.01)
            for _ in range(signals):
                process.send_signal(signal.SIGINT)
                time.sleep(0.05)
            words = process.communicate()[1]
            expected = (STOPPED,) if signals == 1 else (STOPPED, 130, -signal.SIGINT)
            checks.that(process.returncode in expected, f"SIGINT {name}: {process.returncode} {words[-300:]}")
            before = len(endpoint.requests())
            ended = bench.run(name, endpoint.url())
            checks.equal(ended.returncode, 0, f"goes on after SIGINT {name}: {ended.stderr[-300:]}")
            most = CASES + (0 if signals == 1 else 2)
            checks.that(len(endpoint.requests()) <= most, f"SIGINT {name}: {before}, then {len(endpoint.requests())} calls in all")
        checks.that(bench.predictions(name) == bench.predictions("plain"), f"predictions after SIGINT {name}")


def stops_at_its_deadline(bench, checks):
    ended, calls = bench.with_script("late", {"latency_ms": 400}, "--concurrency", "1", "--deadline-s", "1")
    checks.that(ended.returncode == UNFINISHED and 1 <= len(calls) < CASES and "--deadline-s" in ended.stderr,
                f"a run whose time is over: {ended.returncode}, {len(calls)} calls, {ended.stderr[-300:]}")
    told = subprocess.run([bench.fiducial, "status", bench.folder / "late"], capture_output=True, text=True).stdout
    checks.that("stopped: the time of --deadline-s is over" in told, f"its status: {told}")
    again, rest = bench.with_script("late", {}, "--deadline-s", "1000")
    checks.equal((again.returncode, len(calls) + len(rest)), (0, CASES), f"the same command goes on: {again.stderr[-300:]}")


def main():
    fiducial, program = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(fiducial, program, pathlib.Path(name), checks)
        for part in (outlasts_what_passes, reads_odd_replies, stops_at_what_does_not_pass,
                     tells_overflow_apart, recovers_letters, takes_profiles, tells_the_commit_of_prompts, knows_every_vendors_errors, keeps_keys_and_hosts,
                     trusts_certificates_it_was_given, guards_its_journal, refuses_bad_inputs, asks_no_more_than_it_must,
                     stops_before_it_costs_too_much, counts_what_nobody_counts, lists_what_left, stops_at_its_deadline, stops_when_asked):
            part(bench, checks)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
