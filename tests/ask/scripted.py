"""Starts the stand-in endpoint for a test and reads what it logged."""

import json
import pathlib
import subprocess
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]


class Endpoint:
    """A running scripted_endpoint; folder holds its script, its log and the bodies it received."""

    def __init__(self, program, folder, script=None, planted=None, allow=(), tls=None, bodies=False, threads=1):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "requests.jsonl"
        words = [str(program), "--log", self.log, "--threads", str(threads)]
        if script is not None:
            (self.folder / "script.json").write_text(json.dumps(script))
            words += ["--script", self.folder / "script.json"]
        if planted is not None:
            words += ["--planted", planted, "--allow", ",".join(allow)]
        if bodies:
            words += ["--bodies", self.folder / "bodies"]
        self.scheme = "https" if tls else "http"
        self.certificate = tls[0] if tls else None
        words += ["--tls", *tls] if tls else []
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the endpoint did not start: {line!r}")
        self.port = int(line.split()[-1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def url(self, path="/v1"):
        return f"{self.scheme}://127.0.0.1:{self.port}{path}"

    def requests(self):
        """What arrived, in its order; a line that is being written is left for later."""
        lines = self.log.read_text().split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def body(self, request):
        return json.loads((self.folder / "bodies" / f"{request['sha256']}.json").read_text())

    def connections(self):
        """How many connections it holds, those that nobody accepted yet included."""
        ends = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().split("\n")[1:] if line]
        listening, time_wait = "0A", "06"
        return sum(words[1].endswith(f":{self.port:04X}") and words[3] not in (listening, time_wait) for words in ends)

    def drained(self, seconds=60):
        """What arrived, once every caller is gone and all that they sent has been read."""
        end = time.monotonic() + seconds
        while self.connections() > 0:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.connections()} connections of the endpoint are open after {seconds} s")
            time.sleep(0.001)
        return self.requests()

    def memory_kib(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().split("\n"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
        return 0

    def stop(self):
        """Ends it; the status is 1 where a planted reader saw what it must not see."""
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait()


def certificate(folder, name="127.0.0.1"):
    """A self-signed certificate for loopback and its key."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", key, "-out", certificate, "-days", "2", "-subj", f"/CN={name}",
                    "-addext", f"subjectAltName={'IP' if name[0].isdigit() else 'DNS'}:{name}"],
                   check=True, capture_output=True)
    return certificate, key


def shortened(value, most=600):
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


class Checks:
    """Counts what holds and names what does not."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def that(self, holds, words):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {words}", flush=True)
        return holds

    def equal(self, found, expected, words):
        return self.that(found == expected, f"{words}: expected {shortened(expected)}, found {shortened(found)}")

    def status(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
