"""A server that speaks S3, in a process of its own, and a proxy before it that misbehaves when it is told to."""

import contextlib
import http.client
import http.server
import os
import pathlib
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

SECRET = "a-secret-that-nobody-may-see"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(endpoint):
    """What a client finds the server by; everything else of S3 that the caller has set is gone."""
    out = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "FIDUCIAL_CACHE"))}
    return out | {"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": "fiducial-test", "AWS_SECRET_ACCESS_KEY": SECRET,
                  "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull,
                  "AWS_SHARED_CREDENTIALS_FILE": os.devnull}


class Bucket:
    """A bucket of the server, by plain HTTP: the client under test has no part in what it holds."""

    def __init__(self, endpoint, name):
        self.endpoint, self.name = endpoint, name
        self.request("PUT", "")

    def request(self, method, key, body=None, query=""):
        url = f"{self.endpoint}/{self.name}/{urllib.parse.quote(key)}{query}"
        headers = {"Authorization": "AWS4-HMAC-SHA256 Credential=t/20260101/us-east-1/s3/aws4_request",
                   "Content-Type": "application/octet-stream"}  # not a form, which would be taken apart
        with urllib.request.urlopen(urllib.request.Request(url, data=body, method=method, headers=headers)) as reply:
            return reply.read()

    def put(self, key, body):
        self.request("PUT", key, body)

    def get(self, key):
        return self.request("GET", key)

    def remove(self, key):
        self.request("DELETE", key)

    def send_folder(self, folder, prefix):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                self.put(f"{prefix}/{path.relative_to(folder).as_posix()}", path.read_bytes())

    def files(self, prefix):
        listed = self.request("GET", "", query=f"?list-type=2&prefix={urllib.parse.quote(prefix)}/").decode()
        keys = [part.split("</Key>")[0] for part in listed.split("<Key>")[1:]]
        # Arrow leaves an empty "folder/" where it removed a file.
        return {key.removeprefix(prefix + "/"): self.get(key) for key in keys if not key.endswith("/")}


@contextlib.contextmanager
def running(python, more=None):
    """The endpoint of a server that runs until the end of the scope."""
    port = free_port()
    program = ("import sys; from moto.server import main; "
               f"main(['-H', '127.0.0.1', '-p', '{port}'])")
    server = subprocess.Popen([python, "-c", program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env={**os.environ, **(more or {})})
    try:
        endpoint = f"http://127.0.0.1:{port}"
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(endpoint + "/moto-api/").close()
                break
            if server.poll() is not None:
                raise SystemExit("the S3 server ended at once")
            time.sleep(0.1)
        yield endpoint
    finally:
        server.terminate()
        server.wait()


class Proxy:
    """Passes requests on. `before(method, path)` may answer a status in the server's place; `after` sees what was answered."""

    def __init__(self, endpoint, before=None, after=None):
        target = urllib.parse.urlsplit(endpoint).netloc
        self.seen = []
        seen = self.seen

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def pass_on(self):
                body = self.body()
                seen.append((self.command, self.path))
                status = before(self.command, self.path) if before else None
                if status:
                    self.answer(status, [], b"")
                    return
                connection = http.client.HTTPConnection(target)
                of_this_hop = ("connection", "transfer-encoding", "content-length", "expect")
                connection.request(self.command, self.path, body,
                                   {k: v for k, v in self.headers.items() if k.lower() not in of_this_hop})
                reply = connection.getresponse()
                content = reply.read()
                self.answer(reply.status, reply.getheaders(), content, self.command == "HEAD")
                connection.close()
                if after:
                    after(self.command, self.path)

            def body(self):
                if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length") or 0))
                chunks = []
                while length := int(self.rfile.readline().split(b";")[0], 16):
                    chunks.append(self.rfile.read(length))
                    self.rfile.readline()
                while self.rfile.readline().strip():  # trailing fields
                    pass
                return b"".join(chunks)

            def answer(self, status, headers, content, is_head=False):
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("connection", "transfer-encoding", "content-length", "server", "date"):
                        self.send_header(name, value)
                length = dict((n.lower(), v) for n, v in headers).get("content-length", "0") if is_head else len(content)
                self.send_header("Content-Length", str(length))
                self.end_headers()
                if not is_head:
                    self.wfile.write(content)

            do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = pass_on

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
