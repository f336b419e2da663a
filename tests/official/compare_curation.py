#!/usr/bin/env python3
"""Holds `fiducial curate --mode official` against slow versions of the published rules, written here with Python's own
random, csv and str: option pruning, option cropping and the text-only filter on seeded adversarial inputs.

usage: compare_curation.py FIDUCIAL ROUNDS
"""

import csv
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DROPPED = ("raw_output parsed_answer_letter parsed_explanation gt_letter is_eval_eligible is_correct answer_token_topk "
           "answer_letter_probs answer_letter_probs_norm answer_confidence model_answer model_explanation answer").split()
WORDS = ["Sarcoidosis", "sarcoidosis", "Lung  cancer", "lung cancer", "Straße", "STRASSE", "Ménière", "Wilson's disease",
         "Wilsons disease", "cyst - simple", "cyst  simple", "abscess/empyema", "Œdème", "ﬁbrosis", "fibrosis", "tuberculosis",
         "pulmonary tuberculosis", "Hamartoma", "hydatid cyst", "AVM", "Castleman disease", "İleus", "_x", "½ lobe"]


# The generator draws with random.Random; these follow the rules of the published scripts as they are described.

def lower_norm(text):
    return " ".join(str(text).split()).lower()


def folded_norm(text):
    text = " ".join(str(text).casefold().split())
    return re.sub(r"[^\w\s]", "", text)


def prune(items, seed):
    generator = random.Random(seed)
    out = []
    for item in items:
        item = dict(item)
        field = "options" if item.get("options") else "gpt_options"
        options = item[field]
        if isinstance(options, list):
            options = dict(zip(LETTERS, options))
        letters = list(options)

        def letter(value):
            value = str(value).strip().upper() if isinstance(value, str) else ""
            return value if len(value) == 1 and value in options else None

        def by_text(value):
            return next((each for each in letters if value and lower_norm(options[each]) == lower_norm(value)), None)

        key = (letter(item.get("gt_letter")) or letter(item.get("correct_answer_letter")) or letter(item.get("correct_answer")) or
               by_text(item.get("correct_answer")) or by_text(item.get("correct_answer_text")))
        said = [(item.get("raw_output") or {}).get("answer"), item.get("answer")]
        choice = next(filter(None, [*(letter(item.get(name)) for name in ("parsed_answer_letter", "answer_letter", "pred_letter",
                                                                          "model_answer_letter")),
                                    *(letter(each) or by_text(each) for each in said)]), None)
        correct = item["is_correct"] if isinstance(item.get("is_correct"), bool) else key is None or choice == key
        kept = letters
        if len(letters) > 5:
            keep = [each for each in letters if each == key or (not correct and each == choice)]
            rest = [each for each in letters if each not in keep]
            keep += generator.sample(rest, 5 - len(keep))
            kept = [each for each in letters if each in keep]
        new = {LETTERS[i] if len(letters) > 5 else each: options[each] for i, each in enumerate(kept)}
        item["options"] = new
        item["n_options"] = len(new)
        if key:
            if len(letters) > 5 or len(item.get("correct_answer", "A").strip()) == 1:
                item["correct_answer"] = list(new)[kept.index(key)]
            item["correct_answer_text"] = options[key]
        out.append({name: value for name, value in item.items() if name not in DROPPED})
    return out


def first_letter(value):
    found = re.search("[A-Za-z]", str(value or ""))
    return found.group().upper() if found else None


def select(final, candidates, record, generator):
    """The five options in the order they were chosen, and the key's text."""
    norm = folded_norm(final)
    answer = final
    if norm:
        same = [each for each in candidates if folded_norm(each) == norm]
        near = [each for each in candidates if folded_norm(each) in norm or norm in folded_norm(each)]
        answer = (same or near or [final])[0]
    if record:
        options = record.get("options") or {}
        if isinstance(options, list):
            options = dict(zip(LETTERS, options))
        elif all(len(each) == 1 for each in options):
            options = {each.upper(): options[each] for each in sorted(options)}
        key = first_letter(record.get("gt_letter")) or first_letter(record.get("correct_answer"))
        if key not in options:
            wanted = [folded_norm(record.get("correct_answer_text") or ""), norm]
            key = next((each for text in wanted if text for each in options if folded_norm(options[each]) == text), None)
        if len(options) >= 5 and key:
            choice = first_letter(record.get("parsed_answer_letter"))
            keep = [key]
            if record.get("is_correct") is False and choice in options and choice != key:
                keep.append(choice)
            keep += generator.sample([each for each in options if each not in keep], 5 - len(keep))
            return [options[each] for each in options if each in keep], options[key]
    key_norm = folded_norm(answer)
    others = [each for each in candidates if folded_norm(each) != key_norm]
    if len(others) >= 4:
        chosen = generator.sample(others, 4)
    else:
        chosen = [others[i % len(others)] for i in range(4)] if others else []
        chosen += [each for each in dict.fromkeys(candidates) if each != answer and each not in chosen][:4 - len(chosen)]
        chosen += [answer] * (4 - len(chosen))
    return [answer, *chosen], answer


def crop(rows, records, seed):
    generator = random.Random(seed)
    chosen = []
    for index, row in enumerate(rows):
        candidates = [piece.strip(" ;\t\r\n") for piece in row["differential_diagnosis"].split(";;")]
        candidates = [piece for piece in candidates if piece]
        if len(candidates) < 5:
            chosen.append(([""] * 5, "", False))
        elif len(candidates) == 5:
            norm = folded_norm(row["final_diagnosis"])
            same = [i for i, each in enumerate(candidates) if folded_norm(each) == norm]
            near = [i for i, each in enumerate(candidates) if folded_norm(each) in norm or norm in folded_norm(each)]
            found = (same or near) if norm else []
            key = ""
            if found:
                answer = folded_norm(candidates[found[0]])
                key = LETTERS[next(i for i, each in enumerate(candidates) if folded_norm(each) == answer)]
            chosen.append((candidates, key, False))
        else:
            chosen.append((*select(row["final_diagnosis"], candidates, records.get(index), generator), True))
    more = [index for index, each in enumerate(chosen) if each[2]]
    targets = [letter for i, letter in enumerate("ABCDE") for _ in range(len(more) // 5 + (i < len(more) % 5))]
    generator.shuffle(targets)
    for index, target in zip(more, targets):
        options, key, _ = chosen[index]
        others = list(options)
        key = others.pop(next(i for i, each in enumerate(others) if folded_norm(each) == folded_norm(key)))
        generator.shuffle(others)
        at = LETTERS.index(target)
        chosen[index] = (others[:at] + [key] + others[at:], target, True)
    return [[*options, key] for options, key, _ in chosen]


def match_keys(item):
    for name in ("source_row_index", "source_link", "title"):
        value = "" if item.get(name) is None else str(item[name]).strip()
        if value:
            yield f"{name}:{value}"
    title = lower_norm(item.get("title") or "")
    history = lower_norm(next((item[name] for name in ("CLINICAL_HISTORY", "clinical_history", "clinical history") if item.get(name)), ""))
    if title or history:
        yield f"title+history:{title}|{history}"


def probe_result(item):
    if "is_correct" in item:
        flag = item["is_correct"]
        if isinstance(flag, (bool, int, float)):
            return bool(flag)
        word = flag.strip().lower() if isinstance(flag, str) else ""
        return True if word in ("true", "1", "yes", "y") else False if word in ("false", "0", "no", "n") else None
    def first(names):
        text = next((str(item[name]) for name in names if str(item.get(name) or "").strip()), "")
        return text.strip().upper()[:1]
    prediction = first(("parsed_answer_letter", "prediction", "answer", "pred", "predicted_answer"))
    key = first(("gt_letter", "correct_answer", "answer_key", "label"))
    return prediction == key if prediction and key else None


def filtered(items, probes, mode):
    indices = []
    for probe in probes:
        index, twice = {}, set()
        for item in probe:
            for key in match_keys(item):
                if key in index:
                    twice.add(key)
                index[key] = probe_result(item)
        indices.append({key: value for key, value in index.items() if key not in twice})
    kept = []
    for item in items:
        key = next(match_keys(item), None)
        results = [index[key] for index in indices if key in index and index[key] is not None]
        if not results or not (any if mode == "any" else all)(results):
            kept.append(item)
    return kept


# Inputs.

def make_items(generator):
    for number in range(generator.randint(1, 12)):
        count = generator.choice([2, 3, 5, 6, 7, 8, 12, 24])
        texts = generator.choices(WORDS, k=count)
        item = {"title": f"t{number}", generator.choice(["options", "options", "gpt_options"]):
                texts if generator.random() < .4 else dict(zip(LETTERS, texts))}
        letters = LETTERS[:count]
        for name in ("gt_letter", "correct_answer_letter", "correct_answer", "correct_answer_text"):
            if generator.random() < .6:
                item[name] = generator.choice([*letters, "Z", "zzz", generator.choice(letters).lower(), " " + texts[0].upper() + " "])
        for name in ("parsed_answer_letter", "pred_letter", "answer"):
            if generator.random() < .5:
                item[name] = generator.choice([*letters, "q", ""])
        if generator.random() < .4:
            item["raw_output"] = {"answer": generator.choice(letters)}
        if generator.random() < .5:
            item["is_correct"] = generator.choice([True, False, None, "no"])
        yield item


def make_rows(generator):
    rows, records = [], {}
    for index in range(generator.randint(1, 14)):
        candidates = generator.choices(WORDS, k=generator.choice([3, 5, 5, 6, 7, 9, 30]))
        if generator.random() < .2:
            candidates = generator.choices(WORDS[:2], k=7)
        final = generator.choice([generator.choice(candidates), generator.choice(WORDS), "nothing of these", "", " "])
        rows.append({"case_title": f"Fall „{index}“, neu", "final_diagnosis": final, "note": "a \"b\"\nc",
                     "differential_diagnosis": generator.choice([";;", " ;; ", ";;;"]).join(candidates)})
        if generator.random() < .5:
            texts = generator.choices(WORDS, k=generator.choice([4, 5, 6, 8]))
            records[index] = {"source_row_index": index, "options": dict(zip(LETTERS, texts)), "gt_letter": generator.choice(["A", "(b)", "", "Z"]),
                              "correct_answer": generator.choice(["C", None]), "correct_answer_text": generator.choice(texts).upper(),
                              "parsed_answer_letter": generator.choice(["D", "Answer: B", None]), "is_correct": generator.choice([True, False, None])}
    return rows, records


def make_filter(generator):
    def item(number):
        out = {}
        if generator.random() < .7:
            out["source_row_index"] = generator.choice([number, str(number), None])
        if generator.random() < .5:
            out["source_link"] = f"l{generator.randint(0, 5)} "
        if generator.random() < .7:
            out["title"] = f"Title {generator.randint(0, 6)}"
        if generator.random() < .5:
            out[generator.choice(["CLINICAL_HISTORY", "clinical_history"])] = generator.choice(["a  B", "A b", "ÉÉ"])
        return out
    items = [dict(item(number), n=number) for number in range(10)]
    probes = []
    for _ in range(generator.randint(1, 3)):
        probe = [item(generator.randint(0, 10)) for _ in range(10)]
        for each in probe:
            if generator.random() < .5:
                each["is_correct"] = generator.choice([True, False, 1, 0.0, "Yes", "n", None, "?"])
            each[generator.choice(["prediction", "answer", "pred"])] = generator.choice(["B", "b) x", "Answer: B", "", "Beta"])
            each[generator.choice(["gt_letter", "correct_answer", "label"])] = generator.choice(["A", "B", ""])
        probes.append(probe)
    return items, probes


def run(fiducial, folder, *words):
    done = subprocess.run([fiducial, "curate", *words, "--mode", "official", "--overwrite"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{words}: status {done.returncode}\n{done.stderr}")


def expect(what, seed, found, wanted):
    if found != wanted:
        first = next((pair for pair in zip(found, wanted) if pair[0] != pair[1]), (len(found), len(wanted)))
        raise SystemExit(f"{what}, seed {seed}: found\n{first[0]}\nexpected\n{first[1]}")


def one_round(fiducial, folder, seed):
    generator = random.Random(f"curation {seed}")
    items = list(make_items(generator))
    (folder / "items.json").write_text(json.dumps(items))
    run(fiducial, folder, "options", "items.json", "-o", "pruned.json", "--seed", str(seed))
    expect("options", seed, json.loads((folder / "pruned.json").read_text()), prune(items, seed))

    rows, records = make_rows(generator)
    with open(folder / "cases.csv", "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    (folder / "records.json").write_text(json.dumps({"data": list(records.values())}))
    run(fiducial, folder, "crop", "cases.csv", "records.json", "-o", "cropped.csv", "--seed", str(seed))
    wanted = crop(rows, records, seed)
    with open(folder / "wanted.csv", "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*rows[0], *(f"Option{letter}" for letter in "ABCDE"), "correct Answer"])
        writer.writerows([*row.values(), *cells] for row, cells in zip(rows, wanted))
    expect("crop", seed, (folder / "cropped.csv").read_bytes().split(b"\r\n"), (folder / "wanted.csv").read_bytes().split(b"\r\n"))

    items, probes = make_filter(generator)
    (folder / "all.json").write_text(json.dumps(items))
    words = []
    for number, probe in enumerate(probes):
        (folder / f"probe{number}.json").write_text(json.dumps(probe))
        words += ["--probe", f"probe{number}.json"]
    for mode in ("any", "all"):
        run(fiducial, folder, "text-filter", "all.json", "-o", "kept.json", "--remove-when", mode, *words)
        expect(f"text-filter {mode}", seed, json.loads((folder / "kept.json").read_text()), filtered(items, probes, mode))


def main():
    fiducial, rounds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        for seed in range(rounds):
            one_round(fiducial, pathlib.Path(name), seed)
    print(f"{rounds} rounds of option pruning, cropping and text filtering agree")


if __name__ == "__main__":
    main()
