#!/usr/bin/env python3
"""Asks `fiducial serve` what schemathesis makes of its OpenAPI document: no status 500, and every reply is of a declared
status, type and schema. Ids of the demo stand beside invented ones, so that requests reach what is behind them.

usage: schemathesis_holds.py FIDUCIAL PYTHON [EXAMPLES]     PYTHON: of the environment with schemathesis
Skips (status 77) where that environment is not installed.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from served import Served

SKIPPED = 77
# 503 says that masks or memory for a CT are not there (docs/formats/api.md). TRACE gets 501, as every method that the server
# does not know.
SETTINGS = """
[phases.coverage]
unexpected-methods = ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "503"]
"""
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def known_ids(server):
    """Ids that requests lead somewhere with, by the name of the parameter."""
    info = server.json("/api/v1/info")
    datasets = [one["id"] for one in info["datasets"] if not one["problem"]]
    runs = [one["id"] for one in info["runs"]]
    cases = [row["id"] for one in datasets for row in server.json(f"/api/v1/datasets/{one}/cases?limit=3")["items"]]
    return {"dataset": datasets, "case": cases, "run": runs, "runs": [",".join(runs[:2]), *runs], "metric": ["dice", "hit10"],
            "picture": ["0.png", "50.png", "9999.png"], "set": ["reference", "organs", *("run:" + run for run in runs)],
            "masks": ["reference:0", "reference:0,run:weak:0", "organs:1"], "where": ["category=2d", "status=scored"],
            "group": ["category=2d"]}


def with_ids(document, ids):
    for operations in document["paths"].values():
        for parameter in operations["get"]["parameters"]:
            known = ids.get(parameter["name"])
            if not known:
                continue
            schema = parameter["schema"]
            repeated = schema.get("type") == "array"
            wanted = {"anyOf": [{"enum": known}, schema["items"] if repeated else schema]}
            parameter["schema"] = {"type": "array", "items": wanted} if repeated else wanted
    return document


def make_corpus(fiducial, folder):
    for words in (["demo", "demo", "--cases", "4", "--seed", "3"],
                  ["score", "demo/rexgroundingct", "demo/systems/rexgroundingct/good", "-o", "scores/good"],
                  ["score", "demo/rexgroundingct", "demo/systems/rexgroundingct/weak", "-o", "scores/weak"],
                  ["score", "demo/curated/radgenome", "demo/systems/radgenome/careful", "-o", "scores/careful"]):
        subprocess.run([fiducial, *words], cwd=folder, check=True, capture_output=True)


def main():
    fiducial, python = (pathlib.Path(word).absolute() for word in sys.argv[1:3])
    examples = sys.argv[3] if len(sys.argv) > 3 else "20"
    command = python.parent / "schemathesis"
    if not command.exists():
        print("skipped: schemathesis is not installed; ./dev test --full installs it")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_corpus(fiducial, folder)
        with Served(fiducial, folder) as server:
            document = with_ids(server.json("/api/v1/openapi.json"), known_ids(server))
            (folder / "openapi.json").write_text(json.dumps(document))
            (folder / "schemathesis.toml").write_text(SETTINGS)
            done = subprocess.run([command, "run", folder / "openapi.json", "--url", server.url.rstrip("/"), "--checks", CHECKS,
                                   "--max-examples", examples, "--seed", "1", "--no-color", "--warnings", "off",
                                   "--suppress-health-check", "all"],
                                  cwd=folder, capture_output=True, text=True)
            alive = server.ask("/healthz")[0] == 200
    print(done.stdout[-6000:], done.stderr[-2000:])
    return 0 if alive and done.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
