"""A test split of questions with answers, as large and as divided as MedThinkVQA's. The same bytes every time."""

import json
import pathlib
import random
import sys

LETTERS = "ABCDE"
MODALITIES = ("CT", "MRI", "X-ray", "Ultrasound", "Pathology")


def images(number, source):
    count = min(49, 1 + int(source.expovariate(1 / 7)))
    out = {"image_count": count}
    for slot in range(1, count + 1):
        modality = source.choice(MODALITIES)
        name = f"image_{slot:02d}"
        out |= {f"{name}_id": f"i{slot}", f"{name}_path": f"images/case{number:05d}/i{slot}.jpg", f"{name}_caption": "a mass",
                f"{name}_modality": modality, f"{name}_sub_modality": f"{modality} {source.randrange(5)}"}
    return out


def case(number, source):
    key, category = source.choice(LETTERS), source.randrange(1000)
    options = {letter: f"Diagnosis {letter} of {number}" + "x" * source.randrange(9) for letter in LETTERS}
    longitudinal = source.random() < 0.3
    return {"title": f"Case number {number}", "CLINICAL_HISTORY": "A patient with cough.", "IMAGING_FINDINGS": "A mass.",
            "discussion": "", "options": options, "correct_answer": key, "correct_answer_text": options[key],
            "ICD Chapter": f"Chapter {category % 20}", "ICD Block": f"Block {category % 200}",
            "ICD Category": f"Category {category}", "is_longitudinal": longitudinal,
            "timepoint_count": 2 if longitudinal else 1, "interval_text": "unknown" if longitudinal else "",
            **images(number, source)}


def answer(entry, source):
    letter = entry["correct_answer"] if source.random() < 0.5 else source.choice(LETTERS)
    return {"title": entry["title"], "prediction": letter if source.random() < 0.8 else f"I think it is {letter}"}


def write(folder, cases):
    source = random.Random(7)
    entries = [case(number, source) for number in range(1, cases + 1)]
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("test", entries), ("answers", [answer(entry, source) for entry in entries])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
