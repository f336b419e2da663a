#!/usr/bin/env python3
"""Proves that a new metric, dataset or verb is one file and one line: adds one of each, and lets the command and Python
check, count, describe, score and open a dataset of the new layout. A metric of texts shows in every task that has texts.

usage: add_one_of_each.py --over BUILD --ninja NINJA   compiles the added files and their lists, and links them over BUILD
       add_one_of_each.py --copy PYTHON_WITH_PYARROW   builds a copy of the tree from nothing; without Python
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import linked_over

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COPIED = ("src", "apps", "cmake", "tools", "CMakeLists.txt", "CMakePresets.json")
# What is added: a file to a folder, and a line to the list of its kind.
ADDED = {
    "extra_voxels.cpp": ("src/fiducial/metrics", "all_metrics", "FIDUCIAL_METRIC(extra_voxels)"),
    "equal_texts.cpp": ("src/fiducial/metrics", "all_text_metrics", "FIDUCIAL_TEXT_METRIC(equal_texts)"),
    "mask_folder.cpp": ("src/fiducial/datasets", "all_datasets", "FIDUCIAL_DATASET(mask_folder)"),
    "greet.cpp": ("apps/cli/commands", "../all_commands", "FIDUCIAL_COMMAND(greet)"),
}


def run(command, folder, status=0, **more):
    done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != status:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-8000:]}")
    return done.stdout


def expect(what, found, expected):
    if found != expected:
        raise SystemExit(f"{what}: expected {expected!r}, found {found!r}")


def add_to(tree):
    """Puts every added file, and its line, into a tree; a list that the tree lacks is taken from here."""
    for file, (folder, name, line) in ADDED.items():
        (tree / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / file, tree / folder / file)
        for ending in ("cpp", "def"):
            listed = (ROOT / folder / f"{name}.{ending}").resolve()
            if not (tree / listed.relative_to(ROOT)).exists():
                shutil.copy(listed, tree / listed.relative_to(ROOT))
        with open(tree / folder / f"{name}.def", "a") as lines:
            lines.write(line + "\n")


def copied_and_built(folder, python):
    """The command of a copy of the tree."""
    tree = folder / "tree"
    tree.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("*_test.cpp"))
        else:
            shutil.copy(source, tree / name)
    add_to(tree)
    run(["cmake", "--preset", "dev", f"-DFIDUCIAL_PYTHON={pathlib.Path(python).absolute()}"], tree)
    run(["cmake", "--build", "--preset", "dev", "--target", "fiducial"], tree)
    return tree / "build/bin/fiducial"


def write_data(folder):
    """Two cases of the new layout, and predictions for them."""
    for words in (["rex", folder / "rex", "--cases", "2"],
                  ["predictions", folder / "rex", folder / "predictions", "--kind", "full"]):
        run([sys.executable, "-m", "fixtures", *words], ROOT / "tests")
    (folder / "data").mkdir()
    (folder / "rex/segmentations").rename(folder / "data/masks")


def try_command(fiducial, folder):
    expect("the new verb", run([fiducial, "greet"], folder), "hello\n")
    checked = run([fiducial, "check", "data", "--predictions", "predictions"], folder).splitlines()[-1]
    expect("check", checked, 'mask_folder: 2 cases and 2 submitted files of "test" checked: 0 errors, 0 warnings, 0 notes')
    run([fiducial, "check", "data", "--volumes", "data"], folder, status=2)
    counted = json.loads(run([fiducial, "stats", "data", "--masks", "--json", "--plots", "drawings"], folder))
    expect("stats", (counted["benchmark"], counted["all"]["scans"], counted["all"]["findings"]), ("mask_folder", 2, 4))
    expect("drawings", len(list((folder / "drawings").glob("*.svg"))), 4)
    card = json.loads(run([fiducial, "card", "make", "data", "--json"], folder))
    expect("card", card["benchmark_details"]["name"], "Folder of masks")
    run([fiducial, "score", "data", "predictions", "-o", "out", "--metrics", "extra"], folder)
    summary = json.loads((folder / "out/summary.json").read_text())
    expect("the new dataset", summary["benchmark"], "mask_folder")
    expect("the new metric's slot", list(summary["metrics"]), ["extra_voxels_per_finding"])
    expect("findings behind it", summary["metrics"]["extra_voxels_per_finding"]["n"], 4)
    expect("its direction", summary["metrics"]["extra_voxels_per_finding"]["better"], "lower")
    mask = sorted((folder / "data/masks").iterdir())[0]
    whole = mask.read_bytes()
    mask.write_bytes(b"no mask")
    refused = run([fiducial, "check", "data"], folder, status=3)
    expect("what is wrong", "error mask_unreadable (1)" in refused, True)
    mask.write_bytes(whole)


def write_texts(folder):
    """For every task that has texts: a dataset, and predictions for it."""
    for words in (["medthink", "cases", "--cases", "4"],
                  ["medthink-predictions", "cases", "answers.jsonl", "--kind", "steps"],
                  ["radgenome", "volumes", "--volumes", "4"],
                  ["radgenome-answers", "volumes", "tables", "--kind", "perfect"],
                  ["rex", "scans", "--cases", "2"],
                  ["grounded-reports", "scans", "reports"]):
        paths = [folder / word if at in (1, 2) and not word.startswith("-") else word for at, word in enumerate(words)]
        run([sys.executable, "-m", "fixtures", *paths], ROOT / "tests")
    return {"diagnosis": ("cases", "answers.jsonl", ["equal_texts_step1", "equal_texts_step2"]),
            "region_tables": ("volumes", "tables", ["equal_texts"]),
            "grounded_reports": ("scans", "reports", ["equal_texts"])}


def try_texts(fiducial, folder):
    for task, (data, predictions, slots) in write_texts(folder).items():
        run([fiducial, "score", data, predictions, "-o", f"out_{task}", "--task", task, "--max-failures", "100%"], folder)
        metrics = json.loads((folder / f"out_{task}/summary.json").read_text())["metrics"]
        expect(f"slots of the new text metric in {task}", [slot for slot in metrics if "equal_texts" in slot], slots)
        expect(f"texts behind it in {task}", all(metrics[slot]["n"] > 0 for slot in slots), True)
    listed = json.loads(run([fiducial, "info", "--json"], folder))
    for task in listed["tasks"]:
        if task["id"] in ("diagnosis", "region_tables"):
            expect(f"what --metrics takes in {task['id']}", "equal" in task["metrics"], True)


IN_PYTHON = """
import fiducial
dataset = fiducial.open("data")
print(dataset.benchmark, len(dataset), dataset.tasks, len(dataset[0].findings))
print(fiducial.check("data").ok, fiducial.stats("data")["all"]["scans"])
print(fiducial.cards.make("data")["benchmark_details"]["name"])
print(fiducial.score("data", "predictions", metrics=["extra"], output="out_python").summary["benchmark"])
"""
FROM_PYTHON = """mask_folder 2 ['finding_masks'] 2
True 2
Folder of masks
mask_folder
"""


def try_python(package, folder):
    printed = run([sys.executable, "-c", IN_PYTHON], folder, env={**os.environ, "PYTHONPATH": str(package.parent)})
    expect("Python", printed, FROM_PYTHON)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--over", type=pathlib.Path)
    parser.add_argument("--ninja")
    parser.add_argument("--copy")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.copy:
            fiducial, package = copied_and_built(folder, options.copy), None
        else:
            tree = folder / "tree"
            add_to(tree)
            fiducial, package = linked_over.built(linked_over.Build(options.over.resolve(), options.ninja, ROOT), tree)
        write_data(folder)
        try_command(fiducial, folder)
        try_texts(fiducial, folder)
        if package:
            try_python(package, folder)
    print("one metric of masks, one of texts, one dataset and one verb added by one file and one line each")


if __name__ == "__main__":
    main()
