#!/usr/bin/env python3
"""Scores of every task on generated data are what they were: rows, summaries, rexrank.json, plans, pages, private outputs.

usage: frozen_runs.py FIDUCIAL [--update] [--filter WORD]

runs.json holds SHA-256 of what is large and the values of what is small. Files are compared by what they say: the order of
keys and columns, the hash of the plan inside the summary and the tool's version are left out. A difference names the run and
the first value that changed; --update writes what is found, for a change that is meant.
"""

import argparse
import hashlib
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile

import pyarrow.parquet

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
KEPT = HERE / "runs.json"

REX, QUESTIONS, TABLES = "demo/rexgroundingct", "demo/medthinkvqa", "demo/curated/radgenome"


def rex(system, *words):
    return [REX, f"demo/systems/rexgroundingct/{system}", *words]


def answers(system, *words):
    return [QUESTIONS, f"demo/systems/medthinkvqa/{system}/predictions.jsonl", "--system", system, *words]


def tables(system, *words):
    return [TABLES, f"demo/systems/radgenome/{system}", *words]


def grounded(system, *words):
    return [REX, f"demo/systems/grounded-report/{system}", "--task", "grounded_reports", *words]


def controls(system, *words):
    return ["controls", f"control-{system}", *words]


VOLUMES = ["--volumes", f"{REX}/volumes"]

# name: words behind `fiducial score`; "private" runs are written with --private.
RUNS = {
    "masks/good": rex("good", *VOLUMES),
    "masks/weak": rex("weak", *VOLUMES),
    "masks/flipped": rex("flipped"),
    "masks/all_metrics": rex("weak", *VOLUMES, "--metrics", "all", "--seed", "7"),
    "masks/official": rex("weak", "--mode", "official"),
    "masks/official_rules": rex("weak", "--mode", "official", "--min-size", "3", "--connectivity", "3"),
    "masks/global": rex("weak", "--mode", "official", "--global-only"),
    "masks/strict_train": rex("good", "--mode", "strict", "--split", "train", "--max-failures", "100%"),
    "masks/metadata": rex("good", *VOLUMES, "--group-by", "PatientSex,PatientAge"),
    "masks/missing": ["rex", "rex-missing", "--max-failures", "100%"],
    "masks/many": ["rex", "rex-shifted", "--metrics", "dice,hit,instances,panoptic"],
    "masks/private": rex("weak", *VOLUMES, "--private"),
    "answers/good": answers("good"),
    "answers/guessing": answers("guessing", "--seed", "3"),
    "answers/text-only": answers("text-only", "--max-failures", "100%"),
    "answers/official": answers("good", "--mode", "official"),
    "answers/all": answers("good", "--metrics", "all", "--baseline", "blind=demo/systems/medthinkvqa/text-only/predictions.jsonl"),
    "answers/groups": answers("guessing", "--group-by", "icd_chapter,images", "--accept-equal-options"),
    "answers/steps": ["medthink", "steps.jsonl", "--max-failures", "100%"],
    "answers/judged": ["medthink", "half.jsonl", "--verdicts", "verdicts.jsonl", "--ratings", "ratings.csv"],
    "answers/components": ["medthink", "steps.jsonl", "--components", "components.csv", "--max-failures", "100%"],
    "answers/private": answers("good", "--private"),
    "tables/careful": tables("careful"),
    "tables/blind": tables("blind", "--seed", "5"),
    "tables/presence": tables("careful", "--metrics", "presence"),
    "tables/masks": ["radgenome", "radgenome-answers", "--spacing", "1,1,2"],
    "tables/private": tables("careful", "--private"),
    "grounded/right": grounded("right"),
    "grounded/misplaced": grounded("misplaced"),
    "grounded/private": grounded("right", "--private"),
    "controls/drawn": controls("drawn"),
    "controls/deaf": controls("deaf", "--alarm-voxels", "30"),
    "controls/private": controls("drawn", "--private"),
}

VERDICTS = """\
{"title":"Case number 66","explanation_steps":["a","b"],"explanation_steps_checks":[\
{"step":1,"is_factual":true,"is_critical":true,"explanation":"ok"},\
{"step":2,"is_factual":false,"is_critical":true,"explanation":"no","error_types":["Image Understanding Err","Reasoning Err"]}]}
{"title":"Case number 67","explanation_steps":["a","b"],"explanation_steps_checks":[\
{"step":1,"is_factual":false,"is_critical":false,"explanation":"no","error_types":["Reasoning Err"]},\
{"step":2,"is_factual":true,"is_critical":false,"explanation":"ok"}]}
"""
RATINGS = """\
title,rater,disease_definition,clinical_manifestation,imaging_findings,diagnostic_reasoning,transferable_learning
Case number 66,a,2,1,1,0,2
Case number 66,b,2,2,2,2,2
Case number 67,a,0,1,1,1,0
Case number 67,b,0,1,2,1,1
"""
COMPONENTS = """\
title,step,image,radgraph,bertscore,semb,bleu2
Case number 66,1,1,1,1,1,1
Case number 67,1,1,0,0,0,0
Case number 67,1,2,0.5,0.5,0.5,0.5
Case number 66,2,,0.25,0.4,0.6,0.1
"""


def run(*words, cwd):
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr[-4000:]}")
    return done.returncode


def write_inputs(fiducial, folder):
    run(fiducial, "demo", "demo", cwd=folder)

    def fixture(kind, *paths, options=()):
        run(sys.executable, "-m", "fixtures", kind, *[folder / path for path in paths], *options, cwd=TESTS)

    fixture("rex", "rex", options=("--cases", "40", "--findings", "3"))
    fixture("predictions", "rex", "rex-missing", options=("--kind", "one-empty"))
    for number, path in enumerate(sorted((folder / "rex-missing").iterdir())):
        if number % 3 == 0:
            path.unlink()
        elif number % 7 == 0:
            path.write_text("no mask")
    fixture("predictions", "rex", "rex-shifted", options=("--kind", "shifted"))
    fixture("medthink", "medthink", options=("--cases", "24"))
    fixture("medthink-predictions", "medthink", "half.jsonl", options=("--kind", "half"))
    fixture("medthink-predictions", "medthink", "steps.jsonl", options=("--kind", "steps"))
    fixture("controls", "controls", options=("--cases", "24"))
    for kind in ("drawn", "deaf"):
        fixture("control-answers", "controls", f"control-{kind}", options=("--kind", kind))
    fixture("radgenome", "radgenome")
    fixture("radgenome-answers", "radgenome", "radgenome-answers")
    write_organs(folder)
    (folder / "verdicts.jsonl").write_text(VERDICTS)
    (folder / "ratings.csv").write_text(RATINGS)
    (folder / "components.csv").write_text(COMPONENTS)


def write_organs(folder):
    """Organ masks of the last volume of the tables: heart is predicted, liver is not."""
    table, = (folder / "radgenome").glob("*vqa_presence.csv")
    stem = table.read_text().splitlines()[-1].split(",")[0].removesuffix(".nii.gz")
    for place, organs in ((folder / "radgenome/validation_anatomy_mask", ("heart", "liver")), (folder / "radgenome-answers/masks", ("heart",))):
        (place / f"seg_{stem}").mkdir(parents=True)
        for organ in organs:
            run(sys.executable, "-m", "fixtures", "nifti", place / f"seg_{stem}" / f"{organ}.nii.gz", cwd=TESTS)


def sha(value):
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def table_values(path):
    table = pyarrow.parquet.read_table(path)
    return {name: table.column(name).to_pylist() for name in sorted(table.column_names)}


class Cells(html.parser.HTMLParser):
    """The texts of a page's tables, by the heading above them."""

    def __init__(self):
        super().__init__()
        self.tables, self.heading, self.inside, self.text = {}, "", None, ""

    def handle_starttag(self, tag, attributes):
        if tag in ("h1", "h2", "h3", "td", "th"):
            self.inside, self.text = tag, ""

    def handle_data(self, data):
        if self.inside:
            self.text += data

    def handle_endtag(self, tag):
        if tag != self.inside:
            return
        said = " ".join(self.text.split())
        if tag in ("td", "th"):
            self.tables.setdefault(self.heading, []).append(said)
        else:
            self.heading = said
        self.inside = None


def page_values(path):
    cells = Cells()
    cells.feed(path.read_text())
    return {heading: sha(texts) for heading, texts in cells.tables.items()}


# What a plan says of how and of what, wherever it says it.
PLAN_KEYS = ("benchmark", "split", "mode", "system", "seed", "resamples", "metrics", "dataset", "predictions", "inputs", "files",
             "dataset_files", "prediction_files")


def plan_values(plan):
    values = {key: plan[key] for key in PLAN_KEYS if plan.get(key)}
    return {key: value if len(json.dumps(value)) < 200 else sha(value) for key, value in values.items()}


def summary_values(summary):
    for key in ("plan_sha256", "tool_version"):
        summary["provenance"].pop(key, None)
    return summary


def values_of(folder, is_private):
    summary = summary_values(json.loads((folder / "summary.json").read_text()))
    plan = json.loads((folder / "plan.json").read_text())
    out = {"plan": plan_values(plan), "page": page_values(folder / "report.html")}
    if is_private:
        return {**out, "files": sorted(path.name for path in folder.iterdir()), "summary": summary}
    out["summary"] = {key: sha(value) for key, value in summary.items()}
    for path in sorted(folder.glob("*.parquet")):
        out[path.name] = {name: sha(values) for name, values in table_values(path).items()}
    if (folder / "rexrank.json").exists():
        out["rexrank.json"] = sha((folder / "rexrank.json").read_text())
    return out


def differences(found, kept, place=""):
    if isinstance(found, dict) and isinstance(kept, dict):
        for key in sorted(found.keys() | kept.keys()):
            if key not in kept:
                yield f"{place}/{key} is new"
            elif key not in found:
                yield f"{place}/{key} is gone"
            else:
                yield from differences(found[key], kept[key], f"{place}/{key}")
    elif found != kept:
        yield f"{place}: {json.dumps(found)[:300]}, was {json.dumps(kept)[:300]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fiducial")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    fiducial = pathlib.Path(options.fiducial).resolve()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    found, problems = {}, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_inputs(fiducial, folder)
        for each, words in RUNS.items():
            if options.filter not in each:
                continue
            out = folder / "scores" / each
            run(fiducial, "score", *words, "-o", out, cwd=folder)
            found[each] = values_of(out, "--private" in words)
            problems += [f"{each}{line}" for line in differences(found[each], kept.get(each, {}))]
    if options.update:
        KEPT.write_text(json.dumps({**kept, **found}, indent=1, sort_keys=True) + "\n")
        print(f"{len(found)} runs kept, {len(problems)} values changed")
        return
    for line in problems[:60]:
        print(line)
    if problems:
        sys.exit(f"{len(problems)} values differ from {KEPT.name}; a change that is meant is kept with --update")
    print(f"{len(found)} runs give what they gave")


if __name__ == "__main__":
    main()
