#!/usr/bin/env python3
"""What `fiducial run` sends, in the words of every vendor, against the types that the vendors' own packages declare; every
image and parameter arrives, and the reply's tokens are counted.

usage: run_shapes.py FIDUCIAL SCRIPTED_ENDPOINT
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from scripted import Checks, Endpoint
import planted_corpus

try:
    from vendor_shapes import body_problems
except ImportError as absent:
    print(f"skipped: {absent}; requirements/test.txt has the packages")
    sys.exit(77)

CASES = 6
VENDORS = {"openai": ("openai_chat", "/v1"), "compatible": ("openai_chat", "/v1"), "responses": ("openai_responses", "/v1"),
           "anthropic": ("anthropic", "/v1"), "gemini": ("gemini", "/v1beta")}
SETTINGS = {"plain": [], "set": ["--temperature", "0.5", "--top-p", "0.9", "--max-tokens", "900"],
            "set_limit": ["--max-tokens", "900"], "effort": ["--effort", "high"],
            "no_schema": ["--no-schema"], "images_first": ["--layout", "images-first"], "no_labels": ["--no-image-labels"],
            "stream": ["--stream"]}


def check(checks, tools, folder, vendor, setting):
    fiducial, program, planted = tools
    name = f"{vendor}_{setting}"
    with Endpoint(program, folder / "endpoints" / name, bodies=True) as endpoint:
        run = [fiducial, "run", folder / "data", "--vendor", vendor, "--model", "stand-in", "--endpoint",
               endpoint.url(VENDORS[vendor][1]), "-o", folder / name, *SETTINGS[setting]]
        ended = subprocess.run(run, capture_output=True, text=True, timeout=120)
        lines = endpoint.requests()
        bodies = [endpoint.body(line) for line in lines]
    if not checks.equal(ended.returncode, 0, f"{name} runs: {ended.stderr[-400:]}"):
        return
    checks.equal(len(lines), CASES, f"{name}: calls")
    checks.equal({line["vendor"] for line in lines}, {VENDORS[vendor][0]}, f"{name}: its own path")
    for line, body in zip(lines, bodies):
        checks.equal(body.pop("stream", False), setting == "stream", f"{name}: streams where it is asked to")
        checks.equal(body_problems(line["vendor"], body), "", f"{name}: the vendor's type")
    sent = sorted(sorted(line["images"]) for line in lines)
    checks.equal(sent, sorted(sorted(case["images"]) for case in planted["cases"]), f"{name}: every image of every case")
    checks.equal({bool(line["effort"]) for line in lines}, {setting == "effort"}, f"{name}: the effort is sent")
    text = json.dumps(bodies)
    checks.equal("Image 1:" in text, setting != "no_labels", f"{name}: labels of images")
    for value in SETTINGS[setting][1::2] if setting.startswith("set") else ():
        checks.that(value in text, f"{name}: {value} is sent")
    manifest = json.loads((folder / name / "manifest.json").read_text())
    checks.that(str(42 * CASES) in json.dumps(manifest), f"{name}: the tokens of the replies are counted")


def main():
    fiducial, program = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        planted = planted_corpus.write_corpus(folder, CASES)
        for vendor in VENDORS:
            for setting in SETTINGS:
                if (vendor, setting) in (("anthropic", "set"), ("gemini", "stream")):  # no temperature, no streams
                    continue
                check(checks, (fiducial, program, planted), folder, vendor, setting)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
