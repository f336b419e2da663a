#!/usr/bin/env python3
"""The line that says how far a run is, in a terminal of 80 columns: it never counts more than there is, never fills the
width, tells cost and time left, and is wiped at the end.

usage: live_line.py FIDUCIAL SCRIPTED_ENDPOINT
"""

import json
import os
import pathlib
import pty
import re
import sys
import tempfile

from scripted import Checks, Endpoint
import planted_corpus

CASES = 12
WIPED = "\r\x1b[K"
PRICES = {"currency": "USD", "models": {"m": {"input": 1000, "cached": 1, "output": 3000, "image_tokens": 1600}}}


def in_terminal(words):
    """What a command writes to a terminal, and its status."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["COLUMNS"] = "80"
        os.execv(words[0], [str(word) for word in words])
    said = b""
    try:
        while piece := os.read(terminal, 65536):
            said += piece
    except OSError:  # its other end is closed
        pass
    return said.decode(errors="replace"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def check_line(checks, tools, folder, workflow):
    fiducial, program = tools
    with Endpoint(program, folder / f"endpoint_{workflow}", script={"latency_ms": 400}) as endpoint:
        said, status = in_terminal([fiducial, "run", folder / "data", "--workflow", workflow, "--model", "m", "--endpoint",
                                    endpoint.url(), "--prices", folder / "prices.json", "--concurrency", "4", "-o",
                                    folder / workflow])
    checks.equal(status, 0, f"{workflow} ends well: {said[-300:]}")
    *lines, last = said.split(WIPED)
    lines = [line for line in lines if " done" in line]
    checks.that(len(lines) > 3, f"{workflow}: it is told again and again: {lines}")
    checks.that(all(len(line) < 80 for line in lines), f"{workflow}: no line fills the terminal: {max(lines, key=len)}")
    counts = [tuple(map(int, re.match(r"(\d+) of (\d+) done", line).groups())) for line in lines]
    checks.that(all(done <= of == CASES for done, of in counts), f"{workflow}: of {CASES} cases: {counts}")
    checks.equal(counts, sorted(counts), f"{workflow}: never less than before")
    checks.that(any("cost " in line for line in lines), f"{workflow}: the cost")
    checks.that(any(" left" in line for line in lines), f"{workflow}: the time left")
    checks.that("answered" in last and " done" not in last, f"{workflow}: the line is wiped: {last!r}")


def main():
    tools = [str(pathlib.Path(word).resolve()) for word in sys.argv[1:3]]
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        planted_corpus.write_corpus(folder, CASES)
        (folder / "prices.json").write_text(json.dumps(PRICES))
        for workflow in ("direct", "twi"):
            check_line(checks, tools, folder, workflow)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
