#!/usr/bin/env python3
"""Records what CPython makes of every code point: tests/reference/unicode.json.

    python3 tests/reference/make_unicode_reference.py
"""

import hashlib
import json
import pathlib
import platform
import sys
import unicodedata

TEXTS = ["Straße ŒDÈME", "İstanbul", "ΟΔΟΣ ΟΔΟΣ, ΣΑΣ", "ﬁbrosis", "Ménière’s", "ǅ Ǆ", "ẞ ſ K", "A_1 –½²"]


def digest(make):
    hash = hashlib.sha256()
    for point in range(sys.maxunicode + 1):
        if not 0xD800 <= point <= 0xDFFF:
            hash.update(make(chr(point)).encode())
    return hash.hexdigest()


def main():
    document = {"tool": f"CPython {platform.python_version()}, Unicode {unicodedata.unidata_version}",
                "command": "python3 tests/reference/make_unicode_reference.py",
                "lower": digest(str.lower), "fold": digest(str.casefold),
                "word": digest(lambda c: "1" if c.isalnum() or c == "_" else "0"),
                "space": digest(lambda c: "1" if c.isspace() else "0"),
                "texts": [[text, text.lower(), text.casefold()] for text in TEXTS]}
    path = pathlib.Path(__file__).with_name("unicode.json")
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
