#!/usr/bin/env python3
"""diagnosis_cases.py OUT: a folder shaped like the train split of MedThinkVQA, as JSONL and as Parquet, and two files of
captions, references and predictions, as many as its test split has images; and predictions with all steps for every case.
The same bytes every time; kept once written.

7,347 rows of about 11.5 KB with all 49 slots written out, which makes 84 MB of JSONL; words are drawn, one in 150 is not
ASCII.
"""

import json
import pathlib
import random
import sys

ROWS = 7347
CAPTIONS = 5845
WORDS = ("axial contrast enhanced image of the upper abdomen shows a well defined mass in left lobe liver with peripheral nodular "
         "enhancement and central scar no evidence lymph node enlargement is seen on coronal T2-weighted sequence there was high "
         "signal intensity pleural effusion fracture line cortical bone marrow oedema diffusion restriction").split()
RARE = ["–", "½", "°C", "β-hCG", "Ménière"]


def words(generator, count):
    return " ".join(generator.choice(RARE) if generator.random() < 1 / 150 else generator.choice(WORDS) for _ in range(count))


def row(number, generator):
    images = min(49, 1 + int(generator.expovariate(1 / 5.5)))
    options = {letter: words(generator, generator.randint(1, 4)) + f" {letter}" for letter in "ABCDE"}
    key = generator.choice("ABCDE")
    out = {"title": f"Case number {number}", "CLINICAL_HISTORY": words(generator, 45),
           "IMAGING_FINDINGS": words(generator, 190) + "\n" + words(generator, 40), "discussion": words(generator, 320),
           "options": options, "correct_answer": key, "correct_answer_text": options[key],
           "ICD Chapter": "Chapter XIII - Diseases", "ICD Block": "M30-M36 - Disorders", "ICD Category": "M33 - Category",
           "is_longitudinal": number % 3 == 0, "timepoint_count": 1 + (number % 3 == 0),
           "interval_text": "2 months" if number % 3 == 0 else "", "image_count": images}
    for slot in range(1, 50):
        used = slot <= images
        name = f"i{number:05d}{slot:02d}"
        out[f"image_{slot:02d}_id"] = name if used else None
        out[f"image_{slot:02d}_path"] = f"images/case{number:05d}/{name}.jpg" if used else None
        out[f"image_{slot:02d}_caption"] = words(generator, 22) if used else None
        out[f"image_{slot:02d}_modality"] = "CT" if used else None
        out[f"image_{slot:02d}_sub_modality"] = "Contrast-enhanced CT" if used else None
    return out


def write_rows(folder):
    import pyarrow
    import pyarrow.parquet
    generator = random.Random(20260418)
    rows = [row(number, generator) for number in range(1, ROWS + 1)]
    (folder / "jsonl").mkdir(exist_ok=True)
    (folder / "parquet").mkdir(exist_ok=True)
    with open(folder / "jsonl" / "train.jsonl", "w", encoding="utf-8") as out:
        for each in rows:
            out.write(json.dumps(each, ensure_ascii=False) + "\n")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "parquet" / "train.parquet", row_group_size=1000)


def write_captions(folder):
    generator = random.Random(5845)
    lengths = [generator.randint(5, 60) for _ in range(CAPTIONS)]
    for name in ("references.txt", "predictions.txt"):
        (folder / name).write_text("".join(words(generator, length) + "\n" for length in lengths), encoding="utf-8")


def said(text, generator):
    """A text with a tenth of its words left out, and half of the others drawn anew."""
    kept = (word for word in text.split() if generator.random() > 0.1)
    return " ".join(word if generator.random() < 0.5 else generator.choice(WORDS) for word in kept)


def write_steps(folder):
    generator = random.Random(7347)
    with open(folder / "jsonl" / "train.jsonl", encoding="utf-8") as rows, \
            open(folder / "steps.jsonl", "w", encoding="utf-8") as out:
        for each in map(json.loads, rows):
            findings = [said(each[f"image_{slot:02d}_caption"], generator) for slot in range(1, each["image_count"] + 1)]
            steps = {"step1_per_image_findings": findings, "step2_integrated_summary": said(each["IMAGING_FINDINGS"], generator)}
            line = {"title": each["title"], "prediction": generator.choice("ABCDE"), "prediction_twi": steps}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    if (folder / "steps.jsonl").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder)
    write_captions(folder)
    write_steps(folder)


if __name__ == "__main__":
    main()
