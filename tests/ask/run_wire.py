#!/usr/bin/env python3
"""`fiducial run` against replies that are odd as bytes: compressed, in chunks, torn, of HTTP/1.0, streamed, with errors under
status 200, wishes to wait in every form, and JSON that models wrap in words. Most faults stand in one run, a case each.

usage: run_wire.py FIDUCIAL SCRIPTED_ENDPOINT
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from scripted import Checks, Endpoint
import planted_corpus

REMOTE = 7
KEY = "sk-planted/0123456789"
ANSWER = json.dumps({"answer": "B", "explanation": "The wall is thick."})


def completion(text=ANSWER, **members):
    return json.dumps({"model": "wire", "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                       "usage": {"prompt_tokens": 100, "completion_tokens": 10, **members}}).encode()


def reply(body, *fields, status="200 OK", version="1.1", length=True):
    lines = [f"HTTP/{version} {status}", "Content-Type: application/json", *fields]
    lines += [f"Content-Length: {len(body)}"] if length is True else [f"Content-Length: {length}"] if length else []
    return "\r\n".join(lines + ["Connection: close", "", ""]).encode() + body


def chunks(body, end=b"0\r\n\r\n"):
    pieces = [body[at:at + 50] for at in range(0, len(body), 50)]
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    return head + b"".join(b"%x;note=1\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + end


def in_pieces(text):
    """A stream of replies that tears whatever is longer than seven letters."""
    parts = [text[at:at + 7] for at in range(0, len(text), 7)]
    events = [{"model": "wire", "choices": [{"index": 0, "delta": {"content": part}, "finish_reason": None}]} for part in parts]
    events.append({"model": "wire", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode() + b"data: [DONE]\n\n"


def error(message, status="500 Oops", fields=(), **members):
    return reply(json.dumps({"error": {"message": message, **members}}).encode(), *fields, status=status)


def throttled(*fields):
    return error("slow down", "429 Too Many Requests", fields)


def date(form):
    """Three seconds ahead, as a date: it has whole seconds only, and a run takes some time to begin."""
    return time.strftime(form, time.gmtime(time.time() + 3))


PACKED = gzip.compress(completion())
GOOD = {  # read at once
    "gzip": reply(PACKED, "Content-Encoding: gzip"), "chunked": chunks(completion()), "created": reply(completion(), status="201 Created"),
    "http10": reply(completion(), version="1.0", length=False), "interim": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + reply(completion()),
    "mark": reply(b"\xef\xbb\xbf" + completion()), "blank": reply(b"\n\n  \n" + completion()),
    "odd_counts": reply(completion(prompt_tokens="many", completion_tokens=-5)), "huge_counts": reply(completion(prompt_tokens=2**63 - 1)),
    "fence": reply(completion(f"Here it is:\n```json\n{ANSWER}\n```\nI hope it helps.")), "open_fence": reply(completion(f"```json\n{ANSWER}")),
    "prose": reply(completion(f"Sure! {ANSWER} That is all.")), "token": reply(completion(ANSWER + "<|im_end|>")),
    "thought": reply(completion('<think>hm {"answer": "A"}</think>\n' + ANSWER)), "end_of_thought": reply(completion("hm</think>" + ANSWER)),
    "tag_inside": reply(completion(ANSWER.replace("thick", "</think> thick"))),
}
PASSING = {  # asked for again, once
    "no_gzip": reply(b"\x1f\x8bnothing", "Content-Encoding: gzip"), "half_gzip": reply(PACKED[:len(PACKED) // 2], "Content-Encoding: gzip"),
    "unknown_coding": reply(completion(), "Content-Encoding: snappy"), "torn_chunk": chunks(completion())[:200],
    "no_last_chunk": chunks(completion(), end=b""), "no_chunk": chunks(b"", end=b"zz\r\n{}\r\n"), "half_http10": reply(completion()[:90], version="1.0", length=False),
    "http09": completion(), "noise": bytes(range(128, 256)), "silence": b"", "empty": reply(b""), "nothing": b"HTTP/1.1 204 No Content\r\n\r\n",
    "short": reply(completion(), length=40), "long": reply(completion(), length=4000), "negative": reply(completion(), length=-5),
    "half": reply(completion()[:-30]), "deep": reply(b"[" * 100_000), "list": reply(b"[1, 2]"), "no_choice": reply(b'{"choices": []}'),
    "error_in_200": reply(b'{"error": {"code": 503, "message": "busy"}}'), "seconds": throttled("Retry-After: 0"), "decimal": throttled("Retry-After: 0.1"),
    "minus": throttled("Retry-After: -3"), "word": throttled("Retry-After: soon"), "past": throttled("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"),
    "busy": reply(b"busy", "Retry-After: 0", status="503 Service Unavailable"),
}


class Bench:
    def __init__(self, fiducial, program, folder, checks):
        self.fiducial, self.program, self.folder, self.checks = fiducial, program, folder, checks
        planted = planted_corpus.write_corpus(folder, max(len(GOOD), len(PASSING)))
        self.words = [line["word"] for line in planted["cases"]]
        self.titles = [line["title"] for line in planted["cases"]]

    def run(self, name, script, *words, base="/v1", environment=None):
        with Endpoint(self.program, self.folder / "endpoints" / name, script=script) as endpoint:
            ended = subprocess.run([self.fiducial, "run", self.folder / "data", "--model", "wire", "--endpoint", endpoint.url(base), "-o",
                                    self.folder / name, *words], capture_output=True, text=True, env={**os.environ, **(environment or {})})
            return ended, endpoint.requests()

    def lines(self, name, file):
        return [json.loads(line) for line in (self.folder / name / file).read_text().splitlines()]


def a_case_each(bench, replies, **settings):
    """A rule a case, and a reply of the same kind to all others."""
    rules = [{"contains": word, "do": "bytes", "hex": data.hex(), **settings} for word, data in zip(bench.words, replies.values())]
    return {"rules": rules, "default": {"do": "bytes", "hex": reply(completion()).hex()}}


def reads(bench, checks, name, replies, calls_each, **settings):
    ended, calls = bench.run(name, a_case_each(bench, replies, **settings), "--concurrency", "8", "--limit", str(len(replies)))
    checks.equal(ended.returncode, 0, f"{name}: {ended.stdout[-300:]} {ended.stderr[-300:]}")
    rows = {row["title"]: row for row in bench.lines(name, "predictions.jsonl")}
    for title, kind in zip(bench.titles, replies):
        row = rows.get(title, {})
        checks.equal((row.get("prediction"), row.get("reply_form")), ("B", "json"), f"{name}, {kind}: the answer")
    checks.equal(len(calls), calls_each * len(replies), f"{name}: calls")
    manifest = json.loads((bench.folder / name / "manifest.json").read_text())
    checks.that(all(0 <= count <= 10**9 for count in manifest["calls"]["tokens"].values()), f"{name}: tokens {manifest['calls']['tokens']}")


def waits_as_it_is_told(bench, checks):
    wishes = {"second": lambda: throttled("Retry-After: 1"), "date": lambda: throttled("Retry-After: " + date("%a, %d %b %Y %H:%M:%S GMT")),
              "old_date": lambda: throttled("Retry-After: " + date("%A, %d-%b-%y %H:%M:%S GMT")),
              "oldest_date": lambda: throttled("Retry-After: " + date("%a %b %e %H:%M:%S %Y")),
              "milliseconds": lambda: throttled("retry-after-ms: 900"),
              "rate": lambda: throttled("x-ratelimit-remaining-tokens: 0", "x-ratelimit-reset-tokens: 900ms"),
              "gemini": lambda: error("slow", "429 Too Many Requests", details=[{"retryDelay": "1s"}])}
    for name, data in wishes.items():
        script = {"rules": [{"index": 0, "do": "bytes", "hex": data().hex()}], "default": {"do": "bytes", "hex": reply(completion()).hex()}}
        ended, calls = bench.run(f"wish_{name}", script, "--limit", "1")
        checks.equal((ended.returncode, len(calls)), (0, 2), f"{name}: {ended.stderr[-300:]}")
        waited = calls[1]["at_ms"] - calls[0]["at_ms"]
        checks.that(waited >= 700, f"a wish to wait, as {name}: {waited} ms")


def stops_or_fails_at_once(bench, checks):
    stops = {"redirect": reply(b"", "Location: http://127.0.0.1:1/elsewhere", status="302 Found"),
             "no_credit": error("Your credit balance is too low to access the API.", "400 Bad Request", type="invalid_request_error"),
             "quota_in_200": reply(b'{"error": {"message": "no credits", "code": "insufficient_quota"}}'),
             "day_over": error("RESOURCE_EXHAUSTED", "429 Too Many Requests", details=[{"quotaId": "GenerateRequestsPerDayPerProject"}]),
             "payment": error("Insufficient Balance", "402 Payment Required"), "years": throttled("Retry-After: 99999999999999999999")}
    for name, data in stops.items():
        ended, calls = bench.run(name, {"default": {"do": "bytes", "hex": data.hex()}}, "--concurrency", "2")
        checks.that(ended.returncode == REMOTE and len(calls) <= 2, f"{name} stops: {ended.returncode}, {len(calls)} calls, {ended.stderr[-300:]}")
    limit = error("slow", "429 Too Many Requests", ["Retry-After: 0"], code="rate_limit_exceeded")
    quota = error("You exceeded your current quota", "429 Too Many Requests", type="insufficient_quota", code="insufficient_quota")
    script = {"rules": [{"index": k, "do": "bytes", "hex": limit.hex()} for k in range(3)], "default": {"do": "bytes", "hex": quota.hex()}}
    ended, calls = bench.run("throttled_then_empty", script, "--concurrency", "2")
    checks.that(ended.returncode == REMOTE and "out of quota" in ended.stderr and len(calls) <= 6, f"throttled, then no quota: {ended.stderr[-300:]}")
    hidden = error("The prompt triggered the content management policy.", "400 Bad Request", code="content_filter", param="prompt")
    ended, calls = bench.run("withheld", {"default": {"do": "bytes", "hex": hidden.hex()}}, "--limit", "2", "--max-failures", "100%")
    checks.equal([line["status"] for line in bench.lines("withheld", "errors.jsonl")], ["withheld"] * 2, "a prompt that is withheld")
    checks.that("2 failed: withheld" in ended.stdout, f"why they failed: {ended.stdout}")
    ended, calls = bench.run("refused", {"default": {"do": "refusal"}}, "--limit", "2", "--max-failures", "100%")
    checks.equal(len(calls), 2, "a refusal is an answer, and asked for once")
    ended, calls = bench.run("packed_bomb", {"default": {"do": "bytes", "hex": reply(gzip.compress(bytes(3 << 20)), "Content-Encoding: gzip").hex()}},
                                "--limit", "1", "--max-reply-mib", "1", "--max-failures", "100%")
    checks.that(len(calls) == 1 and "--max-reply-mib" in ended.stdout, f"a small body that becomes a large one: {ended.stdout}")
    ended = bench.run("whole_path", {}, base="/v1/chat/completions")[0]
    checks.that(ended.returncode == 2 and "/v1:" in ended.stderr, f"a URL with its path: {ended.stderr}")


def keeps_the_key(bench, checks):
    steps = {"refused": error(f"Incorrect API key provided: Bearer {KEY}", "401 Unauthorized"), "broken": error(f"while serving {KEY}"),
             "said": reply(completion(json.dumps({"answer": "B", "explanation": KEY}))), "escaped": reply(completion(KEY).replace(b"/", b"\\/")),
             "pieces": reply(in_pieces(json.dumps({"answer": "B", "explanation": KEY})))}
    for name, data in steps.items():
        ended, _ = bench.run(f"key_{name}", {"default": {"do": "bytes", "hex": data.hex()}}, "--key-env", "PLANTED_KEY", "--limit", "2",
                                "--attempts", "2", "--max-failures", "100%", environment={"PLANTED_KEY": KEY})
        written = b"".join(path.read_bytes() for path in (bench.folder / f"key_{name}").rglob("*") if path.is_file())
        checks.that(b"0123456789" not in written and "0123456789" not in ended.stdout + ended.stderr, f"{name}: a key that the endpoint repeats is nowhere")
        checks.that(b"[the key]" in written, f"{name}: and what stood there is told")


def streams(bench, checks):
    for vendor in ("compatible", "responses", "anthropic"):
        whole = bench.run(f"whole_{vendor}", {}, "--vendor", vendor, "--limit", "4")
        pieces = bench.run(f"stream_{vendor}", {"rules": [{"contains": bench.words[1], "times": 1, "do": "torn_stream"}]}, "--vendor", vendor, "--limit", "4", "--stream")
        checks.equal((pieces[0].returncode, len(pieces[1])), (0, 5), f"{vendor} streams: {pieces[0].stderr[-300:]}")
        same = [(bench.folder / f"{kind}_{vendor}" / "predictions.jsonl").read_text() for kind in ("whole", "stream")]
        checks.that(same[0] == same[1] and whole[0].returncode == 0, f"{vendor}: a streamed run has the predictions and tokens of another")
    ended = bench.run("stream_gemini", {}, "--vendor", "gemini", "--stream", base="/v1beta")[0]
    checks.equal(ended.returncode, 2, "a vendor whose replies are not streamed")


def main():
    fiducial, program = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(fiducial, program, pathlib.Path(name), checks)
        reads(bench, checks, "good", GOOD, 1)
        reads(bench, checks, "passing", PASSING, 2, times=1)
        for part in (waits_as_it_is_told, stops_or_fails_at_once, keeps_the_key, streams):
            part(bench, checks)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
