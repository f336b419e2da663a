"""A corpus in the layout of MedThinkVQA for the planted reader (planted_effects.h), and what it must score.

Every case has a word of its own in its history and options. Every field that a prompt must not show holds a mark: a word
that stands nowhere else. The reader's table names them all.

usage: planted_corpus.py FOLDER [CASES]
"""

import hashlib
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from fixtures import medthink  # noqa: E402

MILLION = 1_000_000
EFFECTS = {"base": 300_000, "share": 200_000,
           "cues": {"expert_hint": 30_000, "expert_summary": 350_000, "self_hint": -30_000, "self_summary": -50_000},
           "efforts": {"none": 0, "minimal": 10_000, "low": 30_000, "medium": 60_000, "high": 80_000, "xhigh": 90_000},
           "effort_tokens": {"none": 0, "minimal": 20, "low": 200, "medium": 800, "high": 2_000, "xhigh": 6_000}}
# Fields that only a switch may show, and those that none does.
FIELDS = ("caption", "findings", "title", "discussion", "icd", "interval")


def marked_row(number, images):
    """A case whose label fields hold marks, with the reader's line about it."""
    row = medthink.row(number, "planted")
    word = f"zorb{number:05d}"
    mark = {field: f"{field}mark{number:05d}" for field in FIELDS}
    mark["title"] = f"number {number}"  # the layout knows no other titles
    row["title"] = f"Case {mark['title']}"
    row["CLINICAL_HISTORY"] = f"A patient of {20 + number % 60} years with cough since the visit {word}."
    row["IMAGING_FINDINGS"] = f"A wall that is thick, {mark['findings']}."
    row["discussion"] = f"It is {mark['discussion']}."
    row["options"] = {letter: f"Disease {word}option{letter.lower()}" for letter in medthink.LETTERS}
    row["correct_answer_text"] = row["options"][row["correct_answer"]]
    row["ICD Block"] = f"J09-J18 - Pneumonia {mark['icd']}"
    row["is_longitudinal"], row["timepoint_count"] = True, 2
    row["interval_text"] = f"2 months {mark['interval']}"
    for name in [name for name in row if name.startswith("image_")]:
        del row[name]
    row["image_count"] = images
    marks = {field: [mark[field]] for field in FIELDS}
    marks["caption"] = []
    for slot in range(1, images + 1):
        name = f"im{number:05d}{slot:02d}"
        marks["caption"].append(f"captionmark{number:05d}x{slot:02d}")
        row.update({f"image_{slot:02d}_id": name, f"image_{slot:02d}_path": f"images/case{number:05d}/{name}.jpg",
                    f"image_{slot:02d}_caption": f"A grey shadow, {marks['caption'][-1]}.",
                    f"image_{slot:02d}_modality": "CT", f"image_{slot:02d}_sub_modality": "Contrast-enhanced CT"})
    return row, {"id": f"case {number}", "word": word, "key": row["correct_answer"], "images": [], "marks": marks}


def write_corpus(folder, cases, first=70001):
    """Writes test.jsonl with its images, and planted.json beside; returns the reader's table."""
    folder = pathlib.Path(folder)
    rows, table = [], []
    for number in range(first, first + cases):
        row, line = marked_row(number, images=1 + number % 5)
        for slot in range(1, row["image_count"] + 1):
            picture = medthink.jpeg_bytes(row[f"image_{slot:02d}_id"])
            path = folder / "data" / row[f"image_{slot:02d}_path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(picture)
            line["images"].append(hashlib.sha256(picture).hexdigest())
        rows.append(row)
        table.append({**line, "title": row["title"]})
    medthink.write_rows(folder / "data" / "test.jsonl", rows)
    planted = {"effects": EFFECTS, "cases": table}
    (folder / "planted.json").write_text(json.dumps(planted))
    return planted


def draw(case_id):
    return int.from_bytes(hashlib.sha256(f"draw {case_id}".encode()).digest()[:8], "big") % MILLION


def is_right(line, images, cues=(), effort="none"):
    """Whether the reader answers a case rightly with this many of its images."""
    chance = EFFECTS["base"] + EFFECTS["share"] * images // len(line["images"]) + EFFECTS["efforts"][effort]
    return draw(line["id"]) < chance + sum(EFFECTS["cues"][cue] for cue in cues)


def expected_right(planted, images_of=None, cues=(), effort="none"):
    """Titles of the cases that are answered rightly; images_of says how many images of a case are sent."""
    count = images_of or (lambda line: len(line["images"]))
    return {line["title"] for line in planted["cases"] if is_right(line, count(line), cues, effort)}


if __name__ == "__main__":
    write_corpus(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40)
