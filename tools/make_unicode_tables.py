#!/usr/bin/env python3
"""Writes src/fiducial/text/unicode.def: lower case, case folding and word characters as CPython has them.

    python3 tools/make_unicode_tables.py
"""

import pathlib
import sys
import unicodedata

TARGET = pathlib.Path(__file__).resolve().parent.parent / "src/fiducial/text/unicode.def"
POINTS = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]


def mapping_lines(macro, change):
    """Runs of code points that move by one distance, every one or every second of them; then the longer texts."""
    single, longer = [], []
    for point in POINTS:
        text = change(chr(point))
        if text == chr(point):
            continue
        if len(text) == 1:
            single.append((point, ord(text) - point))
        else:
            longer.append((point, text))
    runs = []
    for point, distance in single:
        if runs:
            first, last, step, known = runs[-1]
            gap = point - last
            if known == distance and gap in (1, 2) and step in (0, gap):
                runs[-1] = (first, point, gap, known)
                continue
        runs.append((point, point, 0, distance))
    for first, last, step, distance in runs:
        yield f"FIDUCIAL_{macro}_RUN(0x{first:X}, 0x{last:X}, {max(step, 1)}, {distance})"
    for point, text in longer:
        yield f'FIDUCIAL_{macro}_TEXT(0x{point:X}, "{"".join(f"{chr(92)}x{byte:02X}" for byte in text.encode())}")'


def range_lines(macro, is_member):
    first = last = None
    for point in POINTS + [sys.maxunicode + 2]:
        if point <= sys.maxunicode and is_member(chr(point)):
            if first is None or point != last + 1:
                if first is not None:
                    yield f"FIDUCIAL_{macro}(0x{first:X}, 0x{last:X})"
                first = point
            last = point
    yield f"FIDUCIAL_{macro}(0x{first:X}, 0x{last:X})"


def main():
    lines = [f"// Made by tools/make_unicode_tables.py from Unicode {unicodedata.unidata_version}."]
    for macro, change in (("LOWER", str.lower), ("FOLD", str.casefold)):
        found = sorted(mapping_lines(macro, change), key=lambda line: "_TEXT" in line)
        runs = [line for line in found if "_RUN" in line]
        texts = [line for line in found if "_TEXT" in line]
        lines += [f"#ifdef FIDUCIAL_{macro}_RUN", *runs, "#endif", f"#ifdef FIDUCIAL_{macro}_TEXT", *texts, "#endif"]
    lines += ["#ifdef FIDUCIAL_WORD_RANGE", *range_lines("WORD_RANGE", lambda c: c.isalnum() or c == "_"), "#endif"]
    TARGET.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
