#!/usr/bin/env python3
"""images.py OUT CASES: teaching cases with images, some six a case. The same bytes every time; kept once written."""

import json
import pathlib
import random
import struct
import sys
import zlib

import diagnosis_cases

SIDE = 320


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(generator):
    """A picture of grey squares."""
    squares = [[generator.randrange(16, 240) for _ in range(8)] for _ in range(8)]
    rows = [b"\0" + b"".join(bytes([value]) * (SIDE // 8) for value in squares[y * 8 // SIDE]) for y in range(SIDE)]
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows), 1)) +
            chunk(b"IEND", b""))


def write(folder, cases):
    if (folder / "train.jsonl").exists():
        return
    generator = random.Random(48247)
    lines = []
    for number in range(1, cases + 1):
        row = diagnosis_cases.row(number, generator)
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
        for slot in range(1, row["image_count"] + 1):
            path = folder / row[f"image_{slot:02d}_path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png(generator))
    (folder / "train.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
