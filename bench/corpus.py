#!/usr/bin/env python3
"""Curates, checks and scores the tables of 2,569 and 25,692 generated reports, each command a process from start to exit.

    python bench/corpus.py --bin-dir build/release/bin --data build/bench-data [--repeat N] [--json FILE] [--against BIN_DIR]

Goals, on one thread: 50,000 reports a second for labels; 200,000 rows a second for making, checking and scoring tables
of questions; labels, region reports, questions and regions of 25,692 reports in under 20 s together; and no more memory for ten
times the reports than a quarter more, or what a row's numbers take (32 bytes).
"""

import csv
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from processes import arguments, timed
from two_builds import Ratios, in_turns

COUNTS = (2569, 25692)
LEAST_REPORTS_A_SECOND, LEAST_ROWS_A_SECOND, MOST_SECONDS = 50_000, 200_000, 20
BYTES_A_ROW = 32
TABLES = {"vqa_presence.csv": ("presence.csv", "Presence"), "vqa_abnormality.csv": ("abnormality.csv", "Abnormality"),
          "vqa_location.csv": ("location.csv", "Anatomy"), "vqa_size.csv": ("size.csv", "Size"),
          "case_disorders.csv": ("disorders.csv", "Disorders")}


def answer(table, folder):
    """Copies a table to answers, every fifth of which says nothing of the kind; returns rows and right ones."""
    name, column = TABLES[table.name]
    rows = right = 0
    with table.open(newline="") as source, (folder / name).open("w", newline="") as target:
        reader = csv.DictReader(source)
        keys = [key for key in reader.fieldnames if key not in (column, "Basis", "Sources")]
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow([*keys, "Answer"])
        for rows, row in enumerate(reader, 1):
            wrong = rows % 5 == 0
            right += not wrong
            said = {"Yes.": "No.", "No.": "Yes."}.get(row[column], "a thing nobody has") if wrong else row[column]
            writer.writerow([*(row[key] for key in keys), said])
    return rows, right


def commands(fiducial, folder, scratch):
    reports = folder / "reports.csv"

    def curate(stage, output, *words):
        return [fiducial, "curate", stage, reports, "-o", scratch / output, "--overwrite", *words]

    return {"labels": curate("labels", "labels.csv"), "regions": curate("regions", "regions.csv"),
            "reports": curate("reports", "reports"), "vqa": curate("vqa", "vqa", "--seed", "1"),
            "check": [fiducial, "check", folder / "vqa", "--threads", "1"],
            "score": [fiducial, "score", folder / "vqa", folder / "answers", "-o", scratch / "scores", "--overwrite",
                      "--threads", "1", "--no-report"]}


def generated(options, count):
    """The folder of a corpus, its questions with answers; returns it with rows of tables and right answers by table."""
    folder = options.data / f"corpus_{count}"
    subprocess.run([options.bin_dir / "bench_reports", "make", folder, str(count)], check=True)
    subprocess.run([options.bin_dir / "fiducial", "curate", "vqa", folder / "reports.csv", "-o", folder / "vqa", "--seed",
                    "1", "--overwrite"], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(folder / "answers", ignore_errors=True)
    (folder / "answers").mkdir()
    return folder, {name: answer(folder / "vqa" / name, folder / "answers") for name in TABLES}


def check(scratch, answers, reports):
    """Scores and sizes of what was written, against what the answers were made to be."""
    summary = json.loads((scratch / "scores" / "summary.json").read_text())
    slots = {"vqa_presence.csv": "presence_accuracy", "vqa_abnormality.csv": "abnormality_exact",
             "case_disorders.csv": "disorders_exact"}
    for name, slot in slots.items():
        rows, right = answers[name]
        found = summary["metrics"][slot]["value"]
        if rows and abs(found - right / rows) > 1e-12:
            sys.exit(f"bench: {slot} is {found}, {right} of {rows} answers are right")
    if summary["counts"]["questions"] != sum(rows for rows, _ in answers.values()):
        sys.exit(f"bench: {summary['counts']['questions']} questions were scored")
    with (scratch / "labels.csv").open(newline="") as file:
        labelled = sum(1 for _ in csv.reader(file)) - 1
    if labelled != reports:
        sys.exit(f"bench: {labelled} of {reports} reports are labelled")


def measured(options, count):
    folder, answers = generated(options, count)
    rows = sum(each for each, _ in answers.values())
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        work = {key: [str(word) for word in command]
                for key, command in commands(options.bin_dir / "fiducial", folder, scratch).items()}
        runs = {key: [] for key in work}
        for turn in range(options.repeat + 1):
            for key, command in work.items():
                took = timed(command)
                if turn > 0:
                    runs[key].append(took)
            if turn == 0:
                check(scratch, answers, count)
    out = {"count": count, "rows": rows}
    for key, took in runs.items():
        wall, cpu, peak = zip(*took)
        out[key] = {"wall_s": statistics.median(wall), "cpu_s": statistics.median(cpu), "peak_mb": max(peak)}
        amount, unit = (rows, "rows") if key in ("vqa", "check", "score") else (count, "reports")
        print(f"corpus/{count}/{key:<8} {out[key]['wall_s']:>8.2f} s wall {out[key]['cpu_s']:>8.2f} s cpu "
              f"{out[key]['peak_mb']:>6.0f} MB {amount / out[key]['cpu_s']:>9.0f} {unit} a second of cpu", flush=True)
    return out


def goals(few, many):
    yield f"{LEAST_REPORTS_A_SECOND} reports a second for labels", many["count"] / many["labels"]["cpu_s"] >= LEAST_REPORTS_A_SECOND
    for key in ("vqa", "check", "score"):
        yield f"{LEAST_ROWS_A_SECOND} rows a second for {key}", many["rows"] / many[key]["cpu_s"] >= LEAST_ROWS_A_SECOND
    tables = sum(many[key]["wall_s"] for key in ("labels", "reports", "vqa", "regions"))
    yield f"tables of {many['count']} reports under {MOST_SECONDS} s ({tables:.1f} s)", tables < MOST_SECONDS
    for key in ("labels", "regions", "reports", "vqa", "check", "score"):
        more = BYTES_A_ROW * (many["rows"] - few["rows"]) / 2**20 if key in ("vqa", "check", "score") else 0
        allowed = 1.25 * few[key]["peak_mb"] + more
        yield f"flat memory of {key}", many[key]["peak_mb"] <= allowed


def against(options):
    """Every command of both builds in turns, and no goals."""
    ratios = Ratios()
    for count in COUNTS:
        folder, _ = generated(options, count)
        with tempfile.TemporaryDirectory() as name:
            works = {}
            for bin_dir in (options.bin_dir, options.against):
                scratch = pathlib.Path(name) / str(len(works))
                scratch.mkdir()
                for key, command in commands(bin_dir / "fiducial", folder, scratch).items():
                    works[key, bin_dir] = lambda command=command: timed([str(word) for word in command])
            took = in_turns(works, options.repeat)
        for key in commands(options.bin_dir, folder, folder):
            ratios.add(f"corpus/{count}/{key}", *([cpu for _, cpu, _ in took[key, bin_dir]]
                                                  for bin_dir in (options.bin_dir, options.against)))
    return ratios.status()


def main():
    options = arguments(__doc__, 5)
    if options.against:
        return against(options)
    print("\ncorpus: tables of generated reports, one thread")
    few, many = (measured(options, count) for count in COUNTS)
    reached = list(goals(few, many))
    for what, is_reached in reached:
        print(f"goal: {what} {'reached' if is_reached else 'MISSED'}")
    if options.json:
        options.json.write_text(json.dumps([few, many], indent=2) + "\n")
    return 0 if all(is_reached for _, is_reached in reached) else 1


if __name__ == "__main__":
    sys.exit(main())
