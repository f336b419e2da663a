#!/usr/bin/env python3
"""Loads what `fiducial export --to hf` writes of all three benchmarks with Hugging Face datasets, from the disk and
streaming, and with mlcroissant, and holds the rows against the data they were made from. Reads --to hf-eval with
huggingface_hub. Skips where the packages are not installed.

usage: load_exports.py FIDUCIAL [PYTHON_WITH_DATASETS]

Last run by hand with datasets 5.2.0, nibabel 5.4.2, mlcroissant 1.1.1 and huggingface_hub 2.4.0: no problem.
"""

import csv
import hashlib
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import datasets
    import huggingface_hub
    import mlcroissant
    import nibabel
    import numpy
    import yaml
except ImportError as missing:
    if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
        os.execv(sys.argv[2], [sys.argv[2], __file__, sys.argv[1]])
    print(f"skipped: {missing}")
    sys.exit(77)

TERMS = ["--licence", "CC-BY-NC-SA-4.0", "--source", "synthetic phantoms", "--allowed-use", "research"]


def fiducial(*arguments):
    subprocess.run([sys.argv[1], *map(str, arguments)], check=True, capture_output=True)


def same_image(found, path):
    expected = nibabel.load(path)
    return numpy.array_equal(found.affine, expected.affine) and numpy.array_equal(numpy.asarray(found.dataobj), numpy.asarray(expected.dataobj))


def grounded_problems(hub, source, cache):
    document = json.loads((source / "dataset.json").read_text(encoding="utf-8"))
    for split, entries in document.items():
        loaded = datasets.load_dataset(str(hub), split=split, cache_dir=cache)
        for column in ("mask", "ct"):
            if not isinstance(loaded.features[column], datasets.Nifti):
                yield f"{split}: {column} is {loaded.features[column]}"
        streamed = list(datasets.load_dataset(str(hub), split=split, streaming=True))
        if not len(loaded) == len(streamed) == len(entries):
            yield f"{split}: {len(loaded)} and {len(streamed)} rows, expected {len(entries)}"
        for row, again, entry in zip(loaded, streamed, entries):
            name = entry["name"]
            if row["name"] != name or again["name"] != name or row["findings"] != list(entry["findings"].values()):
                yield f"{name}: other findings"
            if row["shape"] != entry["shape"] or row["pixels"] != list(entry["pixels"].values()) or row["protocol"] != entry["protocol"]:
                yield f"{name}: other facts"
            for found in (row, again):
                if not same_image(found["mask"], source / "segmentations" / name):
                    yield f"{name}: the mask is not its file"
                if not same_image(found["ct"], next((source / "volumes").rglob(name))):
                    yield f"{name}: the CT is not its file"


def question_problems(hub, source, cache):
    for split in ("train", "test"):
        rows = [json.loads(line) for line in (source / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()]
        loaded = datasets.load_dataset(str(hub), split=split, cache_dir=cache)
        stored = {row["title"]: row for row in loaded.cast_column("image_01", datasets.Image(decode=False))}
        if len(rows) != len(loaded):
            yield f"{split}: {len(loaded)} rows, expected {len(rows)}"
        if next(iter(datasets.load_dataset(str(hub), split=split, streaming=True)))["image_01"].size != loaded[0]["image_01"].size:
            yield f"{split}: streaming shows another picture"
        for row in rows:
            found = stored[row["title"]]
            yield from (f"{row['title']}: {name} differs" for name, value in row.items() if (found[name] or "") != (value or ""))
            file = (source / row["image_01_path"]).read_bytes()
            if hashlib.sha256(found["image_01"]["bytes"]).digest() != hashlib.sha256(file).digest():
                yield f"{row['title']}: image_01 is not its file"


def table_problems(hub, source, cache):
    names = {"region_report": "region_report", "disorders": "case_disorders"}
    for config in datasets.get_dataset_config_names(str(hub)):
        loaded = datasets.load_dataset(str(hub), config, cache_dir=cache)
        if config == "volumes":
            yield from (f"{row['Volumename']}: the CT has no shape" for row in loaded["train"] if len(row["ct"].shape) != 3)
            continue
        with open(source / f"train_{names.get(config, 'vqa_' + config)}.csv", encoding="utf-8", newline="") as file:
            expected = list(csv.DictReader(file))
        if list(loaded["train"]) != expected or list(datasets.load_dataset(str(hub), config, split="train", streaming=True)) != expected:
            yield f"{config}: other rows"


def croissant_problems(hub):
    described = mlcroissant.Dataset(str(hub / "croissant.json"))
    if described.metadata.ctx.issues.errors:
        yield f"{hub.name}: {described.metadata.ctx.issues.report()}"
    text = json.loads((hub / "croissant.json").read_text(encoding="utf-8"))
    listed = {each["contentUrl"]: each["sha256"] for each in text["distribution"] if each["@type"] == "cr:FileObject"}
    for name, digest in listed.items():
        if hashlib.sha256((hub / name).read_bytes()).hexdigest() != digest:
            yield f"{hub.name}: croissant.json has another hash of {name}"
    if "rai:dataUseCases" not in text or described.metadata.data_use_cases is None:
        yield f"{hub.name}: no use cases for responsible AI"
    for records in described.metadata.record_sets:
        config, split, _ = records.uuid.split("/")
        first = next(iter(datasets.load_dataset(str(hub), config, split=split, streaming=True)))
        record = {name.rsplit("/", 1)[1]: value for name, value in next(iter(described.records(records.uuid))).items()}
        for name, value in first.items():
            if isinstance(value, str) and record[name.replace(" ", "_")] != value.encode():
                yield f"{records.uuid}: {name} is {record[name.replace(' ', '_')]!r}, expected {value!r}"


def result_problems(root):
    fiducial("score", root / "demo/rexgroundingct", root / "demo/systems/rexgroundingct/good", "-o", root / "scores", "--no-report")
    fiducial("export", "--to", "hf-eval", root / "scores", "-o", root / "result.yaml", "--dataset-id", "org/rex", "--metric", "dice_per_case",
             "--metric", "hit_rate", "--source-url", "https://example.org/run", "--source-name", "a run: \"mine\"")
    entries = huggingface_hub.parse_eval_result_entries(yaml.safe_load((root / "result.yaml").read_text(encoding="utf-8")))
    summary = json.loads((root / "scores/summary.json").read_text(encoding="utf-8"))
    found = [(entry.dataset_id, entry.task_id, entry.value, entry.source_name) for entry in entries]
    if found != [("org/rex", slot, summary["metrics"][slot]["value"], "a run: \"mine\"") for slot in ("dice_per_case", "hit_rate")]:
        yield f"other results: {found}"


def main():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        fiducial("demo", root / "demo", "--cases", "2")
        volumes = root / "demo/rexgroundingct/volumes"
        sources = {"rex": root / "demo/rexgroundingct", "cases": root / "demo/medthinkvqa", "tables": root / "demo/curated/radgenome"}
        problems = {"rex": grounded_problems, "cases": question_problems, "tables": table_problems}
        found = []
        for key, source in sources.items():
            more = [] if key == "cases" else ["--volumes", volumes]
            fiducial("export", "--to", "hf", source, "-o", root / key, "--no-check", *more, *TERMS)
            found += problems[key](root / key, source, str(root / "cache"))
            found += croissant_problems(root / key)
        found += result_problems(root)
    print(*found, f"datasets {datasets.__version__}, mlcroissant {importlib.metadata.version('mlcroissant')}: {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
