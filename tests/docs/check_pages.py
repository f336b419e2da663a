#!/usr/bin/env python3
"""Holds the documentation together: links lead somewhere, docs/README.md leads everywhere, code is what is compiled.

usage: check_pages.py
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
README_LINES = 150


def links(page):
    """The files that a page links to, whether they are there or not."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return [page.parent / target for target in LINK.findall(text) if "://" not in target and not target.startswith("mailto:")]


def broken_links(pages):
    for page in pages:
        for target in links(page):
            if not target.exists():
                yield f"{page.relative_to(ROOT)}: no {target.relative_to(page.parent)}"


def lost_pages(pages):
    seen = set()
    waiting = [DOCS / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in seen or page.suffix != ".md" or not page.exists():
            continue
        seen.add(page)
        waiting += links(page)
    return [f"{page.relative_to(ROOT)}: docs/README.md does not lead to it" for page in pages
            if DOCS in page.parents and page.resolve() not in seen]


def stale_code():
    text = (DOCS / "cpp.md").read_text(encoding="utf-8")
    for name in ("CMakeLists.txt", "main.cpp"):
        if (ROOT / "tests" / "install" / "consumer" / name).read_text(encoding="utf-8") not in text:
            yield f"docs/cpp.md: {name} is not that of tests/install/consumer"


def unclosed_fences(pages):
    for page in pages:
        if len(re.findall(r"^```", page.read_text(encoding="utf-8"), re.MULTILINE)) % 2:
            yield f"{page.relative_to(ROOT)}: a code fence without its other end"


def main():
    pages = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
    found = [*broken_links(pages), *lost_pages(pages), *stale_code(), *unclosed_fences(pages)]
    lines = len((ROOT / "README.md").read_text(encoding="utf-8").splitlines())
    if lines >= README_LINES:
        found.append(f"README.md: {lines} lines; expected fewer than {README_LINES}")
    print("\n".join(found) or f"{len(pages)} pages")
    return 1 if found or len(pages) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
