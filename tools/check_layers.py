#!/usr/bin/env python3
"""Fails on what the compiler lets through: an include against the layers, a heavy header in a header, a
number written or read by the locale, two types of one name.

The layers are src/fiducial/layers.txt; what a module may use is the USES list of its CMakeLists.txt.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "fiducial"
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
HEAVY = ("arrow/", "parquet/", "nlohmann/", "simdjson", "CLI/", "gdcm", "isa-l/", "libdeflate", "jpeglib", "png.h",
         "boost/", "openssl/")
# Private to the sources that move bytes: no other header includes them.
WIRE = ("fiducial/http/wire.h", "fiducial/http/connection.h")
WIRE_PLACES = tuple(f"src/{header}" for header in WIRE)
TYPE = re.compile(r"^(namespace|struct|class|enum class) ([\w:]+)[^;(){]*\{", re.MULTILINE)
BANNED = re.compile(r"\b(std::to_string|std::sto[a-z]+|atof|atoi|strtod|std::locale|setlocale)\b")


def layers():
    """Module -> height."""
    found = {}
    for line in (SOURCE / "layers.txt").read_text().splitlines():
        if line and line[0].isdigit():
            height, *names = line.split()
            found.update(dict.fromkeys(names, int(height)))
    return found


def uses(module):
    text = (SOURCE / module / "CMakeLists.txt").read_text()
    call = re.search(r"fiducial_module\(\s*(\w+)([^)]*)\)", text)
    if call is None or call.group(1) != module:
        return None
    words = call.group(2).split()
    start = words.index("USES") + 1 if "USES" in words else len(words)
    end = words.index("LINKS") if "LINKS" in words else len(words)
    return words[start:end]


def module_problems(heights):
    for folder in sorted(path for path in SOURCE.iterdir() if path.is_dir()):
        module = folder.name
        if not (folder / "CMakeLists.txt").exists():
            yield f"src/fiducial/{module}: no CMakeLists.txt"
            continue
        allowed = uses(module)
        if module not in heights:
            yield f"src/fiducial/layers.txt: module {module} has no layer"
            continue
        if allowed is None:
            yield f"src/fiducial/{module}/CMakeLists.txt: expected one call fiducial_module({module} ...)"
            continue
        for used in allowed:
            if heights.get(used, 99) >= heights[module]:
                yield f"src/fiducial/{module}/CMakeLists.txt: {module} uses {used}, which is not on a lower layer"
        yield from include_problems(folder, {module, *allowed})


def include_problems(folder, allowed):
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        for included in INCLUDE.findall(path.read_text()):
            parts = included.split("/")
            if parts[0] == "fiducial" and parts[1] not in allowed:
                yield f"{path.relative_to(ROOT)}: includes {included}; its module does not use {parts[1]}"


def text_problems():
    for folder in ("src", "apps"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            text = path.read_text()
            place = path.relative_to(ROOT)
            for included in INCLUDE.findall(text):
                if path.suffix == ".h" and included.startswith((*HEAVY, *WIRE)) and str(place) not in WIRE_PLACES:
                    yield f"{place}: heavy header {included} belongs into a .cpp file"
            for word in [] if path.stem.endswith("_test") else BANNED.findall(text):
                yield f"{place}: {word} depends on the locale; use fiducial/base/number_text.h"


def type_problems():
    """Two types of one name in one namespace are undefined behaviour as soon as a program links both."""
    seen = {}
    for path in sorted([*(ROOT / "src").rglob("*.h"), *(ROOT / "apps").rglob("*.h"), *(ROOT / "python").rglob("*.h")]):
        if path.stem.endswith("_example"):  # for the tests of one module
            continue
        namespace = ""
        for kind, name in TYPE.findall(path.read_text()):
            if kind == "namespace":
                namespace = name
                continue
            first = seen.setdefault(f"{namespace}::{name}", path)
            if first != path:
                yield f"{path.relative_to(ROOT)}: {namespace}::{name} is also in {first.relative_to(ROOT)}"


def main():
    problems = [*module_problems(layers()), *text_problems(), *type_problems()]
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
