#!/usr/bin/env python3
"""Takes the pictures of the web app that the documentation shows, from the synthetic demo.

usage: web_pictures.py FIDUCIAL [FOLDER]

Writes web_{home,case,question,run,compare}.png to FOLDER (docs/pictures). Needs what the browser tests need, and NumPy.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from page_pictures import shrink

ROOT = pathlib.Path(__file__).resolve().parents[1]


def score(fiducial, work, dataset, predictions, target, *more):
    subprocess.run([fiducial, "score", f"demo/{dataset}", f"demo/systems/{predictions}", "-o", f"scores/{target}", *more],
                   cwd=work, check=True, capture_output=True)


def main():
    fiducial = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/pictures").resolve()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        subprocess.run([fiducial, "demo", "demo"], cwd=work, check=True, capture_output=True)
        for system in ("good", "weak", "flipped"):
            score(fiducial, work, "rexgroundingct", f"rexgroundingct/{system}", f"rexgroundingct/{system}",
                  "--volumes", "demo/rexgroundingct/volumes")
        for reader in ("good", "guessing", "text-only"):
            score(fiducial, work, "medthinkvqa", f"medthinkvqa/{reader}/predictions.jsonl", f"medthinkvqa/{reader}", "--system", reader)
        for system in ("careful", "blind"):
            score(fiducial, work, "curated/radgenome", f"radgenome/{system}", f"radgenome/{system}")
        subprocess.run(["node", ROOT / "tools/web_pictures.mjs", work, folder], check=True, env={**os.environ, "FIDUCIAL": fiducial})
    for path in sorted(folder.glob("web_*.png")):
        shrink(path)
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
