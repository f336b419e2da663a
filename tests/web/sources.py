#!/usr/bin/env python3
"""Rules for the sources of the web app that no compiler knows.

usage: sources.py [EMBEDDED_APP.cpp]     with the built app, also what it weighs
"""

import pathlib
import re
import sys

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
FORBIDDEN = {
    r"dangerouslySetInnerHTML|\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write\b": "data would become HTML",
    r"\beval\(|new Function\(": "data would become a script",
    r"\bstyle=\"|setAttribute\(\s*[\"']style": "the content security policy refuses inline styles",
    r"[\"'`]https?://(?!www\.w3\.org/)": "nothing is fetched from elsewhere",
    r"\blocalStorage\b(?!\.(getItem|setItem)\(key)": "state belongs into the address",
}
LIMIT = 120_000  # bytes of the app without three dimensions, gzipped


def sources():
    return sorted(path for path in (WEB / "src").rglob("*") if path.suffix in (".ts", ".tsx", ".css"))


def forbidden_words():
    for path in sources():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for pattern, why in FORBIDDEN.items():
                if re.search(pattern, line):
                    yield f"{path.relative_to(WEB)}:{number}: {why}: {line.strip()}"


def long_files():
    for path in sources():
        text = path.read_text(encoding="utf-8")
        lines = len(text.splitlines())
        if lines > 400 and not text.startswith("// Made by") and path.suffix != ".css":
            yield f"{path.relative_to(WEB)}: {lines} lines, expected at most 400"


def registry_hosts():
    for path in (WEB / "package.json", WEB / "package-lock.json", WEB / ".npmrc"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"\"resolved\"|registry\s*=", line):
                yield f"{path.name}:{number}: names where packages come from: {line.strip()}"
    lock = (WEB / "package-lock.json").read_text(encoding="utf-8")
    packages, hashes = len(re.findall(r"\"node_modules/", lock)), lock.count('"integrity"')
    if hashes < packages:
        yield f"package-lock.json: {packages} packages, only {hashes} hashes"


def lost_pages():
    routes = (WEB / "src" / "routes.ts").read_text(encoding="utf-8")
    for page in re.findall(r'import\("\./(pages/[^"]+)"\)', routes):
        if not (WEB / "src" / page).exists():
            yield f"routes.ts: {page} is not there"


def too_heavy(embedded):
    text = embedded.read_text(encoding="ascii")
    files = re.findall(r'\{"([^"]+)", "[^"]+", "[0-9a-f]{64}", \{[^}]*, (\d+)\}\}', text)
    if not any(name == "index.html" for name, _ in files):
        yield f"{embedded.name}: no index.html"
    total = sum(int(size) for name, size in files if "niivue" not in name)
    if total > LIMIT:
        yield f"the app weighs {total} bytes, expected at most {LIMIT}"


def main():
    problems = [*forbidden_words(), *long_files(), *registry_hosts(), *lost_pages()]
    if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).exists():
        problems += too_heavy(pathlib.Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    print(f"web sources: {len(sources())} files, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
