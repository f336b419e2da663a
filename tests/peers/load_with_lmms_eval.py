#!/usr/bin/env python3
"""Task files for lmms-eval: its own loader reads them and resolves their functions, its own declaration of tasks knows their
members, and replies that go through them get the values of `fiducial run` and `fiducial score`.

torch and transformers, which the loader's module imports and these steps do not use, are stood in for by empty modules: with
them lmms-eval is gigabytes.

usage: PYTHONPATH=build/python load_with_lmms_eval.py [PYTHON_WITH_LMMS_EVAL]
"""

import ast
import hashlib
import importlib.util
import json
import os
import pathlib
import sys
import tempfile
import types



class Absent(types.ModuleType):
    """A module whose every name is a type that does nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


for absent in ("torch", "transformers"):
    sys.modules.setdefault(absent, Absent(absent))
try:
    found = importlib.util.find_spec("lmms_eval")
    if found is None:
        raise ImportError("no lmms_eval")
    from lmms_eval import utils
except ImportError as missing:
    if len(sys.argv) > 1 and os.path.exists(sys.argv[1]):
        os.execv(sys.argv[1], [sys.argv[1], __file__])
    print(f"skipped: {missing}; ./dev test --full installs lmms-eval in .venv-lmms")
    sys.exit(77)
import fiducial
import fiducial.lmms
from fiducial.jobs import say

problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def declared_members():
    """The members of a task, as lmms-eval declares them."""
    tree = ast.parse((pathlib.Path(found.submodule_search_locations[0]) / "api" / "task.py").read_text())
    config = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == "TaskConfig")
    return {node.target.id for node in config.body if isinstance(node, ast.AnnAssign)}


def reply_to(text, keys):
    draw = hashlib.sha256(text.encode()).digest()
    if "letter of the diagnosis" in text:
        key = next(row["correct_answer"] for row in keys if row["CLINICAL_HISTORY"] in text)
        return json.dumps({"answer": key if draw[0] < 150 else "A", "explanation": "So it is."})
    if '"boxes"' in text:
        return json.dumps({"regions": [], "boxes": [{"image": 1 + draw[1] % 9, "left": 300, "top": 200, "right": 700, "bottom": 900}]})
    return '{"answer": "Yes"}' if draw[0] < 128 else '{"answer": "No"}'


def check(what, folder, dataset, options, score_options, keys):
    config = utils.load_yaml_config(fiducial.lmms.write_task(dataset, folder / what, **options))
    expect(set(config) <= declared_members(), f"{what}: lmms-eval knows no {set(config) - declared_members()}")
    documents = pathlib.Path(config["dataset_kwargs"]["data_files"]["test"]).read_text().splitlines()
    collected, replies = {}, []
    for doc in map(json.loads, documents):
        text, shown = config["doc_to_text"](doc), config["doc_to_visual"](doc)
        messages = config["doc_to_messages"](doc)
        parts = [part for message in messages for part in message["content"]]
        expect("\n\n".join(part["text"] for part in parts if part["type"] == "text") == text, f"{what}: words differ")
        expect([part["url"].tobytes() for part in parts if part["type"] == "image"] == [each.tobytes() for each in shown], f"{what}: pictures differ")
        reply = reply_to(text, keys)
        replies.append({"request": doc["request"], "reply": reply})
        for name, value in config["process_results"](doc, [reply]).items():
            collected.setdefault(name, []).append(value)
    run, asked = folder / f"{what}-run", options.get("workflow", "direct")
    words = ["run", dataset, "--workflow", asked, "--model", "asked elsewhere", "--re-asks", "0", "-o", run]
    words += ["--volumes", options["volumes"]] if "volumes" in options else []
    (folder / "replies.jsonl").write_text("".join(json.dumps(each) + "\n" for each in replies))
    say([*words, "--replay", folder / "replies.jsonl", "--max-failures", "100%"])
    expected = fiducial.score(dataset, run, **score_options).numbers()
    for metric in config["metric_list"]:
        value = metric["aggregation"](collected[metric["metric"]])
        expect(value == expected.get(metric["metric"]), f"{what}: {metric['metric']} is {value}, expected {expected.get(metric['metric'])}")
    expect(len(config["metric_list"]) > 1 and any(expected.get(metric["metric"]) for metric in config["metric_list"]), f"{what}: nothing is scored")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        fiducial.demo(root / "demo", cases=2, seed=6)
        cases, scans, tables = root / "demo/medthinkvqa", root / "demo/rexgroundingct", root / "demo/curated/radgenome"
        keys = [json.loads(line) for line in (cases / "test.jsonl").read_text().splitlines()]
        check("medthinkvqa", root, cases, {}, {"task": "diagnosis"}, keys)
        check("vqa", root, tables, {"workflow": "vqa", "volumes": scans / "volumes"}, {}, keys)
        check("ground", root, scans, {"workflow": "ground", "volumes": scans / "volumes"}, {"volumes": scans / "volumes"}, keys)
    print(*problems, f"lmms-eval: {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
