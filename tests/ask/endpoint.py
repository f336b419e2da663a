#!/usr/bin/env python3
"""Runs a command beside a scripted endpoint on this machine: {url} in its words becomes the endpoint's base.

    python3 -m ask.endpoint [--keys test.jsonl] [--faults 429,500,fence] [--log log.jsonl] -- fiducial run ... {url}

Every request is answered with the key of the case whose history it holds, else with A. Each of --faults is what
happens to one request, in the order they come; then all goes well. One that begins with no- lasts. The log has a line a request.
"""

import argparse
import http.server
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time


class Script:
    def __init__(self, options):
        self.lock = threading.Lock()
        self.faults = options.faults.split(",") if options.faults else []
        self.log = open(options.log, "w") if options.log else None
        self.latency = options.latency_s
        self.texts = options.says
        self.rows = []
        if options.keys:
            with open(options.keys) as lines:
                self.rows = [json.loads(line) for line in lines]
        self.count = 0
        self.at_once = 0
        self.most_at_once = 0

    def next_fault(self):
        with self.lock:
            self.count += 1
            lasting = bool(self.faults) and self.faults[0].startswith("no-")  # what a server never takes
            return self.faults[0] if lasting else self.faults.pop(0) if self.faults else "ok"

    def note(self, line):
        if not self.log:
            return
        with self.lock:
            self.log.write(json.dumps(line) + "\n")
            self.log.flush()


def texts_of(body):
    out = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        out += [part["text"] for part in parts if part["type"] == "text"]
    return out


def images_of(body):
    out = []
    for message in body["messages"]:
        if isinstance(message["content"], list):
            out += [part["image_url"]["url"] for part in message["content"] if part["type"] == "image_url"]
    return out


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script = None

    def log_message(self, *words):
        pass

    def send(self, status, body, headers=()):
        data = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def verdicts(self, text):
        """A judge that calls factual what fits; one that obeys calls factual what asks for it, too."""
        out = {}
        for number, step in re.findall(r'^(\d+)\. "(.*)"$', text, re.MULTILINE):
            factual = "fits" in step or (self.script.texts == "obey" and "set is_factual to true" in step)
            out[number] = {"is_factual": factual, "is_critical": number == "1", "explanation": "So it is.",
                           "error_types": [] if factual else ["Reasoning Err"]}
        return json.dumps({"verdicts": out})

    def ratings(self, text):
        """A judge of teaching notes: two points each, and a sentence is right where it fits."""
        names = ("disease_definition", "clinical_manifestation", "imaging_findings", "diagnostic_reasoning", "transferable_learning")
        lines = re.findall(r'^(\d+)\. \[.*?\] "(.*)"$', text, re.MULTILINE)
        return json.dumps({"points": {name: 2 for name in names},
                           "sentences": {number: {"correct": "fits" in said} for number, said in lines}})

    def answer(self, body):
        text = "\n".join(texts_of(body))
        if '"points"' in text:
            return self.ratings(text)
        if '"verdicts"' in text:
            return self.verdicts(text)
        key = next((row["correct_answer"] for row in self.script.rows if row["CLINICAL_HISTORY"] in text), "A")
        asked = body.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", {})
        known = {"answer": key, "explanation": f"It is {key}.", "finding": f"One of {len(images_of(body))} image.",
                 "summary": f"All of {len(images_of(body))} images."}
        if self.script.texts:
            return self.script.texts
        return json.dumps({name: known.get(name, "") for name in asked or ("answer", "explanation")})

    def completion(self, content, finish="stop", **message):
        return json.dumps({"model": "stand-in-1", "choices": [
            {"message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 40},
                      "completion_tokens_details": None}})

    def do_POST(self):
        script = self.script
        with script.lock:
            script.at_once += 1
            script.most_at_once = max(script.most_at_once, script.at_once)
        try:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            body = json.loads(raw)
            fault = script.next_fault()
            texts = texts_of(body)
            script.note({"path": self.path, "fault": fault, "key": self.headers.get("Authorization", ""),
                         "expect": self.headers.get("Expect", ""), "images": len(images_of(body)),
                         "types": sorted({url[:url.index(";")] for url in images_of(body)}),
                         "texts": texts, "members": {name: value for name, value in body.items() if name != "messages"}})
            time.sleep(script.latency)
            self.respond(fault, body)
        finally:
            with script.lock:
                script.at_once -= 1

    def respond(self, fault, body):
        good = self.answer(body)
        error = lambda message, **more: json.dumps({"error": {"message": message, **more}})
        if fault == "ok":
            self.send(200, self.completion(good))
        elif fault == "429":
            self.send(429, error("slow down"), [("Retry-After", "0")])
        elif fault == "429-long":
            self.send(429, error("come back tomorrow"), [("Retry-After", "86400")])
        elif fault == "quota":
            self.send(429, error("You exceeded your current quota", code="insufficient_quota"))
        elif fault == "500":
            self.send(500, "<html>Internal\nServer Error</html>")
        elif fault == "401":
            self.send(401, error("Incorrect API key provided"))
        elif fault == "404":
            self.send(404, error("The model does not exist", code="model_not_found"))
        elif fault == "redirect":
            self.send(307, "", [("Location", "http://127.0.0.1:9/v1/elsewhere")])
        elif fault == "no-temperature" and "temperature" in body:
            self.send(400, error("Unsupported parameter: 'temperature' is not supported with this model.", param="temperature",
                                 code="unsupported_parameter"))
        elif fault == "no-temperature":
            self.send(200, self.completion(good))
        elif fault == "context":
            self.send(400, error("This model's maximum context length is 10 tokens, `max_tokens` included",
                                 code="context_length_exceeded"))
        elif fault == "fence":
            self.send(200, self.completion(f"```json\n{good}\n```"))
        elif fault == "think":
            self.send(200, self.completion(f"<think>hm</think>\n{good}"))
        elif fault == "prose":
            self.send(200, self.completion(f"The best answer is {json.loads(good)['answer']}."))
        elif fault == "length":
            self.send(200, self.completion(good[:9], "length"))
        elif fault == "filter":
            self.send(200, self.completion(None, "content_filter"))
        elif fault == "refusal":
            self.send(200, self.completion(None, refusal="I cannot help with that."))
        elif fault == "malformed":
            self.send(200, '{"choices": [')
        elif fault == "utf8":
            self.send(200, self.completion(good).encode().replace(b"It is", b"It \xff\xfeis"))
        elif fault == "huge":
            self.send(200, b" " * (3 << 20))
        elif fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{")
            self.wfile.flush()
            self.connection.close()
            self.close_connection = True
        elif fault == "hang":
            time.sleep(3)
            self.close_connection = True
        else:
            raise SystemExit(f"no fault {fault}")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, *words):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys")
    parser.add_argument("--faults", default="")
    parser.add_argument("--says", default="", help="what every reply reads, instead")
    parser.add_argument("--log")
    parser.add_argument("--latency-s", type=float, default=0)
    parser.add_argument("--interrupt-after", type=int, help="SIGINT once so many requests have come")
    parser.add_argument("--kill-after", type=int, help="SIGKILL once so many requests have come")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    Handler.script = Script(options)
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    process = subprocess.Popen([word.replace("{url}", url) for word in options.command])
    for count, number in ((options.interrupt_after, signal.SIGINT), (options.kill_after, signal.SIGKILL)):
        while count is not None and process.poll() is None:
            if Handler.script.count >= count:
                process.send_signal(number)
                break
            time.sleep(0.001)
    status = process.wait()
    if Handler.script.log:
        Handler.script.log.close()
    sys.stdout.flush()
    os._exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
