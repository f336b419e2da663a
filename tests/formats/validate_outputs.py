#!/usr/bin/env python3
"""Validates every JSON document we write against its schema in docs/formats/: the outputs of earlier versions kept
beside this script, and fresh ones of the built command.

usage: validate_outputs.py FIDUCIAL
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import pyarrow.parquet

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
SCHEMAS = TESTS.parent / "docs/formats"
ROW_COLUMNS = {"case": "string", "patient": "string", "finding": "int64", "category": "string", "scorer": "string",
               "metric": "string", "version": "int64", "status": "string", "value": "double", "reason": "string"}

ANSWER_COLUMNS = {"weight": "double", "answer": "string", "answer_rule": "string"}  # of answers to questions only


def validator(name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def problems_of(path, name):
    document = json.loads(path.read_text())
    for error in validator(name).iter_errors(document):
        yield f"{path.name}: {error.json_path}: {error.message}"


def rows_problems(path):
    table = pyarrow.parquet.read_table(path)
    found = {field.name: str(field.type) for field in table.schema if not field.name.startswith("group_")}
    if found.items() - ANSWER_COLUMNS.items() != ROW_COLUMNS.items():
        yield f"{path.name}: columns are {found}"
    if table.schema.metadata.get(b"schema") != b"fiducial.rows/1":
        yield f"{path.name}: metadata are {table.schema.metadata}"
    for row in table.to_pylist():
        scored = row["status"] == "scored"
        if scored != (row["reason"] is None) or (scored and row["value"] is None):
            yield f"{path.name}: status, value and reason disagree: {row}"


def folder_problems(folder):
    """Everything wrong with a score folder."""
    yield from problems_of(folder / "summary.json", "summary")
    is_first = json.loads((folder / "plan.json").read_text())["schema"] == "fiducial.plan/1"
    yield from problems_of(folder / "plan.json", "plan_v1" if is_first else "plan")
    if (folder / "rows.parquet").exists():
        yield from rows_problems(folder / "rows.parquet")
    elif json.loads((folder / "plan.json").read_text())["files"]:
        yield "rows.parquet: missing from a run that is not private"
    if (folder / "rexrank.json").exists():
        yield from problems_of(folder / "rexrank.json", "rexrank")


def run(command, statuses=(0,)):
    done = subprocess.run([str(word) for word in command], cwd=TESTS, capture_output=True, text=True)
    if done.returncode not in statuses:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def fixture(*words):
    run([sys.executable, "-m", "fixtures", *words])


def fresh_scores(fiducial, folder):
    """Score folders of every mode and kind of trouble."""
    fixture("rex", folder / "data", "--volumes", folder / "ct")
    for kind in ("perfect", "shifted", "one-empty", "full", "flipped-x", "float", "ids-over-255", "bad-crc", "wrong-shape",
                 "transposed", "missing:train_2_a_1.nii.gz"):
        predictions = folder / kind.replace(":", "_")
        fixture("predictions", folder / "data", predictions, "--kind", kind)
        variants = [[], ["--mode", "strict"], ["--metrics", "dice"], ["--private"],
                    ["--metrics", "all", "--volumes", folder / "ct", "--tolerance-mm", "2.5"]]
        if kind not in ("bad-crc", "wrong-shape", "transposed"):  # the published scorer stops there
            variants += [["--mode", "official"], ["--mode", "official", "--global-only"],
                         ["--mode", "official", "--connectivity", "3", "--min-size", "1"]]
        if kind == "shifted":
            table = folder / "metadata.csv"
            table.write_text("VolumeName,PatientSex,PatientAge,ZSpacing\ntrain_1_a_1.nii.gz,F,059Y,1.5\n")
            variants += [["--metadata", table, "--group-by", "PatientSex,PatientAge,ZSpacing:1:2"]]
        for number, extra in enumerate(variants):
            out = folder / "scores" / f"{predictions.name}-{number}"
            run([fiducial, "score", folder / "data", predictions, "-o", out, *extra], (0, 1))
            yield f"{kind} {' '.join(map(str, extra))}".strip(), out


def fresh_answer_scores(fiducial, folder):
    """Score folders of answers to questions."""
    fixture("medthink", folder / "cases", "--cases", "7")
    for kind in ("perfect", "half", "replies", "raw-output", "steps", "labelled"):
        fixture("medthink-predictions", folder / "cases", folder / f"{kind}.jsonl", "--kind", kind)
        for mode in ("both", "strict", "official"):
            out = folder / "scores" / f"answers-{kind}-{mode}"
            run([fiducial, "score", folder / "cases", folder / f"{kind}.jsonl", "-o", out, "--mode", mode], (0, 1))
            yield f"answers {kind} {mode}", out


VERDICTS = [{"title": "Case number 66", "explanation_steps": ["a", "b"], "explanation_steps_checks": [
    {"step": 1, "is_factual": False, "is_critical": True, "explanation": "no", "error_types": ["Reasoning Err"]}]},
            {"title": "Case number 67", "step": 1, "is_factual": True, "is_critical": False, "explanation": "yes"}]
RATINGS = [{"title": "Case number 66", "rater": rater, "disease_definition": points, "clinical_manifestation": 1,
            "imaging_findings": 2, "diagnostic_reasoning": 0, "transferable_learning": 1.5,
            "sentences": [{"section": "Background", "sentence": 1, "correct": True}]} for rater, points in (("a", 1), ("b", 2))]
COMPONENTS = [{"title": "Case number 66", "step": 1, "image": 1, "radgraph": 0.5, "bertscore": -0.1, "semb": 0.4, "bleu2": 0},
              {"title": "Case number 67", "step": 2, "error": "too long"}]


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def fresh_judged_scores(fiducial, folder):
    """A score folder with everything that can be given, and what the other verbs print about answers."""
    given = []
    for name, rows in (("verdicts", VERDICTS), ("ratings", RATINGS), ("components", COMPONENTS)):
        for row in rows:
            for error in validator(name).iter_errors(row):
                raise SystemExit(f"{name}: {error.message}")
        given += [f"--{name}", write_lines(folder / f"{name}.jsonl", rows)]
    words = [fiducial, "score", folder / "cases", folder / "steps.jsonl", "--baseline", f"half={folder / 'half.jsonl'}"]
    for number, extra in enumerate(([], ["--private"], ["--metrics", "all"], ["--mode", "official"])):
        run([*words, "-o", folder / f"judged-{number}", *given, *extra])
        yield f"judged {extra}", folder / f"judged-{number}"


def fresh_answer_problems(fiducial, folder):
    (folder / "rows.csv").write_text("model,mode,effort,ratio_bucket,correct\ngpt-5.2,Thinking,high,no-ratio,392\n")
    fixture("judge-run", folder / "judge-run", folder / "people.csv")
    fixture("judge-run", folder / "judge-coin", folder / "people.csv", "--judge", "coin")
    (folder / "human.csv").write_text("title,clinical_history,step1,human_factual1\nCase number 66,h,a,1\n")
    for name, words, schema in (
            ("compare", ["compare", folder / "scores/answers-half-both", folder / "scores/answers-perfect-both"], "comparison"),
            ("board", ["board", "table", folder / "rows.csv"], "answer_board"),
            ("agree", ["agree", folder / "human.csv", "--judge", write_lines(folder / "judge.jsonl", VERDICTS[:1])],
             "step_agreement"),
            ("certificate", ["judge", "certify", folder / "judge-run", "--labels", folder / "people.csv", "-o",
                             folder / "certificate.json"], "certificate"),
            ("panel", ["judge", "vote", folder / "judge-run", folder / "judge-coin", "-o", folder / "panel"], "panel")):
        path = folder / f"answers-{name}.json"
        path.write_text(run([fiducial, *words, "--json"]))
        yield from problems_of(path, schema)


def fresh_case_problems(fiducial, folder):
    fixture("medthink-break", folder / "cases", "leak-key")
    fixture("medthink-break", folder / "cases", "no-image")
    for name, words, schema in (("stats", ["stats"], "case_stats"), ("check", ["check"], "check"),
                                ("answers", ["check", "--predictions", folder / "steps.jsonl"], "check")):
        path = folder / f"cases-{name}.json"
        path.write_text(run([fiducial, *words, folder / "cases", "--json"], (0, 3)))
        yield from problems_of(path, schema)


def line_problems(path, name):
    check = validator(name)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for error in check.iter_errors(json.loads(line)):
            yield f"{path.name}, line {number}: {error.json_path}: {error.message}"


def curated(fiducial, folder, out, *words, statuses=(0,)):
    """Runs a stage; everything wrong with its manifest and its status lines."""
    run([fiducial, "curate", *words, "-o", folder / out], statuses)
    yield from problems_of(folder / f"{out}.manifest.json", "curation")
    yield from line_problems(folder / f"{out}.status.jsonl", "curation_status")


ICD10 = "Chapter X  Breathing (J00-J99)\nBlock | J09-J18  Infections\n    J10  Influenza\n"


def fresh_curation_problems(fiducial, folder):
    cases = folder / "cases/test.jsonl"
    yield from curated(fiducial, folder, "pruned.jsonl", "options", cases, "--seed", "1")
    yield from curated(fiducial, folder, "official.jsonl", "options", cases, "--mode", "official")
    yield from curated(fiducial, folder, "hard.jsonl", "text-filter", cases, "--probe", folder / "half.jsonl", "--remove-when", "any")
    yield from problems_of(folder / "hard.jsonl.report.json", "text_filter")
    yield from curated(fiducial, folder, "search.jsonl", "leakage", cases)
    yield from line_problems(folder / "search.jsonl", "leaks")
    run([fiducial, "curate", "leakage", cases, "--model", "m", "-o", folder / "leaks.jsonl"], (4,))
    requests = folder / "leaks.jsonl.requests.jsonl"
    yield from line_problems(requests, "requests")
    replies = [{"request": json.loads(line)["request"], "tokens": {"prompt": 3, "completion": 1}} for line in requests.read_text().splitlines()]
    for index, reply in enumerate(replies):
        reply.update([{"error": "no answer"}, {"reply": "text"}, {"reply": {"has_leak": True, "leaked_options": ["A"]}}][index % 3])
    (folder / "replies.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    yield from line_problems(folder / "replies.jsonl", "replies")
    for mode in ("strict", "official"):
        words = ("--model", "m", "--replay", folder / "replies.jsonl", "--mode", mode)
        yield from curated(fiducial, folder, f"{mode}-leaks.jsonl", "leakage", cases, *words, statuses=(0, 1))
        yield from line_problems(folder / f"{mode}-leaks.jsonl", "leaks")
    (folder / "icd10.txt").write_text(ICD10)
    (folder / "table.csv").write_text("case_title,final_diagnosis\na,flu\nb,\nc,cold\n")
    said = {"icd10": {"chapter": "X", "block": "J09-J18", "category": "J10", "evidence": ""}}
    said["longitudinal"] = {"is_longitudinal": "no", "timepoint_count": 1, "timepoint_evidence": [], "interval_text": None, "evidence": ""}
    (folder / "said.jsonl").write_text(json.dumps({"item": "a", "reply": said}) + "\n" + json.dumps({"item": "c", "error": "late"}) + "\n")
    for stage, mode in (("icd10", "strict"), ("icd10", "official"), ("longitudinal", "strict")):
        words = ("--replay", folder / "said.jsonl", "--mode", mode, "--table", folder / "icd10.txt")
        out = f"{stage}-{mode}.jsonl"
        yield from curated(fiducial, folder, out, stage, folder / "table.csv", *words, statuses=(0, 1))
        yield from line_problems(folder / out, "annotations")


def fresh_demo_problems(fiducial, folder):
    printed = run([fiducial, "demo", folder / "demo", "--cases", "1", "--json"])
    (folder / "printed.json").write_text(printed)
    yield from problems_of(folder / "printed.json", "demo")
    yield from problems_of(folder / "demo/demo.json", "demo")


def fresh_check_problems(fiducial, folder):
    if not (SCHEMAS / "check.schema.json").exists():
        return
    for name, words in {"good": [], "predictions": ["--predictions", folder / "wrong-shape"]}.items():
        path = folder / f"check-{name}.json"
        path.write_text(run([fiducial, "check", folder / "data", "--json", *words], (0, 3)))
        yield from problems_of(path, "check")


REPORTS = """VolumeName,Findings_EN,Impressions_EN
v1,"Heart is normal. A 7x5 mm nodule is seen in the left lung, pleural effusion was not detected. Cyst?",Nodule in the left lung
v2,"As far as can be seen; no nodule was detected in the left lung. There may be emphysema in both lungs.",Not given.
"""


def line_problems(path, name):
    check = validator(name)
    lines = path.read_text().splitlines()
    if not lines:
        yield f"{path.name}: empty"
    for number, line in enumerate(lines, 1):
        for error in check.iter_errors(json.loads(line)):
            yield f"{path.name}, line {number}: {error.json_path}: {error.message}"


def fresh_report_problems(fiducial, folder):
    """What the stages of reports write."""
    reports = folder / "reports.csv"
    reports.write_text(REPORTS)
    for stage, words in {"labels": ["--explain"], "regions": ["--explain"], "standardise": [], "findings": [],
                         "categories": [], "vqa": ["--seed", "1"]}.items():
        out = folder / (stage + (".csv" if "--explain" in words else ""))
        run([fiducial, "curate", stage, reports, "-o", out, *words])
    run([fiducial, "curate", "tasks", reports, "-o", folder / "tasks.json"])
    yield from problems_of(folder / "tasks.json", "annotation_tasks")
    yield from line_problems(folder / "tasks.json.sources.jsonl", "task_source")
    for stage in ("sentences", "labels", "regions", "reports", "findings", "standardise", "categories", "vqa"):
        seed = ["--seed", "1"] if stage == "vqa" else []
        run([fiducial, "curate", stage, reports, "-o", folder / f"asked-{stage}", "--ask", *seed], (4,))
        yield from line_problems(folder / f"asked-{stage}.requests.jsonl", "requests")
        for line in (folder / f"asked-{stage}.requests.jsonl").read_text().splitlines():
            jsonschema.Draft202012Validator.check_schema(json.loads(line)["ask"]["schema"])
    yield from line_problems(folder / "labels.csv.explain.jsonl", "label_evidence")
    yield from line_problems(folder / "regions.csv.explain.jsonl", "region_reason")
    yield from line_problems(folder / "findings/facts.jsonl", "report_fact")
    yield from line_problems(folder / "vqa/questions.jsonl", "report_question")
    yield from line_problems(folder / "findings/findings.jsonl", "traced_finding")
    yield from line_problems(folder / "standardise/sources.jsonl", "report_sentence_source")
    for name in ("v1", "v2"):
        yield from problems_of(folder / f"standardise/translated_reports/{name}.json", "standard_report")
        for kind in ("extracted_reports", "pos_neg_labeled_reports"):
            yield from problems_of(folder / f"findings/{kind}/{name}.json", "report_findings")
        yield from problems_of(folder / f"findings/positive_finding_reports/{name}.json", "positive_findings")
        yield from problems_of(folder / f"categories/categorized_findings/categorization/{name}.json", "finding_categories")


CARD_CONFIG = {"ethical_and_legal_considerations": {"data_licensing": "CC BY-NC-SA 4.0"}, "centres": 1,
               "targeted_risks": {"harm": ["one", "two"]}, "results": ["scores/shifted-0"]}


def fresh_card_problems(fiducial, folder):
    """Cards of both layouts, as they are made, and read back from Markdown."""
    config = folder / "card_config.json"
    config.write_text(json.dumps(CARD_CONFIG))
    yield from problems_of(config, "card_config")
    for name, words in {"data": ["--config", config], "cases": []}.items():
        out = folder / f"card-{name}"
        run([fiducial, "card", "make", folder / name, "-o", out, *words])
        yield from problems_of(out / "card.json", "card")
        (out / "back.json").write_text(run([fiducial, "card", "parse", out / "card.md"]))
        yield from problems_of(out / "back.json", "card")


def fresh_shard_problems(fiducial, folder):
    """A part of a run of every task."""
    runs = {"masks": (folder / "data", folder / "shifted", "--volumes", folder / "ct", "--metrics", "all"),
            "answers": (folder / "cases", folder / "steps.jsonl"), "tables": (folder / "tables", folder / "perfect"),
            "grounded": (folder / "rex", folder / "grounded")}
    for name, words in runs.items():
        run([fiducial, "score", *words, "--shard", "0/1", "-o", folder / f"shard-{name}"], (0, 1))
        yield from (f"{name}: {problem}" for problem in problems_of(folder / f"shard-{name}" / "shard.json", "shard"))


def fresh_table_problems(fiducial, folder):
    """Tables of questions, answers to them and grounded reports."""
    fixture("radgenome", folder / "tables")
    for name, schema in (("stats", "table_stats"), ("check", "check")):
        path = folder / f"{name}.json"
        path.write_text(run([fiducial, name, folder / "tables", "--json"], (0, 3)))
        yield from problems_of(path, schema)
    for kind in ("perfect", "one-missing"):
        fixture("radgenome-answers", folder / "tables", folder / kind, "--kind", kind)
        if kind == "perfect":
            name = (folder / "tables/validation_vqa_presence.csv").read_text().splitlines()[-1].split(",")[0].removesuffix(".nii.gz")
            for masks in (folder / "tables/valid_anatomy_mask", folder / kind / "masks"):
                (masks / f"seg_{name}").mkdir(parents=True)
                fixture("nifti", masks / f"seg_{name}" / "heart.nii.gz")
        run([fiducial, "score", folder / "tables", folder / kind, "-o", folder / f"{kind}-scores"], (0, 1))
        yield from folder_problems(folder / f"{kind}-scores")
    fixture("rex", folder / "rex")
    fixture("grounded-reports", folder / "rex", folder / "grounded", "--kind", "wrong-place")
    yield from line_problems(folder / "grounded/grounded_reports.jsonl", "grounded_reports")
    run([fiducial, "score", folder / "rex", folder / "grounded", "-o", folder / "grounded-scores"])
    yield from folder_problems(folder / "grounded-scores")


def fresh_control_problems(fiducial, folder):
    """Control prompts as they are made, as a fixture writes them, and their scores."""
    run([fiducial, "curate", "controls", folder / "demo/rexgroundingct", "--reports", folder / "demo/rexgroundingct/reports.csv", "-o",
         folder / "controls"])
    yield from line_problems(folder / "controls/controls.jsonl", "controls")
    fixture("controls", folder / "prompts")
    yield from line_problems(folder / "prompts/controls.jsonl", "controls")
    fixture("control-answers", folder / "prompts", folder / "prompted", "--kind", "drawn")
    run([fiducial, "score", folder / "prompts", folder / "prompted", "-o", folder / "prompt-scores"])
    yield from folder_problems(folder / "prompt-scores")


COT = {"test": {"train_1_a_1": {"0": {"text": "left lung", "box": [0, 0, 0, 2, 2, 2]}, "1": "right"}}}


def fresh_anatomy_problems(fiducial, folder):
    """Label maps of CTs, and chains of thought from them and from elsewhere."""
    (folder / "organs").mkdir()
    ct = next(path for path in sorted((folder / "ct").rglob("*.nii.gz")))
    printed = run([fiducial, "anatomy", ct, "-o", folder / "organs" / ct.name, "--json"])
    (folder / "anatomy.json").write_text(printed)
    yield from problems_of(folder / "anatomy.json", "anatomy")
    run([fiducial, "resample", folder / "organs" / ct.name, folder / "same.nii.gz", "--like", ct, "--record", folder / "record.json"])
    yield from problems_of(folder / "record.json", "transform")
    fixture("rex", folder / "packable")
    fixture("segmenter", folder / "packable", folder / "segmented")
    run([fiducial, "pack", "--from", "voxtell", folder / "segmented", "--dataset", folder / "packable", "-o", folder / "packed"])
    yield from problems_of(folder / "packed.json", "packed")
    run([fiducial, "anatomy", "regions", folder / "organs", "-o", folder / "united", "--name", "left lung"])
    yield from problems_of(folder / "united.json", "region_masks")
    (folder / "lesions.csv").write_text("case,lesions\na,2\nb,0\n")
    (folder / "found.csv").write_text("case,confidence,lesion\na,0.9,0\nb,0.5,\n")
    (folder / "detections.json").write_text(run([fiducial, "metric", "detections", "--lesions", folder / "lesions.csv",
                                                 "--detections", folder / "found.csv", "--json"]))
    yield from problems_of(folder / "detections.json", "detections")
    path = folder / "organs.json"
    path.write_text(run([fiducial, "metric", "organs", "--reference", folder / "organs", "--prediction", folder / "organs", "--json"]))
    yield from problems_of(path, "organ_scores")
    reports = folder / "located.csv"
    reports.write_text(f"VolumeName,Findings_EN\n{ct.name},Nodule in the left lung.\nother_1_a_1,Liver cyst.\n")
    run([fiducial, "curate", "cot", reports, "--masks", folder / "organs", "--findings", folder / "data", "-o", folder / "chains"])
    yield from line_problems(folder / "chains/chains.jsonl", "anatomy_chain")
    (folder / "cot.json").write_text(json.dumps(COT))
    run([fiducial, "curate", "cot", folder / "cot.json", "-o", folder / "imported"], (1,))
    yield from line_problems(folder / "imported/chains.jsonl", "imported_chain")


def fresh_told_problems(fiducial, folder):
    """What verbs tell programs: errors, a converted image, what a dataset lacks, tables of a paper."""
    done = subprocess.run([fiducial, "stats", folder / "nowhere", "--json"], capture_output=True, text=True)
    (folder / "error.json").write_text(done.stderr)
    yield from problems_of(folder / "error.json", "error")
    image = next(iter(sorted((folder / "ct").rglob("*.nii.gz"))))
    commands = {"image": ["convert", image, folder / "turned.nii.gz", "--orient", "LPS"],
                "masks": ["convert", next(iter(sorted((folder / "data").rglob("segmentations/*.nii.gz")))), folder / "masks.fmask"],
                "needs": ["info", folder / "data", "--needs", "--volumes", folder / "cases"],
                "tables": ["reproduce", "rexgroundingct", "--runs", folder / "scores"]}
    for name, words in commands.items():
        (folder / f"{name}.json").write_text(run([fiducial, *words, "--json"]))
        yield from problems_of(folder / f"{name}.json", name)


def fresh_run_problems(fiducial, folder):
    """Folders of runs that asked a scripted endpoint: finished, and stopped on the way."""
    fixture("medthink", folder / "asked", "--cases", "3")
    prices = folder / "prices.json"
    prices.write_text(json.dumps({"models": {"m": {"input": 1, "output": 2}}}))
    for name, faults, words, statuses in (("whole", "429,prose", ["--prices", prices], (0,)), ("steps", "context", ["--workflow", "twi"], (0,)),
                                          ("votes", "length", ["--samples", "2", "--allow-drop", "seed"], (0,)), ("stopped", "401", [], (7,))):
        out = folder / f"run-{name}"
        run([sys.executable, "-m", "ask.endpoint", "--faults", faults, "--", fiducial, "run", folder / "asked", "--model", "m",
             "--endpoint", "{url}", "-o", out, *words], statuses)
        yield from problems_of(out / "manifest.json", "run")
        yield from line_problems(out / "journal.jsonl", "journal")


def fresh_view_problems(fiducial, folder):
    """View policies, pictures of one, and a run that was shown them."""
    fixture("radgenome", folder / "scanned", "--volumes", "2")
    (folder / "scans").mkdir()
    for name in ("valid_1_a_1", "valid_1_b_1"):
        fixture("nifti", folder / "scans" / f"{name}.nii.gz", "--shape", "20,16,6", "--type", "int16", "--affine=-1,0,0,0,0,-1,0,0,0,0,3,0")
    listed = subprocess.run([fiducial, "view", "--list", "--json"], check=True, capture_output=True, text=True).stdout
    for policy in json.loads(listed):
        for error in validator("view_policy").iter_errors(policy):
            yield f"{policy['name']}: {error.json_path}: {error.message}"
    for path in sorted((HERE.parent.parent / "src/fiducial/views/data").glob("*.json")):
        yield from problems_of(path, "view_policy")
    run([fiducial, "view", folder / "scanned", "valid_1_a_1", "--volumes", folder / "scans", "-o", folder / "seen"])
    yield from problems_of(folder / "seen" / "manifest.json", "view")
    run([sys.executable, "-m", "ask.endpoint", "--says", '{"report": "No nodule."}', "--", fiducial, "run", folder / "scanned", "--workflow",
         "report", "--model", "m", "--endpoint", "{url}", "--volumes", folder / "scans", "-o", folder / "run-scans"])
    yield from problems_of(folder / "run-scans" / "manifest.json", "run")


def fresh_export_problems(fiducial, folder):
    terms = ["--licence", "CC0-1.0", "--source", "phantoms", "--allowed-use", "any"]
    source = folder / "exported"
    subprocess.run([fiducial, "demo", source, "--cases", "2"], check=True, capture_output=True)
    for to, schema, more in (("hf", "hub_export", ["--no-check"]), ("nnunet", "nnunet_export", ["--volumes", source / "rexgroundingct/volumes"])):
        out = folder / f"to_{to}"
        subprocess.run([fiducial, "export", "--to", to, source / "rexgroundingct", "-o", out, *terms, *more], check=True, capture_output=True)
        yield from (f"fresh {to}: {line}" for line in problems_of(out / "manifest.json", schema))


def main():
    fiducial = pathlib.Path(sys.argv[1]).resolve()
    found = []
    checked = 0
    for kept in sorted(HERE.glob("v[0-9]*")):
        checked += 1
        found += [f"kept {kept.name}: {line}" for line in folder_problems(kept / "scores")]
        found += [f"kept {kept.name}: {line}" for line in problems_of(kept / "demo.json", "demo")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what, out in fresh_scores(fiducial, folder):
            checked += 1
            found += [f"{what}: {line}" for line in folder_problems(out)]
        for what, out in fresh_answer_scores(fiducial, folder):
            checked += 1
            found += [f"{what}: {line}" for line in folder_problems(out)]
        for what, out in fresh_judged_scores(fiducial, folder):
            checked += 1
            found += [f"{what}: {line}" for line in folder_problems(out)]
        found += fresh_answer_problems(fiducial, folder)
        found += fresh_case_problems(fiducial, folder)
        found += fresh_curation_problems(fiducial, folder)
        found += fresh_demo_problems(fiducial, folder)
        found += fresh_check_problems(fiducial, folder)
        found += fresh_report_problems(fiducial, folder)
        found += fresh_card_problems(fiducial, folder)
        found += fresh_table_problems(fiducial, folder)
        found += fresh_control_problems(fiducial, folder)
        found += fresh_shard_problems(fiducial, folder)
        found += fresh_anatomy_problems(fiducial, folder)
        found += fresh_told_problems(fiducial, folder)
        found += fresh_export_problems(fiducial, folder)
        found += fresh_run_problems(fiducial, folder)
        found += fresh_view_problems(fiducial, folder)
    print(*found, f"{checked} score folders checked, {len(found)} problems", sep="\n")
    return 1 if found or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
