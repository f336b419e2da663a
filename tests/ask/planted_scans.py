#!/usr/bin/env python3
"""Scans with planted effects: what is sent of a scan is exactly what was computed for it with NumPy and nibabel, and the answers
to questions depend on it, so a window, a slice or an outline that is dropped fails by number. Columns of answers hold marks
that no request may hold.

usage: planted_scans.py FIDUCIAL SCRIPTED_ENDPOINT
"""

import csv
import hashlib
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import zlib

import nibabel
import numpy

import scan_corpus
from planted_corpus import MILLION
from scripted import Checks, Endpoint

SCANS = 4
LUNG = {"name": "lung window", "centre_hu": -600, "width_hu": 1500}
SOFT = {"name": "soft tissue window", "centre_hu": 40, "width_hu": 400}


def policy(name, **members):
    return {"schema": "fiducial.view_policy/1", "name": name, "of": "scans", "planes": ["axial"], "windows": [LUNG, SOFT],
            "slices": {"rule": "uniform", "count": 4}, "longest_px": 96, "side_letters": False, **members}


ASKED = {"rule": "through", "of": "asked", "count": 3}
POLICIES = [policy("both"), policy("lung", windows=[LUNG]), policy("soft", windows=[SOFT]),
            policy("one", slices={"rule": "uniform", "count": 1}),
            policy("planes", planes=["axial", "coronal", "sagittal"], windows=[LUNG]),
            policy("outline", slices=ASKED, region={"of": "asked", "as": "outline"}),
            policy("crop", slices=ASKED, region={"of": "asked", "as": "crop", "margin_mm": 4}),
            policy("mask", slices=ASKED, region={"of": "asked", "as": "mask"})]


def draw(text):
    return int.from_bytes(hashlib.sha256(f"draw {text}".encode()).digest()[:8], "big") % MILLION


def read_png(data):
    """Pixels of an 8-bit PNG, read by its definition."""
    width, height, _, colour = numpy.frombuffer(data[16:26], ">u4,>u4,u1,u1")[0].tolist()
    step = {0: 1, 2: 3}[colour]
    packed, at = b"", 8
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        packed += data[at + 8:at + 8 + length] if data[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + length
    rows = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + width * step).astype(int)
    above, out = [0] * (width * step + step), []
    for filtered in rows:
        line = [0] * step
        for i, value in enumerate(filtered[1:]):
            left, up, corner = line[i], above[i + step], above[i]
            guess = left + up - corner
            paeth = min((abs(guess - other), order, other) for order, other in enumerate((left, up, corner)))[2]
            line.append((int(value) + (0, left, up, (left + up) // 2, paeth)[filtered[0]]) % 256)
        above = line
        out.append(line[step:])
    pixels = numpy.array(out, numpy.uint8).reshape(height, width, step)
    return pixels[:, :, 0] if step == 1 else pixels


def has_region(view):
    return "region" in view


def seen_pictures(checks, fiducial, folder, view, name, place):
    """The pictures of `fiducial view`, each held against pixels computed here; returns hash -> tags."""
    output = folder / "seen" / view["name"] / name / (place.replace("/", "_") or "whole")
    words = [fiducial, "view", folder / "data", name, "--volumes", folder / "ct", "--masks", folder / "masks", "--policy",
             folder / f"{view['name']}.json", "--region", place, "-o", output]
    ended = subprocess.run(words, capture_output=True, text=True)
    if not checks.equal(ended.returncode, 0, f"{view['name']} of {name} is drawn: {ended.stderr[-300:]}"):
        return {}
    organ = place.split("/")[-1]
    mask = folder / "masks" / f"seg_{name}" / f"{organ}.nii.gz" if place and has_region(view) else None
    expected = scan_corpus.expected_pictures(folder / "ct" / f"{name}.nii.gz", view, mask)
    manifest = json.loads((output / "manifest.json").read_text())
    checks.equal(len(manifest["pictures"]), len(expected), f"{view['name']} of {name} {place}: pictures")
    found = {}
    for entry, pixels in zip(manifest["pictures"], expected):
        bytes_of = (output / entry["file"]).read_bytes()
        drawn = read_png(bytes_of)
        same = drawn.shape == pixels.shape and (drawn == pixels).all()
        checks.that(same, f"{view['name']} of {name} {place}, {entry['note']}: pixels as computed")
        checks.equal(hashlib.sha256(bytes_of).hexdigest(), entry["sha256"], "the hash of the manifest")
        tags = [window["name"] for window in view["windows"] if window["name"] in entry["note"]]
        found[entry["sha256"]] = tags + ([f"{view['region']['as']} {place}"] if mask else [])
    return found


# What a question gains from what it is shown, in parts per million.
GAINS = {"lung window": 150_000, "soft tissue window": 100_000, "outline": 200_000, "crop": 120_000, "mask": 60_000}
BASE, SHARE, OF = 200_000, 160_000, 8
WRONG = {"presence": {"Yes.": "No", "No.": "Yes"}}
REPLIES = {"abnormality": "findings", "disorders": "findings", "location": "path", "size": "size"}


def question_of(kind, row):
    """The words of a question, with the replies that are right and wrong."""
    place = row.get("Anatomy", "") if kind != "location" else ""
    name = place.split("/")[-1]
    words = {"presence": f"Is there {row.get('Finding')} in the {name} ({place})", "size": f"How large is the nodule in the {name}",
             "abnormality": f"What is abnormal in the {name}", "location": "names: nodule.", "disorders": "Which disorders"}[kind]
    answer = row[{"presence": "Presence", "size": "Size", "abnormality": "Abnormality", "location": "Anatomy",
                  "disorders": "Disorders"}[kind]]
    if kind == "presence":
        right, wrong = {"answer": answer[:-1]}, {"answer": WRONG[kind][answer]}
    elif kind in ("abnormality", "disorders"):
        right, wrong = {"findings": [answer]}, {"findings": ["haematoma"]}
    else:
        right, wrong = {REPLIES[kind]: answer}, {REPLIES[kind]: "heart/heart" if kind == "location" else "999 mm"}
    return place, [words], json.dumps(right), json.dumps(wrong)


def questions_of(folder):
    out = {}
    for kind, table in (("presence", "vqa_presence"), ("abnormality", "vqa_abnormality"), ("location", "vqa_location"),
                        ("size", "vqa_size"), ("disorders", "case_disorders")):
        with open(folder / "data" / f"validation_{table}.csv", newline="") as file:
            for row in csv.DictReader(file):
                place, words, right, wrong = question_of(kind, row)
                key = (row["Volumename"], kind, place, row.get("Finding", ""))
                if key in out:
                    continue
                tags = {tag: gain for tag, gain in GAINS.items() if tag.endswith("window")}
                tags.update({f"{rule} {place}": GAINS[rule] for rule in ("outline", "crop", "mask") if place})
                out[key] = {"id": " ".join(key), "kind": kind, "scan": row["Volumename"], "place": place, "words": words,
                            "right": right, "wrong": wrong, "base": BASE, "share": SHARE, "pictures": OF, "tags": tags}
    return list(out.values())


def chance(question, view):
    gained = sum(GAINS[window["name"]] for window in view["windows"])
    regional = has_region(view) and question["place"]
    if regional:
        gained += GAINS[view["region"]["as"]]
    pictures = len(view["planes"]) * len(view["windows"]) * view["slices"]["count"]
    return BASE + SHARE * pictures // OF + gained


def expected_accuracy(questions, view):
    """Share of right answers by kind."""
    right = {}
    for question in questions:
        right.setdefault(question["kind"], []).append(draw(question["id"]) < chance(question, view))
    return {kind: sum(found) / len(found) for kind, found in right.items()}


METRICS = {"presence": "presence_accuracy", "abnormality": "abnormality_exact", "disorders": "disorders_exact", "location": "location_any_of"}


def run_words(fiducial, folder, view, url, output):
    return [fiducial, "run", folder / "data", "--workflow", "vqa", "--model", "planted", "--endpoint", url, "--volumes", folder / "ct",
            "--masks", folder / "masks", "--view", folder / f"{view['name']}.json", "-o", output]


def check_policy(checks, tools, folder, view, questions):
    fiducial, program = tools
    output = folder / "runs" / view["name"]
    with Endpoint(program, folder / "endpoints" / view["name"], planted=folder / "planted.json") as endpoint:
        ended = subprocess.run(run_words(fiducial, folder, view, endpoint.url(), output), capture_output=True, text=True)
        leaks = [line["leak"] for line in endpoint.requests() if "leak" in line]
        status = endpoint.stop()
    checks.that(status == 0 and not leaks, f"{view['name']}: no request holds what it must not: {leaks[:2]}")
    if not checks.equal(ended.returncode, 0, f"{view['name']} runs: {ended.stderr[-400:]}"):
        return
    scores = folder / "scores" / view["name"]
    ended = subprocess.run([fiducial, "score", folder / "data", output, "-o", scores, "--no-report", "--max-failures", "100%"],
                           capture_output=True, text=True)
    if not checks.equal(ended.returncode, 0, f"{view['name']} is scored: {ended.stderr[-400:]}"):
        return
    metrics = json.loads((scores / "summary.json").read_text())["metrics"]
    for kind, accuracy in expected_accuracy(questions, view).items():
        if kind in METRICS:
            found = next((slot["value"] for name, slot in metrics.items() if name.startswith(METRICS[kind])), None)
            checks.that(found is not None and abs(found - accuracy) < 1e-12, f"{view['name']}, {kind}: {found}, planted {accuracy}")


def check_kills(checks, tools, folder, view):
    """A run that is killed again and again ends with the bytes of one that was not, and draws and asks nothing twice."""
    fiducial, program = tools
    output = folder / "runs" / "killed"
    with Endpoint(program, folder / "endpoints" / "killed", planted=folder / "planted.json") as endpoint:
        words = run_words(fiducial, folder, view, endpoint.url(), output)
        for wait in (1, 8, 30):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and len(endpoint.requests()) < wait:
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
            process.wait()
        drawn = {path: path.stat().st_mtime_ns for path in (output / "images").iterdir()}
        ended = subprocess.run(words, capture_output=True, text=True)
        status = endpoint.stop()
    checks.equal((ended.returncode, status), (0, 0), f"a killed run goes on: {ended.stderr[-300:]}")
    whole = folder / "runs" / view["name"]
    for name in ("predictions.jsonl", "presence.csv", "abnormality.csv", "location.csv", "size.csv", "disorders.csv"):
        checks.equal((output / name).read_bytes(), (whole / name).read_bytes(), f"{name} after kills")
    checks.that(all(path.stat().st_mtime_ns == at for path, at in drawn.items()), "no picture is written twice")


def check_ground(checks, tools, folder, names, view):
    """Boxes become the voxels that were computed for them, alone and within a region, and are scored as such."""
    scores = scan_corpus.write_findings(folder, names, view)
    stand_in = str(pathlib.Path(__file__).resolve().parent / "endpoint.py")
    for regions in ([], ["left lung"]):
        output = folder / "runs" / ("ground" + "".join(regions)).replace(" ", "_")
        says = json.dumps({"regions": regions, "boxes": scan_corpus.BOXES})
        words = [tools[0], "run", folder / "rex", "--workflow", "ground", "--model", "planted", "--endpoint", "{url}", "--volumes",
                 folder / "ct", "--masks", folder / "masks", "--view", folder / f"{view['name']}.json", "-o", output]
        ended = subprocess.run([sys.executable, stand_in, "--says", says, "--", *words], capture_output=True, text=True)
        if not checks.equal(ended.returncode, 0, f"ground runs: {ended.stderr[-400:]}"):
            return
        for name in names:
            found = numpy.asarray(nibabel.load(output / f"{name}.nii.gz").dataobj)
            expected = scan_corpus.boxed_voxels(folder / "ct" / f"{name}.nii.gz", view, scan_corpus.BOXES)
            for region in regions:
                expected &= numpy.asarray(nibabel.load(folder / "masks" / f"seg_{name}" / f"{region}.nii.gz").dataobj) > 0
            checks.that(found.shape[0] == 2 and all((channel > 0).tobytes() == expected.tobytes() for channel in found),
                        f"{name}: boxes {regions} cover {int((found[0] > 0).sum())} voxels, computed {int(expected.sum())}")
    output = folder / "scores" / "ground"
    ended = subprocess.run([tools[0], "score", folder / "rex", folder / "runs" / "ground", "-o", output, "--no-report"],
                           capture_output=True, text=True)
    if checks.equal(ended.returncode, 0, f"ground is scored: {ended.stderr[-400:]}"):
        found = json.loads((output / "summary.json").read_text())["metrics"]["dice_per_finding"]["value"]
        planted = sum(scores) / len(scores)
        checks.that(abs(found - planted) < 1e-9, f"dice_per_finding {found}, planted {planted}")


def check_grounded_report(checks, tools, folder, names, view):
    """Sentences with places become a grounded report that score takes; expected counts are exact."""
    output = folder / "runs" / "grounded_report"
    says = json.dumps({"sentences": [{"text": "A nodule is seen in the lung.", "regions": ["lung"], "boxes": scan_corpus.BOXES},
                                     {"text": "No pleural effusion.", "regions": [], "boxes": []}]})
    words = [tools[0], "run", folder / "rex", "--workflow", "grounded-report", "--model", "planted", "--endpoint", "{url}", "--volumes",
             folder / "ct", "--view", folder / f"{view['name']}.json", "-o", output]
    stand_in = str(pathlib.Path(__file__).resolve().parent / "endpoint.py")
    ended = subprocess.run([sys.executable, stand_in, "--says", says, "--", *words], capture_output=True, text=True)
    if not checks.equal(ended.returncode, 0, f"grounded-report runs: {ended.stderr[-400:]}"):
        return
    lines = [json.loads(line) for line in (output / "grounded_reports.jsonl").read_text().splitlines()]
    checks.equal([line["case"] for line in lines], [f"{name}.nii.gz" for name in names], "a line a scan")
    scores = folder / "scores" / "grounded_report"
    ended = subprocess.run([tools[0], "score", folder / "rex", output, "-o", scores, "--no-report", "--max-failures", "100%"],
                           capture_output=True, text=True)
    if checks.equal(ended.returncode, 0, f"the grounded report is scored: {ended.stderr[-400:]}"):
        metrics = json.loads((scores / "summary.json").read_text())["metrics"]
        values = {name: slot["value"] for name, slot in metrics.items()}
        checks.equal([values.get(name) for name in ("fact_precision", "fact_recall", "grounded_recall")], [1, 0.5, 0.5],
                     f"one fact of two, in its place: {values}")


def main():
    tools = tuple(str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        names, marks = scan_corpus.write_corpus(folder, SCANS)
        pictures = {}
        for view in POLICIES:
            (folder / f"{view['name']}.json").write_text(json.dumps(view))
            for scan in names:
                for place in ("", scan_corpus.LEFT, scan_corpus.RIGHT) if has_region(view) else ("",):
                    for hash_of, tags in seen_pictures(checks, tools[0], folder, view, scan, place).items():
                        entry = pictures.setdefault(hash_of, {"scan": f"{scan}.nii.gz", "tags": []})
                        entry["tags"] = sorted({*entry["tags"], *tags})
        questions = questions_of(folder)
        (folder / "planted.json").write_text(json.dumps({"effects": {}, "cases": [], "scans": {
            "pictures": pictures, "questions": questions, "marks": marks}}))
        for view in POLICIES:
            check_policy(checks, tools, folder, view, questions)
        check_kills(checks, tools, folder, POLICIES[5])
        check_ground(checks, tools, folder, names, POLICIES[1])
        check_grounded_report(checks, tools, folder, names, POLICIES[1])
    return checks.status()


if __name__ == "__main__":
    sys.exit(main())
