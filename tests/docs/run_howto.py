#!/usr/bin/env python3
"""Runs the commands of docs/tutorial.md and docs/howto: every line of every ```sh block, page by page, in a fresh folder.

usage: run_howto.py FIDUCIAL
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def failures(page, environment):
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    if not blocks:
        yield f"{page.name}: no ```sh block, so nothing of it is run\n"
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            for line in filter(None, block.splitlines()):
                done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
                if done.returncode != 0:
                    yield f"{page.name}: status {done.returncode}: {line}\n{done.stderr}"


def main():
    folder = str(pathlib.Path(sys.argv[1]).resolve().parent)
    environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
    passed = failed = 0
    for page in [ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "howto").glob("*.md"))]:
        found = list(failures(page, environment))
        passed += not found
        failed += bool(found)
        print("\n".join(found), end="")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
