#!/usr/bin/env python3
"""Peak memory of reading a Parquet file with embedded images: no more for a large file than for a small one.

usage: flat_memory.py FIDUCIAL MEGABYTES

`stats` reads texts only, `check` every image too. Both may take 48 MB more for the large file than for one of 64 MB, a group of rows.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from fixtures import medthink  # noqa: E402

ALLOWED_MB = 48
IMAGE_BYTES = 1 << 19
ROWS_A_GROUP = 64


def write(folder, megabytes):
    """Rows of two images each; an image is a small JPEG followed by bytes that do not compress."""
    import pyarrow
    import pyarrow.parquet

    folder.mkdir()
    kind = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    writer = None
    for first in range(0, megabytes, ROWS_A_GROUP):
        rows = []
        for number in range(first, min(first + ROWS_A_GROUP, megabytes)):
            row = medthink.row(3 * number + 1, 1)  # two images
            row["options"] = {letter: row["options"][letter] for letter in "ABCDE"}
            for slot in (1, 2):
                row[f"image_{slot:02d}"] = {"bytes": medthink.jpeg_bytes(f"{number} {slot}") + os.urandom(IMAGE_BYTES), "path": None}
            rows.append(row)
        schema = pyarrow.Table.from_pylist(rows[:1]).schema
        for slot in (1, 2):
            name = f"image_{slot:02d}"
            schema = schema.set(schema.get_field_index(name), pyarrow.field(name, kind))
        table = pyarrow.Table.from_pylist(rows, schema)
        writer = writer or pyarrow.parquet.ParquetWriter(folder / "test.parquet", schema)
        writer.write_table(table)
    writer.close()


def peak_mb(fiducial, verb, folder):
    process = subprocess.Popen([fiducial, verb, folder, *(["--threads", "2"] if verb == "check" else [])],
                               stdout=subprocess.PIPE, text=True)
    lines = process.stdout.read().splitlines()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"{verb} {folder}: status {status}\n" + "\n".join(lines[-5:]))
    return usage.ru_maxrss / 1024


def write_elsewhere(folder, megabytes):
    """In another process: what this one holds would count as memory of those it starts."""
    subprocess.run([sys.executable, __file__, "--write", folder, str(megabytes)], check=True)


def main():
    if sys.argv[1] == "--write":
        write(pathlib.Path(sys.argv[2]), int(sys.argv[3]))
        return
    fiducial, megabytes = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_elsewhere(folder / "small", ROWS_A_GROUP)
        write_elsewhere(folder / "large", megabytes)
        for verb in ("stats", "check"):
            small, large = (peak_mb(fiducial, verb, folder / size) for size in ("small", "large"))
            print(f"{verb}: {small:.0f} MB for {ROWS_A_GROUP} MB, {large:.0f} MB for {megabytes} MB")
            if large > small + ALLOWED_MB:
                sys.exit(f"{verb} takes {large - small:.0f} MB more for the large file")


if __name__ == "__main__":
    main()
