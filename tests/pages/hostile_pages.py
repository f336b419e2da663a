#!/usr/bin/env python3
"""Pages hold what data and submissions say as text, whatever it looks like.

usage: hostile_pages.py FIDUCIAL

Scores a small corpus of every task that the command lists, in which names, texts, labels, answers, metadata and the
system's name are markup, and compares two such runs. The pages are parsed: no element and no attribute may come from
the data, and the data must be there as text. A task without a corpus here fails.
"""

import csv
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
CASES = 4

TAGS = set("""html head meta title style body main p h1 h2 h3 bdi b em br small code pre nav ol ul li a section div article
    header span table thead tbody tr th td figure figcaption img input svg g path circle line rect text use image""".split())
ATTRIBUTES = set("""lang charset name content http-equiv class id href role aria-label aria-hidden type alt src title
    tabindex viewbox d cx cy r x y x1 x2 y1 y2 width height preserveaspectratio transform font-size text-anchor""".split())


def attack(field):
    return f"\"'><xss-{field} xss-{field}=\"1\" onload=alert(1)>&lt;</title></style><!--{{{{title}}}}"


def fixture(kind, *words):
    subprocess.run([sys.executable, "-m", "fixtures", kind, *map(str, words)], cwd=TESTS, check=True, capture_output=True)


def poisoned(value, fields, key=None):
    """A JSON document in which the texts below some keys end in markup."""
    if isinstance(value, dict):
        return {name: poisoned(each, fields, key if key in fields else name) for name, each in value.items()}
    if isinstance(value, list):
        return [poisoned(each, fields, key) for each in value]
    return value + attack(key) if isinstance(value, str) and key in fields else value


def poison_lines(path, *fields):
    lines = path.read_text().splitlines()
    path.write_text("".join(json.dumps(poisoned(json.loads(line), fields)) + "\n" for line in lines))


def poison_table(path, *columns):
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        for row in rows:
            writer.writerow({name: text + attack(name.lower()) if name in columns else text for name, text in row.items()})


def finding_masks(folder):
    fixture("rex", folder / "data", "--cases", CASES, "--findings", 2)
    fixture("predictions", folder / "data", folder / "predictions", "--kind", "shifted")
    listed = folder / "data/dataset.json"
    listed.write_text(json.dumps(poisoned(json.loads(listed.read_text()), ("findings", "protocol"))))
    (folder / "predictions" / "extra\"'><xss-file xss-file=1>.nii.gz").write_bytes(b"")
    return folder / "data", folder / "predictions", [], {"findings", "protocol", "file"}


def diagnosis(folder):
    fixture("medthink", folder / "data", "--cases", CASES)
    fixture("medthink-predictions", folder / "data", folder / "predictions.jsonl", "--kind", "steps")
    poison_lines(folder / "data/test.jsonl", "CLINICAL_HISTORY", "A", "C", "ICD Category")
    lines = [json.loads(line) for line in (folder / "predictions.jsonl").read_text().splitlines()]
    for line in lines:
        line["prediction"] = "A"
        line["prediction_twi"]["step3_differential_reasoning"] += attack("rationale")
    (folder / "predictions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder / "data", folder / "predictions.jsonl", [], {"CLINICAL_HISTORY", "A", "rationale"}


def tables(folder):
    fixture("radgenome", folder / "data", "--volumes", CASES)
    fixture("radgenome-answers", folder / "data", folder / "predictions")
    for place in ("data", "predictions"):
        for path in (folder / place).iterdir():
            poison_table(path, "Finding", "Abnormality")
    poison_table(folder / "predictions/presence.csv", "Answer")
    poison_table(folder / "predictions/region_report.csv", "Answer")
    return folder / "data", folder / "predictions"


def region_tables(folder):
    return *tables(folder), [], {"finding", "answer"}


def organ_masks(folder):
    data, _ = tables(folder)
    fixture("nifti", folder / "organ.nii.gz")
    for i in range(CASES):
        name = f"valid_{i // 2 + 1}_{'ab'[i % 2]}_1"
        for place, organs in ((data / "validation_anatomy_mask", ("heart", "liver")), (folder / "organs/masks", ("heart",))):
            (place / f"seg_{name}").mkdir(parents=True)
            for organ in organs:
                shutil.copy(folder / "organ.nii.gz", place / f"seg_{name}" / f"{organ}.nii.gz")
    return data, folder / "organs", ["--spacing", "1,1,2"], set()


def grounded_reports(folder):
    data, _, _, _ = finding_masks(folder)
    fixture("grounded-reports", data, folder / "reports")
    lines = [json.loads(line) for line in (folder / "reports/grounded_reports.jsonl").read_text().splitlines()]
    for line in lines:
        line["sentences"] = [{"text": each["text"] + attack("sentence"), "channel": each["channel"]}
                             for each in reversed(line["sentences"])]
    (folder / "reports/grounded_reports.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return data, folder / "reports", [], {"findings", "sentence"}


def controls(folder):
    fixture("controls", folder / "data", "--cases", CASES)
    fixture("control-answers", folder / "data", folder / "predictions", "--kind", "drawn")
    poison_lines(folder / "data/controls.jsonl", "category")
    (folder / "predictions" / "extra\"'><xss-file xss-file=1>.nii.gz").write_bytes(b"")
    return folder / "data", folder / "predictions", [], {"category", "file"}


CORPORA = {each.__name__: each for each in (finding_masks, diagnosis, region_tables, organ_masks, grounded_reports, controls)}


class Page(html.parser.HTMLParser):
    """Tags and attributes of a document, and its text with that of attributes."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), ""
        self.feed(path.read_text())
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            self.text += " " + (value or "")

    def handle_data(self, data):
        self.text += data


def expect_plain(page, fields, what):
    assert page.tags <= TAGS, f"{what}: elements {sorted(page.tags - TAGS)}"
    assert page.attributes <= ATTRIBUTES, f"{what}: attributes {sorted(page.attributes - ATTRIBUTES)}"
    for field in fields:
        marker = f"<xss-{field} xss-{field}=\"1\" onload=alert(1)>" if field != "file" else "<xss-file xss-file=1>"
        assert marker in page.text, f"{what}: the text of {field} is not shown as it is"


def run(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stderr}"


def attack_task(fiducial, task, folder):
    folder.mkdir()
    assert task in CORPORA, f"there is no corpus for task {task}: add one to {pathlib.Path(__file__).name}"
    data, predictions, words, fields = CORPORA[task](folder)
    for number in range(2):
        run(fiducial, "score", data, predictions, "-o", folder / f"out{number}", "--task", task, "--system",
            f"{number}{attack('system')}", "--max-failures", "100%", *words)
    expect_plain(Page(folder / "out0/report.html"), fields | {"system"}, task)
    run(fiducial, "score", data, predictions, "-o", folder / "private", "--task", task, "--private", "--min-group", "2",
        "--system", attack("system"), "--max-failures", "100%", *words)
    expect_plain(Page(folder / "private/report.html"), {"system"}, f"private {task}")
    run(fiducial, "compare", folder / "out0", folder / "out1", "--report", folder / "compared.html", "--resamples", "100")
    expect_plain(Page(folder / "compared.html"), {"system"}, f"compared {task}")


def main():
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    tasks = json.loads(subprocess.run([fiducial, "info", "--json"], capture_output=True, text=True, check=True).stdout)["tasks"]
    with tempfile.TemporaryDirectory() as name:
        for task in tasks:
            attack_task(fiducial, task["id"], pathlib.Path(name) / task["id"])
    print(f"pages of {len(tasks)} tasks hold hostile texts as text")


if __name__ == "__main__":
    main()
