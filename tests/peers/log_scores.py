#!/usr/bin/env python3
"""Scores of every task, logged into MLflow's file store and into Weights & Biases without a network, and read back as each
of them keeps them: values, ends of intervals, the plan and the page; nothing of single cases where scores are private.

usage: PYTHONPATH=build/python log_scores.py [PYTHON_WITH_TRACKERS]
"""

import json
import os
import pathlib
import sys
import tempfile
import time

QUIET = {"WANDB_MODE": "offline", "WANDB_SILENT": "true", "WANDB_CONSOLE": "off", "WANDB_DISABLE_CODE": "true", "WANDB_DISABLE_GIT": "true",
         "MLFLOW_ALLOW_FILE_STORE": "true", "MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"}
os.environ.update(QUIET)
try:
    import mlflow
    import wandb
    from wandb.proto import wandb_internal_pb2
    from wandb.sdk.internal import datastore
except ImportError as missing:
    if len(sys.argv) > 1 and os.path.exists(sys.argv[1]):
        os.execv(sys.argv[1], [sys.argv[1], __file__])
    print(f"skipped: {missing}; ./dev test --full installs mlflow-skinny and wandb in .venv-trackers")
    sys.exit(77)
import fiducial
from fiducial.jobs import say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from matrix.every_task import CORPORA  # noqa: E402

FILES = {"summary.json", "plan.json", "report.html"}
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def read_mlflow(run):
    found = mlflow.MlflowClient().get_run(run.info.run_id)
    folder = pathlib.Path(mlflow.artifacts.download_artifacts(run_id=run.info.run_id))
    return found.data.metrics, found.data.tags, {path.relative_to(folder).as_posix(): path.read_bytes()
                                                 for path in folder.rglob("*") if path.is_file()}


def check_mlflow(what, scores, expected, **options):
    with mlflow.start_run() as run:
        scores.log(run, **options)
    values, tags, files = read_mlflow(run)
    expect(values == scores.numbers() and len(values) > 3, f"{what}: MLflow keeps other values")
    expect(tags["fiducial.task"] == scores.summary["task"], f"{what}: MLflow's tags")
    expect({pathlib.PurePath(name).name for name in files} == expected, f"{what}: MLflow has {sorted(files)}")
    return files


def stored_by_wandb(folder):
    """What the file of an offline run holds, which is what `wandb sync` sends: values of its history, and files of artifacts."""
    deadline = time.monotonic() + 120  # a process of its own writes it, and may be behind
    while time.monotonic() < deadline:
        values, files, has_ended = records_of(folder)
        if has_ended:
            return values, files
        time.sleep(0.2)
    raise SystemExit(f"{folder}: W&B did not end its run")


def records_of(folder):
    values, files, has_ended = {}, set(), False
    found = list(folder.glob("*.wandb"))
    if not found or found[0].stat().st_size == 0:
        return values, files, has_ended
    store = datastore.DataStore()
    store.open_for_scan(str(found[0]))
    while (data := store.scan_data()) is not None:
        record = wandb_internal_pb2.Record()
        record.ParseFromString(data)
        for item in record.history.item:
            values[item.key or "/".join(item.nested_key)] = json.loads(item.value_json)
        files |= {entry.path for entry in record.request.log_artifact.artifact.manifest.contents}
        files |= {entry.path for entry in record.artifact.manifest.contents}
        has_ended = has_ended or record.HasField("exit")
    return values, files, has_ended


def check_wandb(what, scores, folder, expected):
    with wandb.init(project="fiducial", dir=folder) as run:
        scores.log(run, prefix="fiducial/")
        config, place = dict(run.config)["fiducial"], pathlib.Path(run.dir).parent
    values, files = stored_by_wandb(place)
    wanted = {f"fiducial/{name}": value for name, value in scores.numbers().items()}
    expect({name: value for name, value in values.items() if not name.startswith("_")} == wanted, f"{what}: W&B keeps other values")
    expect(config["task"] == scores.summary["task"], f"{what}: W&B's config")
    expect(files == expected, f"{what}: W&B has {sorted(files)}")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        os.environ["WANDB_DIR"] = os.environ["WANDB_CACHE_DIR"] = os.environ["WANDB_DATA_DIR"] = scratch
        mlflow.set_tracking_uri((root / "mlruns").as_uri())
        fiducial.demo(root / "demo", cases=2)
        demo = root / "demo"
        expect({task.id for task in fiducial.tasks()} == set(CORPORA), "a task has no corpus")
        for task, make in CORPORA.items():
            (root / task).mkdir()
            corpus = make(root / task)
            words = ["score", corpus.data, corpus.predictions, "--task", task, "--max-failures", "100%", "--resamples", 100, *corpus.words]
            say([*map(str, words), "-o", root / task / "scores"])
            made = fiducial.Scores.read(root / task / "scores")
            check_mlflow(task, made, FILES)
            check_wandb(task, made, scratch, FILES)
            say([*map(str, words), "--private", "-o", root / task / "private"])
            files = check_mlflow(f"{task}, private", fiducial.Scores.read(root / task / "private"), FILES)
            told = b"".join(files.values())
            expect(not any(json.dumps(name).encode() in told for name in corpus.cases), f"{task}: a private file names a case")

        # Terms that keep the data here: a run that stays on this machine has the files, one that is synchronised has values.
        (demo / "medthinkvqa" / "terms.json").write_text(json.dumps({"egress": "forbidden", "reason": "licence"}))
        kept = fiducial.score(demo / "medthinkvqa", demo / "systems/medthinkvqa/good/predictions.jsonl", resamples=200)
        check_mlflow("terms", kept, FILES)
        check_wandb("terms", kept, scratch, set())

        # Masks from arrays: the page is made for the log.
        ds = fiducial.open(demo / "rexgroundingct", volumes=demo / "rexgroundingct/volumes").split("test")
        check_mlflow("arrays", fiducial.score(ds, ((case, case.masks) for case in ds)), FILES)
        check_mlflow("arrays without a page", fiducial.score(ds, ((case, case.masks) for case in ds)), FILES - {"report.html"}, report=False)
        try:
            kept.log(object())
            expect(False, "anything is a run")
        except fiducial.errors.BadUsage as refused:
            expect("mlflow or wandb" in str(refused), "the refusal names the trackers")
    print(*problems, f"mlflow {mlflow.__version__}, wandb {wandb.__version__}: {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
