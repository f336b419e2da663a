#!/usr/bin/env python3
"""The stand-in endpoint itself: every fault of a script is what it says on the wire, TLS included, the log has every
request, and the planted reader answers as planted and fails loudly on what it must not see.

usage: stand_in.py SCRIPTED_ENDPOINT
"""

import base64
import http.client
import json
import pathlib
import ssl
import sys
import tempfile

from scripted import Checks, Endpoint, certificate
import planted_corpus

FAULTS = ["status", "refusal", "malformed", "invalid_utf8", "reset", "stall", "hang", "drip", "wrong_length", "huge",
          "bad_parameter", "unknown_model", "quota", "context_length", "bad_key"]
SCRIPT = {"rules": [{"contains": f"fault {kind} ", "do": kind} for kind in FAULTS] +
                   [{"contains": "date", "do": "status", "status": 429, "retry_after_date": 30},
                    {"contains": "page", "do": "status", "status": 502, "html": True},
                    {"contains": "fenced", "do": "reply", "fenced": True},
                    {"contains": "thinks", "do": "reply", "unclosed_think": True},
                    {"contains": "once each", "times": 1, "each": True, "do": "status", "status": 503},
                    {"index": 3, "do": "reply", "text": "the fourth"}]}
for rule in SCRIPT["rules"]:
    rule.update({"huge": {"bytes": 3_000_000}, "bad_parameter": {"parameter": "seed"},
                 "drip": {"every_ms": 1, "bytes": 50}}.get(rule["do"], {}))


def post(endpoint, body, timeout=20):
    """Status, fields and body of a reply; for a broken one the name of what went wrong."""
    secure = endpoint.certificate and ssl.create_default_context(cafile=endpoint.certificate)
    kind = (lambda: http.client.HTTPSConnection("127.0.0.1", endpoint.port, timeout=timeout, context=secure)) if secure else \
        (lambda: http.client.HTTPConnection("127.0.0.1", endpoint.port, timeout=timeout))
    connection = kind()
    try:
        connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Authorization": "Bearer secret"})
        reply = connection.getresponse()
        return reply.status, reply.headers, reply.read()
    except (http.client.HTTPException, OSError) as error:
        return type(error).__name__, {}, b""
    finally:
        connection.close()


def question(words, **settings):
    return {"model": "m", "messages": [{"role": "user", "content": words}], **settings}


def text_of(reply):
    return json.loads(reply[2])["choices"][0]["message"]["content"]


def check_faults(checks, endpoint):
    plain = [post(endpoint, question("Which?")) for _ in range(3)]
    checks.equal(len({text_of(reply) for reply in plain}), 1, "equal questions have equal answers")
    checks.equal(text_of(post(endpoint, question("Which?"))), "the fourth", "a rule by index")
    found = {kind: post(endpoint, question(f"fault {kind} ", seed=1), timeout=2) for kind in FAULTS}
    statuses = {kind: reply[0] for kind, reply in found.items()}
    if endpoint.certificate and statuses["reset"] == "IncompleteRead":  # as Python's TLS tells it
        statuses["reset"] = "ConnectionResetError"
    checks.equal(statuses, {"status": 500, "refusal": 200, "malformed": 200, "invalid_utf8": 200, "reset": "ConnectionResetError",
                            "stall": "TimeoutError", "hang": "TimeoutError", "drip": 200, "wrong_length": "IncompleteRead",
                            "huge": 200, "bad_parameter": 400, "unknown_model": 404, "quota": 429, "context_length": 400,
                            "bad_key": 401}, "what faults are on the wire")
    for kind, error in (("malformed", json.JSONDecodeError), ("invalid_utf8", UnicodeDecodeError)):
        try:
            json.loads(found[kind][2].decode())
            checks.that(False, f"{kind} cannot be read")
        except error:
            checks.that(True, kind)
    checks.that(len(found["huge"][2]) > 3_000_000, "a huge reply is huge")
    checks.equal(json.loads(found["bad_parameter"][2])["error"]["param"], "seed", "the parameter that is refused has a name")
    checks.equal(post(endpoint, question("fault bad_parameter "))[0], 200, "a body without the parameter is taken")
    checks.that("GMT" in post(endpoint, question("date"))[1]["Retry-After"], "Retry-After as a date")
    checks.that(b"<html>" in post(endpoint, question("page"))[2], "a proxy's page")
    checks.that("```json" in text_of(post(endpoint, question("fenced"))), "an answer in fences")
    checks.that("</think>" not in text_of(post(endpoint, question("thinks"))), "a thought without an end")
    checks.equal([post(endpoint, question(f"once each {k}"))[0] for k in (1, 1, 2, 2)], [503, 200, 503, 200], "times, by body")
    checks.equal(post(endpoint, {"messages": []})[0], 400, "a body without a model")
    lines = endpoint.requests()
    checks.equal([line["index"] for line in lines], list(range(len(lines))), "the log has every request in its order")
    checks.that("secret" not in endpoint.log.read_text(), "no key in the log")
    checks.that(lines[0]["key"]["sha256"], "but its hash")
    checks.that(endpoint.memory_kib() < 64 * 1024, f"memory: {endpoint.memory_kib()} KiB")


def planted_question(folder, line, images, extra=""):
    parts = [{"type": "text", "text": f"History {line['word']}. " + " ".join(f"{line['word']}option{x}" for x in "abcde") + extra}]
    for path in sorted((folder / "data" / "images" / f"case{line['word'].removeprefix('zorb')}").iterdir())[:images]:
        url = "data:image/jpeg;base64," + base64.b64encode(path.read_bytes()).decode()
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return {"model": "m", "messages": [{"role": "user", "content": parts}]}


def check_planted(checks, program, folder):
    planted = planted_corpus.write_corpus(folder, 30)
    with Endpoint(program, folder / "kept", planted=folder / "planted.json", allow=["findings"]) as endpoint:
        for line in planted["cases"]:
            for images in range(len(line["images"]) + 1):
                findings = "" if images % 2 else " " + line["marks"]["findings"][0]
                answer = json.loads(text_of(post(endpoint, planted_question(folder, line, images, findings))))["answer"]
                cues = () if images % 2 else ("expert_summary",)
                checks.equal(answer == line["key"], planted_corpus.is_right(line, images, cues), f"{line['id']}, {images} images")
        checks.equal(endpoint.stop(), 0, "a reader that saw nothing wrong")
    first, second = planted["cases"][:2]
    for name, body in {"mark": planted_question(folder, first, 1, " " + first["marks"]["discussion"][0]),
                       "caption": planted_question(folder, first, 1, " " + first["marks"]["caption"][0]),
                       "other": planted_question(folder, first, 1, " " + second["marks"]["findings"][0]),
                       "two": planted_question(folder, first, 1, " " + second["word"])}.items():
        with Endpoint(program, folder / name, planted=folder / "planted.json", allow=["findings"]) as endpoint:
            checks.equal(post(endpoint, body)[0], 400, f"{name} is refused")
            checks.that("leak" in endpoint.requests()[0], f"{name} is logged")
            checks.equal(endpoint.stop(), 1, f"{name} ends in status 1")
    foreign = planted_question(folder, first, 0)
    foreign["messages"][0]["content"] += planted_question(folder, second, 1)["messages"][0]["content"][1:]
    with Endpoint(program, folder / "foreign", planted=folder / "planted.json") as endpoint:
        checks.equal(post(endpoint, foreign)[0], 400, "another case's image is refused")


def main():
    program = sys.argv[1]
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with Endpoint(program, folder / "faults", script=SCRIPT) as endpoint:
            check_faults(checks, endpoint)
        with Endpoint(program, folder / "tls", script=SCRIPT, tls=certificate(folder / "tls")) as endpoint:
            check_faults(checks, endpoint)
        check_planted(checks, program, folder / "planted")
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
