"""A stand-in for the batch endpoints of OpenAI, Anthropic and Gemini, inside of a test: every body is held against the types
that the vendors' packages declare, and what it answers is of their types, too."""

import hashlib
import http.server
import json
import threading

import anthropic.types.messages
import openai.types
import pydantic
from google.genai import types as google
from openai.types import batch_create_params

from vendor_shapes import adapter, body_problems

NOW = "2026-01-01T00:00:00Z"


def answer_text(hash_of_request):
    return json.dumps({"answer": "ABCDE"[int(hash_of_request[:8], 16) % 5], "explanation": "So it is.",
                       "finding": "A shadow.", "summary": "Shadows."})


def only(schema, text):
    """The members of an answer that a schema asks for."""
    wanted = (schema or {}).get("properties", {"answer": 0, "explanation": 0})
    return json.dumps({name: value for name, value in json.loads(text).items() if name in wanted})


class Batches:
    """What the endpoint holds and saw."""

    def __init__(self, first=()):
        self.lock = threading.Lock()
        self.files, self.batches, self.problems, self.creates, self.lists, self.asks = {}, {}, [], 0, 0, 0
        self.first = list(first)  # what becomes of the first requests: "error", "expired", "overflow"
        self.polls = 1  # looks at a batch until it has ended
        self.on_create = self.on_results = lambda: None

    def told(self, name, problem):
        if problem:
            self.problems.append(f"{name}: {problem}")

    def new(self, kind, requests, **more):
        with self.lock:
            self.creates += 1
            number = f"{kind}{len(self.batches) + 1}"
            self.batches[number] = {"id": number, "requests": requests, "polls": 0, **more}
        self.on_create()
        return self.batches[number]

    def outcome(self, key):
        with self.lock:
            return self.first.pop(0) if self.first else "ok"

    def looked_at(self, batch):
        self.asks += 1
        batch["polls"] += 1
        return batch["polls"] > self.polls


def openai_body(key, body):
    text = only(body.get("response_format", {}).get("json_schema", {}).get("schema"), answer_text(key))
    reply = {"id": "c", "object": "chat.completion", "created": 1, "model": "stand-in", "choices": [
        {"index": 0, "finish_reason": "stop", "logprobs": None, "message": {"role": "assistant", "content": text, "refusal": None}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}}
    openai.types.chat.ChatCompletion.model_validate(reply)
    return reply


def responses_body(key, body):
    text = only(body.get("text", {}).get("format", {}).get("schema"), answer_text(key))
    return {"id": "r", "object": "response", "status": "completed", "model": "stand-in", "output": [
        {"id": "m", "type": "message", "role": "assistant", "status": "completed",
         "content": [{"type": "output_text", "text": text, "annotations": []}]}],
        "usage": {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}}


def anthropic_body(key, body):
    text = only(body.get("output_config", {}).get("format", {}).get("schema"), answer_text(key))
    reply = {"id": "m", "type": "message", "role": "assistant", "model": "stand-in", "stop_reason": "end_turn", "stop_sequence": None,
             "content": [{"type": "text", "text": text, "citations": None}], "usage": {"input_tokens": 100, "output_tokens": 10}}
    return reply


def gemini_body(key, body):
    text = only(body.get("generationConfig", {}).get("responseJsonSchema"), answer_text(key))
    reply = {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}],
             "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10}, "modelVersion": "stand-in"}
    google.GenerateContentResponse.model_validate(reply)
    return reply


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    held = None

    def log_message(self, *words):
        pass

    def send(self, body, status=200):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def read(self):
        return self.rfile.read(int(self.headers["Content-Length"]))

    # OpenAI
    def openai_batch(self, batch):
        ended = batch["polls"] > self.held.polls
        out = {"id": batch["id"], "object": "batch", "completion_window": "24h", "created_at": 1, "endpoint": batch["endpoint"],
               "input_file_id": "f", "status": "completed" if ended else "in_progress", "metadata": batch["metadata"]}
        if ended:
            out.update({"output_file_id": f"out-{batch['id']}", "error_file_id": f"err-{batch['id']}"})
        return openai.types.Batch.model_validate(out).model_dump()

    def openai_lines(self, batch):
        good, bad = [], []
        for line in batch["requests"]:
            key, kind = line["custom_id"], self.held.outcome(line["custom_id"])
            make = responses_body if line["url"] == "/v1/responses" else openai_body
            out = {"id": "b", "custom_id": key, "response": None, "error": None}
            if kind == "ok":
                good.append({**out, "response": {"status_code": 200, "request_id": "q", "body": make(key, line["body"])}})
            elif kind == "expired":
                bad.append({**out, "error": {"code": "batch_expired", "message": "This request could not be executed before the completion window expired."}})
            else:
                told = {"overflow": (400, {"message": kind, "code": "context_length_exceeded"}),
                        "refused": (400, {"message": "Unsupported parameter", "param": "reasoning_effort", "code": "unsupported_parameter"}),
                        "quota": (429, {"message": "no credits", "code": "insufficient_quota"})}
                status, error = told.get(kind, (500, {"message": kind, "code": "server_error"}))
                bad.append({**out, "response": {"status_code": status, "request_id": "q", "body": {"error": error}}})
        return good, bad

    def post_openai(self, raw):
        held = self.held
        if self.path == "/v1/files":
            boundary = self.headers["Content-Type"].split("boundary=")[1].encode()
            parts = raw.split(b"--" + boundary)
            held.told("purpose", "" if b'name="purpose"\r\n\r\nbatch\r\n' in parts[1] else "no purpose")
            text = parts[2].split(b"\r\n\r\n", 1)[1]
            requests = [json.loads(line) for line in text.splitlines() if line.strip()]
            for line in requests:
                held.told("line", "" if set(line) == {"custom_id", "method", "url", "body"} and line["method"] == "POST" else str(list(line)))
                held.told("body", body_problems("openai_responses" if line["url"] == "/v1/responses" else "openai_chat", line["body"]))
            name = f"file-{hashlib.sha256(raw).hexdigest()[:12]}"
            held.files[name] = requests
            return self.send({"id": name, "object": "file", "purpose": "batch", "filename": "x", "bytes": len(raw), "created_at": 1, "status": "processed"})
        body = json.loads(raw)
        try:
            adapter(batch_create_params.BatchCreateParams).validate_python(body)
        except pydantic.ValidationError as error:
            held.told("create", str(error)[:300])
        requests = held.files[body["input_file_id"]]
        held.told("endpoint", "" if {line["url"] for line in requests} == {body["endpoint"]} else "other urls")
        return self.send(self.openai_batch(held.new("batch_", requests, endpoint=body["endpoint"], metadata=body["metadata"])))

    def get_openai(self):
        held = self.held
        if self.path.startswith("/v1/batches?"):
            held.lists += 1
            return self.send({"object": "list", "data": [self.openai_batch(batch) for batch in held.batches.values()], "has_more": False})
        if self.path.startswith("/v1/batches/"):
            batch = held.batches[self.path.split("/")[-1]]
            held.looked_at(batch)
            return self.send(self.openai_batch(batch))
        kind, number = self.path.split("/")[3].split("-", 1)
        batch = held.batches[number]
        if "lines" not in batch:
            batch["lines"] = self.openai_lines(batch)
        self.send("".join(json.dumps(line) + "\n" for line in batch["lines"][kind == "err"]))
        held.on_results()

    # Anthropic
    def anthropic_batch(self, batch):
        ended, count = batch["polls"] > self.held.polls, len(batch["requests"])
        counts = {"processing": 0 if ended else count, "succeeded": count if ended else 0, "errored": 0, "canceled": 0, "expired": 0}
        out = {"id": batch["id"], "type": "message_batch", "created_at": "2099-01-01T00:00:00Z", "expires_at": "2099-01-02T00:00:00Z",
               "processing_status": "ended" if ended else "in_progress", "request_counts": counts, "ended_at": NOW if ended else None,
               "results_url": None, "archived_at": None, "cancel_initiated_at": None}
        anthropic.types.messages.MessageBatch.model_validate(out)
        return out

    def anthropic_lines(self, batch):
        for line in batch["requests"]:
            kind, key = self.held.outcome(line["custom_id"]), line["custom_id"]
            result = {"type": "succeeded", "message": anthropic_body(key, line["params"])}
            if kind == "expired":
                result = {"type": "expired"}
            elif kind != "ok":
                told = ("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum") if kind == "overflow" else ("api_error", "x")
                result = {"type": "errored", "error": {"type": "error", "request_id": None, "error": {"type": told[0], "message": told[1]}}}
            out = {"custom_id": key, "result": result}
            anthropic.types.messages.MessageBatchIndividualResponse.model_validate(out)
            yield json.dumps(out) + "\n"

    def post_anthropic(self, raw):
        body = json.loads(raw)
        self.held.told("members", "" if set(body) == {"requests"} else str(list(body)))
        for line in body["requests"]:
            self.held.told("line", "" if set(line) == {"custom_id", "params"} and len(line["custom_id"]) <= 64 else str(list(line)))
            self.held.told("params", body_problems("anthropic", line["params"]))
        return self.send(self.anthropic_batch(self.held.new("msgbatch_", body["requests"])))

    def get_anthropic(self):
        held = self.held
        if "?" in self.path:
            held.lists += 1
            return self.send({"data": [self.anthropic_batch(batch) for batch in held.batches.values()], "has_more": False})
        batch = held.batches[self.path.split("/")[4]]
        if self.path.endswith("/results"):
            if "lines" not in batch:
                batch["lines"] = "".join(self.anthropic_lines(batch))
            self.send(batch["lines"])
            return held.on_results()
        held.looked_at(batch)
        return self.send(self.anthropic_batch(batch))

    # Gemini
    def gemini_batch(self, batch):
        ended = batch["polls"] > self.held.polls
        metadata = {"@type": "x", "model": "models/stand-in", "displayName": batch["name"],
                    "state": "BATCH_STATE_SUCCEEDED" if ended else "BATCH_STATE_RUNNING"}
        if ended:
            if "lines" not in batch:
                batch["lines"] = [self.gemini_line(line) for line in batch["requests"]]
            metadata["output"] = {"inlinedResponses": {"inlinedResponses": batch["lines"]}}
        return {"name": f"batches/{batch['id']}", "metadata": metadata, "done": ended}

    def gemini_line(self, line):
        key = line["metadata"]["key"]
        kind = self.held.outcome(key)
        out = {"metadata": {"key": key}}
        if kind == "ok":
            return {**out, "response": gemini_body(key, line["request"])}
        told = (3, "The input token count (9) exceeds the maximum number of tokens allowed (8).") if kind == "overflow" else (13, "Internal")
        return {**out, "error": {"code": told[0], "message": told[1]}}

    def post_gemini(self, raw):
        batch = json.loads(raw)["batch"]
        self.held.told("members", "" if set(batch) == {"displayName", "inputConfig"} else str(list(batch)))
        requests = batch["inputConfig"]["requests"]["requests"]
        for line in requests:
            self.held.told("request", body_problems("gemini", line["request"]))
        return self.send(self.gemini_batch(self.held.new("g", requests, name=batch["displayName"])))

    def get_gemini(self):
        held = self.held
        if "?" in self.path:
            held.lists += 1
            return self.send({"operations": [self.gemini_batch(batch) for batch in held.batches.values()]})
        batch = held.batches[self.path.split("/")[-1]]
        ended = held.looked_at(batch)
        self.send(self.gemini_batch(batch))
        if ended and batch["polls"] > held.polls + 1:
            held.on_results()

    def vendor(self):
        return "anthropic" if "/messages/" in self.path else "gemini" if self.path.startswith("/v1beta/") else "openai"

    def do_POST(self):
        raw = self.read()
        getattr(self, f"post_{self.vendor()}")(raw)

    def do_GET(self):
        getattr(self, f"get_{self.vendor()}")()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *words):
        pass


def serve(batches):
    """A server that answers for what is held; returns it and its port."""
    handler = type("Bound", (Handler,), {"held": batches})
    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, server.server_address[1]
