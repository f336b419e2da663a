#!/usr/bin/env python3
"""A reader with planted effects: every setting of `fiducial run` must give exactly the answers that were planted for it, so
a run that drops an image, a cue or the effort fails by number. Label fields hold marks that no request may hold unless
its switch is on; the reader ends with status 1 where it saw one.

usage: planted.py FIDUCIAL SCRIPTED_ENDPOINT
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

from scripted import Checks, Endpoint
import planted_corpus

CASES = 40
SHARES = (0, 20, 40, 60, 80, 100)


def images_of(share):
    """How many images of a case a share is: rounded half up, and at least one unless the share is 0."""
    return lambda line: max((2 * len(line["images"]) * share + 100) // 200, min(share, 1))


SETTINGS = [({"name": f"share_{share}", "words": ["--image-budget", f"{share}%"]}, {"images_of": images_of(share)})
            for share in SHARES]
SETTINGS += [({"name": f"effort_{effort}", "words": ["--effort", effort]}, {"effort": effort})
             for effort in ("minimal", "low", "medium", "high")]


def cue(hints, summary):
    """A setting of both cues; what the experts wrote is marked, and may be shown only where it is asked for."""
    planted = [f"{source}_{name}" for name, source in (("hint", hints), ("summary", summary)) if source != "none"]
    allowed = [field for field, source in (("caption", hints), ("findings", summary)) if source == "expert"]
    return ({"name": f"hints_{hints}_summary_{summary}", "words": ["--hints", hints, "--summary", summary], "allow": allowed,
             "workflow": "twi"}, {"cues": planted})


CUES = [cue(hints, summary) for hints in ("none", "expert", "self") for summary in ("none", "expert", "self")]
PROBES = [({"name": "text_only", "workflow": "text-only"}, {"images_of": images_of(0)}),
          ({"name": "options_only", "workflow": "options-only"}, {"images_of": images_of(0)})]


def run_setting(checks, tools, folder, setting, expected):
    """Runs one setting and holds answers, images sent and accuracy against what was planted."""
    fiducial, program, planted = tools
    name = setting["name"]
    with Endpoint(program, folder / "endpoints" / name, planted=folder / "planted.json", allow=setting.get("allow", ())) as endpoint:
        words = [fiducial, "run", folder / "data", "--workflow", setting.get("workflow", "direct"),
                 "--model", "planted", "--endpoint", endpoint.url(), "-o", folder / "runs" / name, *setting.get("words", [])]
        ended = subprocess.run(words, capture_output=True, text=True)
        leaks = [line["leak"] for line in endpoint.requests() if "leak" in line]
        status = endpoint.stop()
    checks.that(status == 0 and not leaks, f"{name}: no request holds what it must not: {leaks[:2]}")
    if not checks.equal(ended.returncode, 0, f"{name} runs: {ended.stderr[-400:]}"):
        return
    keys = {line["title"]: line["key"] for line in planted["cases"]}
    rows = [json.loads(line) for line in (folder / "runs" / name / "predictions.jsonl").read_text().splitlines()]
    found = {row["title"] for row in rows if row.get("prediction") == keys[row["title"]]}
    right = planted_corpus.expected_right(planted, **expected)
    checks.that(found == right, f"{name}: {len(found)} right answers, {len(right)} planted; "
                                f"differ: {sorted(found ^ right)[:3]}")
    check_score(checks, fiducial, folder, name, len(right) / CASES)


def check_score(checks, fiducial, folder, name, accuracy):
    output = folder / "scores" / name
    ended = subprocess.run([fiducial, "score", folder / "data", folder / "runs" / name, "-o", output, "--no-report"],
                           capture_output=True, text=True)
    if checks.equal(ended.returncode, 0, f"{name} is scored: {ended.stderr[-400:]}"):
        metrics = json.loads((output / "summary.json").read_text())["metrics"]
        values = {key: slot["value"] for key, slot in metrics.items() if key.startswith("accuracy")}
        checks.that(any(abs(value - accuracy) < 1e-12 for value in values.values()), f"{name}: {values}, planted {accuracy}")


CUE_TITLES = {("none", "none"): "no cue", ("expert", "none"): "expert hints", ("none", "expert"): "expert summary",
              ("expert", "expert"): "expert both", ("self", "none"): "self hints", ("none", "self"): "self summary",
              ("self", "self"): "self both"}


def planted_cells(planted):
    """What the tables of the paper must hold: table, effort and column to accuracy."""
    def accuracy(**expected):
        return len(planted_corpus.expected_right(planted, **expected)) / CASES

    cells = {("image_share", "", f"{share} %"): accuracy(images_of=images_of(share)) for share in SHARES}
    for effort in ("minimal", "low", "medium", "high"):
        cells["effort", "accuracy", effort] = accuracy(effort=effort)
        cells["main", effort, "accuracy"] = accuracy(effort=effort)
    for (hints, summary), title in CUE_TITLES.items():
        cells["cues", "", title] = accuracy(cues=cue(hints, summary)[1]["cues"])
    return cells


def check_tables(checks, fiducial, folder, planted):
    """The tables that are made again from the scores hold what was planted, cell by cell."""
    tables = folder / "tables"
    ended = subprocess.run([fiducial, "reproduce", "medthinkvqa", "--runs", folder / "scores", "-o", tables],
                           capture_output=True, text=True)
    if not checks.equal(ended.returncode, 0, f"tables are made again: {ended.stderr[-400:]}"):
        return
    found = {}
    for table in ("main", "image_share", "effort", "cues"):
        with open(tables / f"{table}.csv", newline="") as file:
            for row in csv.DictReader(file):
                kind = row["of"] if table == "effort" else row["effort"]
                if not row["source"]:  # not published, but made again
                    found[table, kind, row["column"]] = row["value"]
    for cell, accuracy in planted_cells(planted).items():
        value = found.get(cell, "")
        checks.that(value != "" and abs(float(value) - accuracy) < 1e-12, f"{cell}: {value or 'nothing'}, planted {accuracy}")
    checks.that("--effort xhigh" in ended.stdout, "an empty cell says what to run for it")
    checks.that((tables / "image_share.svg").exists(), "the share of images is drawn")


def reuse_cues(checks, tools, folder):
    """Cues of an earlier run are taken from it and not paid for again."""
    for source in ("self", "expert"):
        name = f"hints_{source}_summary_{source}"
        setting = {"name": f"from_{source}", "workflow": "twi", "allow": ["caption", "findings"] if source == "expert" else [],
                   "words": ["--hints", f"run:{folder / 'runs' / name}", "--summary", f"run:{folder / 'runs' / name}"]}
        run_setting(checks, tools, folder, setting, {"cues": [f"{source}_hint", f"{source}_summary"]})
        requests = (folder / "endpoints" / f"from_{source}" / "requests.jsonl").read_text().count("\n")
        checks.equal(requests, CASES, f"from_{source}: one call a case")


def main():
    fiducial, program = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        planted = planted_corpus.write_corpus(folder, CASES)
        tools = (fiducial, program, planted)
        for setting, expected in SETTINGS + PROBES + CUES:
            run_setting(checks, tools, folder, setting, expected)
        reuse_cues(checks, tools, folder)
        check_tables(checks, fiducial, folder, planted)
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
