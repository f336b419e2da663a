#!/usr/bin/env python3
"""What a report denies is stated by no stage of `curate`, and what it states is denied by none.

usage: polarity_follows.py FIDUCIAL [--full] [--show N]

Templates state and deny the same findings, in every layout that people write. The sentences of real reports (of the data
pack, where there is one) are turned into their opposite, and back. Every sentence becomes a report of its own, and every
stage is run over all of them. --full takes every template for every finding and every sentence of the pack; the quick run
takes a fixed sample of both.
"""

import argparse
import csv
import gzip
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PACK_FILE = "ctrate/reports.csv.gz"
STAGES = ["standardise", "findings", "categories", "reports", "vqa", "tasks", "cot"]
SAMPLED_SENTENCES = 300
SAMPLED_TWINS = 600

# Words of a report, and what the facts call their finding.
FINDINGS = {
    "pleural effusion": "pleural_effusion",
    "pericardial effusion": "pericardial_effusion",
    "pneumothorax": "pneumothorax",
    "PTX": "pneumothorax",
    "PE": "embolism",
    "pulmonary embolism": "embolism",
    "GGO": "ground_glass",
    "LAP": "lymph_node",
    "mediastinal LAP": "lymph_node",
    "lymphadenopathy": "lymph_node",
    "consolidation": "consolidation",
    "emphysema": "emphysema",
    "atelectasis": "atelectasis",
    "bronchiectasis": "bronchiectasis",
    "cardiomegaly": "cardiomegaly",
    "hiatal hernia": "hiatal_hernia",
    "pulmonary nodule": "nodule",
    "rib fracture": "fracture",
    "sequela changes": "sequela",
    "atheroma plaques": "atheroma",
    "pneumonia": "pneumonia",
    "ascites": "ascites",
}
IN_LUNGS = {"consolidation", "emphysema", "atelectasis", "bronchiectasis", "pulmonary nodule", "GGO"}

DENIALS = [
    "No {x}.",
    "NO {x}.",
    "no {x}",
    "No pathological {x}.",
    "No significant {x} was detected.",
    "There is no {x}.",
    "There is no evidence of {x}.",
    "There is not any {x}.",
    "No evidence of {x}.",
    "No sign of {x}.",
    "{x}: not present.",
    "{x}: Not present.",
    "{x}: NOT PRESENT",
    "{x}: not seen.",
    "{x}: Not detected.",
    "{x}: none.",
    "{x}: None",
    "{x}: absent.",
    "{x}: negative.",
    "{x}: no.",
    "{x}: No",
    "{x} - none.",
    "{x} (-).",
    "{x}: (-)",
    "{x} not present.",
    "{x} not seen.",
    "{x} is not seen.",
    "{x} was not detected.",
    "{x} could not be detected.",
    "{x} is absent.",
    "{x} absent.",
    "{x} is excluded.",
    "{x} has resolved.",
    "{x} is no longer seen.",
    "Without {x}.",
    "Negative for {x}.",
    "Absence of {x}.",
    "Free of {x}.",
    "No {x} or {y}.",
    "No {x}, no {y}.",
    "No {x}/{y}.",
    "No {x} and no {y}.",
    "Neither {x} nor {y} is seen.",
    "There is no evidence of {x} or {y}.",
    "No {x}, {y} or abscess was detected.",
    "{x} and {y} were not observed.",
    "{x}, {y}: none.",
    "No new or old {x}.",
]
STATEMENTS = [
    "{x}.",
    "There is {x}.",
    "{x} is seen.",
    "{x} was detected.",
    "{x}: present.",
    "{x}: Present",
    "{x}: yes.",
    "{x} (+).",
    "Evidence of {x}.",
    "Positive for {x}.",
    "{x} is present.",
    "{x} and {y} are observed.",
    "There is {x}, and {y} is seen.",
]
# x is denied and y is stated.
MIXTURES = [
    "No {x}. {y} is seen.",
    "No {x}, but {y} is present.",
    "{y} without {x}.",
    "{x}: none. {y}: present.",
    "{x}: none\n{y}: present",
    "{y}: present; {x}: absent.",
    "There is {y}; no {x}.",
    "{y} is seen, {x} is not seen.",
    "{x} was not detected, however {y} was observed.",
]

PREDICATES = "observed|detected|seen|present|noted|found|identified"
# Words that deny, guess, judge or compare: sentences that hold none besides the one that is turned.
OTHER_CUES = re.compile(
    r"\b(no|not|non|nor|none|neither|without|absent|absence|negative|free|clear|never|cannot|denie[sd]|excluded|except|other|"
    r"but|however|although|though|while|whereas|yet|otherwise|besides|addition(al|ally)?|apart|than|normal|natural|open|"
    r"preserved|usual|homogeneous|intact|unremarkable|limits?|midline|evaluat\w*|examin\w*|previous\w*|prior|old|compar\w*|"
    r"former|current\w*|new\w*|regress\w*|resol\w*|disappear\w*|remov\w*|suspicious|suspected|suspicion|possible|possibly|"
    r"probabl\w*|likely|may|might|could|should|would|can|consider\w*|compatible|consistent|favou?r|thought|recommend\w*|"
    r"appropriate|follow\w*|if|whether|which|that|increase\w*|decrease\w*|change[sd]?|unchanged|stable|there|clinical\w*|"
    r"technique|contrast|differential|diagnosis|due|known|history|operated|status|measur\w*|monitored|watched|remarkable|"
    rf"evident|exists?|{PREDICATES})\b",
    re.IGNORECASE,
)
# A sentence that states, and what denies the same.
FORMS = [
    (rf"^(?P<a>.*\w) (?P<is>is|are|was|were) (?P<p>{PREDICATES})(?P<b>.*)$", "{a} {is} {p}{b}", "{a} {is} not {p}{b}"),
    (rf"^(?P<a>.*\w) (?P<is>is|are|was|were) not (?P<p>{PREDICATES})(?P<b>.*)$", "{a} {is} {p}{b}", "{a} {is} not {p}{b}"),
    (r"^There (?P<is>is|are) no (?P<b>.*)$", "There {is} {b}", "There {is} no {b}"),
    (r"^There (?P<is>is|are) (?:an? )?(?P<b>.*)$", "There {is} {b}", "There {is} no {b}"),
    (rf"^No (?P<b>.*\w) (?P<is>is|are|was|were) (?P<p>{PREDICATES})(?P<c>.*)$", "Some {b} {is} {p}{c}", "No {b} {is} {p}{c}"),
]


class Sentence:
    """A report of one sentence: what it states, and what it denies, by its words and by the name of the finding."""

    def __init__(self, text, stated=(), denied=(), words=True):
        self.text, self.stated, self.denied = text, list(stated), list(denied)
        self.has_words = words  # False: all that is found in it is denied, or stated


def twins(full):
    out = []
    pairs = [(x, y) for x, y in itertools.permutations(FINDINGS, 2) if FINDINGS[x] != FINDINGS[y]]
    for template in DENIALS + STATEMENTS + MIXTURES:
        chosen = pairs if "{y}" in template and full else list(zip(FINDINGS, list(FINDINGS)[7:] + list(FINDINGS)[:7]))
        for x, y in chosen:
            if FINDINGS[x] == FINDINGS[y]:
                continue
            text = template.format(x=x, y=y)
            text = text[0].upper() + text[1:] if not text.startswith("no ") else text
            named = [word for word, sign in ((x, "{x}"), (y, "{y}")) if sign in template]
            if template in DENIALS:
                out.append(Sentence(text, denied=named))
            elif template in STATEMENTS:
                out.append(Sentence(text, stated=named))
            else:
                out.append(Sentence(text, stated=[y], denied=[x]))
    return out


def turned(text):
    """The sentence that states and the one that denies what a sentence of a report says; None where it says more."""
    for form, states, denies in FORMS:
        match = re.match(form, text)
        if not match:
            continue
        parts = match.groupdict()
        if OTHER_CUES.search(" ".join(parts[name] for name in ("a", "b", "c") if parts.get(name))):
            return None
        if re.search(r"[?();:\"]|\. ", text):
            return None
        return states.format(**parts), denies.format(**parts)
    return None


def pack_sentences(path):
    seen = {}
    csv.field_size_limit(10**9)
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            for text in re.split(r"(?<=[a-z0-9)])\.\s+|\n", row["Findings_EN"] + " " + row["Impressions_EN"]):
                pair = turned(text.strip().rstrip("."))
                if pair:
                    seen[pair] = None
    return list(seen)


class Outputs:
    """Every stage, run over the sentences, and its output by report."""

    def __init__(self, fiducial, folder, sentences):
        self.folder, self.fiducial = folder, fiducial
        self.ids = [f"r{i}" for i in range(len(sentences))]
        table = self.write_table("reports.csv", [sentence.text for sentence in sentences])
        for stage in STAGES:
            self.run(stage, table, folder / (stage + (".json" if stage == "tasks" else "")))
        worded = [" ".join(self.sentences_of(self.read("standardise", "translated_reports", id))) for id in self.ids]
        self.run("findings", self.write_table("worded.csv", worded), folder / "worded")
        self.facts = self.by_report(folder / "findings/facts.jsonl")
        self.worded_facts = self.by_report(folder / "worded/facts.jsonl")
        self.abnormality = self.table("vqa/vqa_abnormality.csv")
        self.presence = self.table("vqa/vqa_presence.csv")
        self.location = self.table("vqa/vqa_location.csv")
        self.disorders = self.table("vqa/case_disorders.csv")
        self.grounded = self.table("reports/region_report.csv")
        self.chains = self.by_report(folder / "cot/chains.jsonl", "volume")
        self.tasks = {}
        for task in json.loads((folder / "tasks.json").read_text()):
            self.tasks[self.report_of(task["name"])] = list(task["metaData"].values())

    def write_table(self, name, texts):
        with (self.folder / name).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["VolumeName", "Findings_EN"])
            writer.writerows(zip(self.ids, texts))
        return self.folder / name

    def run(self, stage, table, output):
        words = [self.fiducial, "curate", stage, table, "-o", output] + (["--seed", "7"] if stage == "vqa" else [])
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"curate {stage} failed with {done.returncode}: {done.stderr}")

    @staticmethod
    def report_of(volume):
        return volume.removesuffix(".nii.gz").split("_")[0]

    def by_report(self, path, key="VolumeName"):
        out = {}
        for line in path.read_text().splitlines():
            entry = json.loads(line)
            out.setdefault(self.report_of(entry[key]), []).append(entry)
        return out

    def table(self, name):
        out = {}
        with (self.folder / name).open(newline="") as file:
            for row in csv.DictReader(file):
                out.setdefault(self.report_of(row["Volumename"]), []).append(row)
        return out

    def read(self, stage, kind, id):
        return json.loads((self.folder / stage / kind / f"{id}.json").read_text())

    @staticmethod
    def sentences_of(document):
        return [text for section in document["Findings"].values() for text in section]


class Verdict:
    """What the stages made of one sentence that goes against it."""

    def __init__(self, outputs, id, sentence):
        self.outputs, self.id, self.sentence, self.wrong = outputs, id, sentence, []

    def of(self, kind):
        return getattr(self.outputs, kind).get(self.id, [])

    def check(self):
        for name, facts in (("findings", self.of("facts")), ("standardise", self.of("worded_facts"))):
            self.check_facts(name, facts)
        rows = self.outputs.read("findings", "extracted_reports", self.id).values()
        self.check_texts("findings", [row[0] for row in rows if row[2] == "Y"])
        self.check_texts("tasks", self.of("tasks"))
        positive = self.outputs.read("findings", "positive_finding_reports", self.id)
        codes = self.outputs.read("categories", "categorized_findings/categorization", self.id)
        if list(codes) != list(positive):
            self.wrong.append(f"categories: {codes}")
        self.check_questions()
        for row in self.of("grounded"):
            pieces = [piece.rstrip(".") for piece in re.split(r"(?<=\.) ", row["Sentence"])]
            self.wrong += [f"reports: {piece!r}" for piece in pieces if piece not in self.sentence.text]
        if not self.sentence.stated and self.of("chains"):
            self.wrong.append(f"cot: {len(self.of('chains'))} chains of what is denied")
        if self.sentence.has_words:
            self.check_places()
        return self.wrong

    def check_places(self):
        """What lies in the lungs is annotated, and has a chain."""
        for word in set(self.sentence.stated) & IN_LUNGS:
            if not any(word.lower() in text.lower() for text in self.of("tasks")):
                self.wrong.append(f"tasks: nothing of {word}")
            if not self.of("chains"):
                self.wrong.append(f"cot: nothing of {word}")

    def check_facts(self, stage, facts):
        said = {(fact["finding"], fact["polarity"]) for fact in facts}
        if not self.sentence.has_words:
            wanted = "present" if self.sentence.stated else "absent"
            self.wrong += [f"{stage}: {name} {polarity}" for name, polarity in said if polarity != wanted]
            return
        for words, wanted, other in ((self.sentence.stated, "present", "absent"), (self.sentence.denied, "absent", "present")):
            for word in words:
                names = {FINDINGS[word], {"sequela": "fibrosis"}.get(FINDINGS[word], FINDINGS[word])}
                if any((name, other) in said for name in names):
                    self.wrong.append(f"{stage}: {word} {other}")
                if not any((name, wanted) in said for name in names):
                    self.wrong.append(f"{stage}: {word} not {wanted}")

    def check_texts(self, stage, texts):
        """Phrases that are said to be there: one of each that is stated, none of what is denied alone."""
        stated = [word.lower() for word in self.sentence.stated]
        if not stated and texts:
            self.wrong.append(f"{stage}: states {texts}")
        if not self.sentence.has_words:
            return
        standard = {"lap": "lymphadenopathy", "mediastinal lap": "mediastinal lymphadenopathy", "sequela changes": "scarring",
                    "atheroma plaques": "atherosclerotic plaques"}
        for text in texts if stated else []:
            if not any(word in text.lower() or standard.get(word, word) in text.lower() for word in stated):
                self.wrong.append(f"{stage}: states {text!r}")
        for word in stated if stage == "findings" else []:
            is_disorder = FINDINGS.get(self.sentence.stated[stated.index(word)]) == "pneumonia"
            if not is_disorder and not any(word in text.lower() or standard.get(word, word) in text.lower() for text in texts):
                self.wrong.append(f"{stage}: does not state {word!r}")

    def check_questions(self):
        abnormal = ",".join(row["Abnormality"] for row in self.of("abnormality") + self.of("location"))
        abnormal += "," + ",".join(row["Disorders"] for row in self.of("disorders"))
        names = {name.strip() for name in abnormal.split(",")} - {"no findings", ""}
        if not self.sentence.stated and names:
            self.wrong.append(f"vqa: states {sorted(names)}")
        for row in self.of("presence"):
            stated = bool(self.sentence.stated)
            if self.sentence.has_words and self.sentence.denied:
                denied = {FINDINGS[word].replace("_", " ") for word in self.sentence.denied}
                stated = stated and not any(name in row["Finding"] for name in denied)  # "peripheral ground glass", too
            if row["Presence"] != ("Yes." if stated else "No."):
                self.wrong.append(f"vqa: {row['Finding']} {row['Presence']}")
        if not self.sentence.has_words:
            return
        for word in self.sentence.denied:
            if FINDINGS[word].replace("_", " ") in names:
                self.wrong.append(f"vqa: states {word}")


def sampled(items, count):
    step = max(1, len(items) // count)
    return items[::step]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fiducial")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--show", type=int, default=25, help="how many sentences that went wrong are told")
    words = parser.parse_args()
    made = twins(words.full)
    sentences = made if words.full else sampled(made, SAMPLED_TWINS)
    pack = pathlib.Path(os.environ.get("FIDUCIAL_DATA_PACK", "")) / PACK_FILE
    if os.environ.get("FIDUCIAL_DATA_PACK") and pack.is_file():
        pairs = pack_sentences(pack)
        for states, denies in pairs if words.full else sampled(pairs, SAMPLED_SENTENCES):
            sentences.append(Sentence(states + ".", stated=["all"], words=False))
            sentences.append(Sentence(denies + ".", denied=["all"], words=False))
    else:
        print(f"SKIPPED: data pack file {PACK_FILE} not found; synthetic reports alone")
    with tempfile.TemporaryDirectory() as folder:
        outputs = Outputs(words.fiducial, pathlib.Path(folder), sentences)
        wrong = [(sentence, Verdict(outputs, id, sentence).check()) for id, sentence in zip(outputs.ids, sentences)]
    wrong = [(sentence, problems) for sentence, problems in wrong if problems]
    for sentence, problems in wrong[: words.show]:
        kind = "template" if sentence.has_words else "real"
        print(f"{kind}: {sentence.text!r}" if words.show > 25 or sentence.has_words else "real: one sentence", *problems, sep="\n    ")
    print(f"{len(sentences)} reports, {len(sentences) - len(wrong)} follow, {len(wrong)} do not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
