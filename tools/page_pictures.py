#!/usr/bin/env python3
"""Takes the pictures of pages that the documentation shows, from the synthetic demo.

usage: page_pictures.py FIDUCIAL [FOLDER]

Writes report.png (a page of finding masks), findings.png (its pictures), report_phone.png (390 pixels wide) and
comparison.png to FOLDER (docs/pictures). Needs chromium on the PATH and NumPy.
"""

import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--force-color-profile=srgb"]
LARGEST = 200_000


def shot(chromium, page, target, width, height):
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run([chromium, *FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}",
                        f"--screenshot={target}", page.as_uri()], check=True, capture_output=True, timeout=120)


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def pixels(path):
    """The rows of an 8-bit RGB or RGBA picture, as chromium writes them."""
    parts = list(chunks(path.read_bytes()))
    width, height, depth, colour = struct.unpack(">IIBB", parts[0][1][:10])
    step = {2: 3, 6: 4}[colour]
    assert depth == 8, depth
    rows = numpy.frombuffer(zlib.decompress(b"".join(data for kind, data in parts if kind == b"IDAT")), numpy.uint8)
    rows = rows.reshape(height, 1 + width * step)
    out = numpy.zeros((height + 1, width + 1, step), numpy.int32)  # a row above and a column before, of zeros
    for y in range(height):
        line, kind = rows[y, 1:].reshape(width, step).astype(numpy.int32), rows[y, 0]
        above = out[y]
        if kind == 0:
            out[y + 1, 1:] = line
        elif kind == 1:
            out[y + 1, 1:] = numpy.cumsum(line, axis=0) & 255
        elif kind == 2:
            out[y + 1, 1:] = (line + above[1:]) & 255
        else:
            unfilter(out[y + 1], above, line, kind)
    return out[1:, 1:, :3].astype(numpy.uint8)


def unfilter(row, above, line, kind):
    for x in range(1, len(row)):
        left, up, corner = row[x - 1], above[x], above[x - 1]
        if kind == 3:
            guess = (left + up) // 2
        else:
            guess = left + up - corner
            distances = numpy.abs(guess - numpy.stack((left, up, corner)))
            guess = numpy.choose(distances.argmin(axis=0), (left, up, corner))
        row[x] = (line[x - 1] + guess) & 255


def shrink(path):
    """Keeps the commonest 256 colours, of which the others take the nearest."""
    rows = pixels(path)
    colours, counts = numpy.unique(rows.reshape(-1, 3) & 0xFC, axis=0, return_counts=True)
    palette = colours[numpy.argsort(-counts)[:256]].astype(numpy.int32)
    nearest = {tuple(colour): ((palette - colour) ** 2).sum(axis=1).argmin() for colour in colours.astype(numpy.int32)}
    indices = numpy.array([[nearest[tuple(pixel)] for pixel in row] for row in (rows & 0xFC).tolist()], numpy.uint8)
    lines = numpy.hstack((numpy.zeros((len(indices), 1), numpy.uint8), indices)).tobytes()
    header = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], 8, 3, 0, 0, 0)
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", header), (b"PLTE", palette.astype(numpy.uint8).tobytes()),
                           (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))
    if path.stat().st_size > LARGEST:
        raise SystemExit(f"{path} has {path.stat().st_size} bytes, more than {LARGEST}")


def main():
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no chromium on the PATH")
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[1] / "docs/pictures").resolve()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        data = "demo/rexgroundingct"
        for words in (["demo", "demo"],
                      *(["score", data, f"demo/systems/rexgroundingct/{system}", "--volumes", f"{data}/volumes", "-o", system]
                        for system in ("good", "weak")),
                      ["compare", "good", "weak", "--report", "comparison.html"]):
            subprocess.run([fiducial, *words], cwd=work, check=True, capture_output=True)
        only = "main > :not(#findings) { display: none } main { padding-top: 0 } #findings { margin-top: 20px }</style>"
        (work / "findings.html").write_text((work / "weak/report.html").read_text().replace("</style>", only, 1))
        for page, target, width, height in (("weak/report.html", "report.png", 1180, 1320),
                                            ("findings.html", "findings.png", 1180, 860),
                                            ("weak/report.html", "report_phone.png", 390, 844),
                                            ("comparison.html", "comparison.png", 1180, 900)):
            shot(chromium, work / page, folder / target, width, height)
            shrink(folder / target)
            print(folder / target, (folder / target).stat().st_size)


if __name__ == "__main__":
    main()
