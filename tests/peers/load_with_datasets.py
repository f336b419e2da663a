#!/usr/bin/env python3
"""Loads the Parquet files of the demo's teaching cases with Hugging Face datasets, images included, and holds them
against the JSONL files and the images beside them. Skips where datasets is not installed.

usage: load_with_datasets.py FIDUCIAL [PYTHON_WITH_DATASETS]

Last run by hand with datasets 5.2.0 and Pillow: both splits load, every image opens.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import datasets
    import PIL.Image
except ImportError as missing:
    if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
        os.execv(sys.argv[2], [sys.argv[2], __file__, sys.argv[1]])
    print(f"skipped: {missing}")
    sys.exit(77)


def problems(folder, split, cache):
    loaded = datasets.load_dataset("parquet", data_files={split: str(folder / f"{split}.parquet")}, cache_dir=cache)[split]
    rows = [json.loads(line) for line in (folder / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()]
    if len(rows) != len(loaded):
        yield f"{split}: {len(loaded)} rows, expected {len(rows)}"
    if not isinstance(loaded.features["image_01"], datasets.Image):
        yield f"{split}: image_01 is {loaded.features['image_01']}"
    stored = loaded.cast_column("image_01", datasets.Image(decode=False))
    for number, row in enumerate(rows):
        found = loaded[number]
        yield from (f"{row['title']}: {name} differs" for name, value in row.items() if found[name] != value)
        with PIL.Image.open(folder / row["image_01_path"]) as picture:
            if found["image_01"].size != picture.size or found["image_49"] is not None:
                yield f"{row['title']}: image_01 is not its file"
        file = (folder / row["image_01_path"]).read_bytes()
        if hashlib.sha256(stored[number]["image_01"]["bytes"]).digest() != hashlib.sha256(file).digest():
            yield f"{row['title']}: the bytes of image_01 are not those of its file"


def main():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        subprocess.run([sys.argv[1], "demo", root / "demo", "--cases", "2"], check=True, capture_output=True)
        found = [line for split in ("train", "test") for line in problems(root / "demo/medthinkvqa", split, str(root / "cache"))]
    print(*found, f"datasets {datasets.__version__}: {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
