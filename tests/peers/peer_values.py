"""Reads cases as those of tests/reference/surface.json on standard input, writes them with the values of the
surface-distance package and of panoptica on standard output. Runs in the environment of requirements/peers.txt.
"""

import contextlib
import json
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "reference"))

import make_surface_reference  # noqa: E402

warnings.simplefilter("ignore")
document = json.load(sys.stdin)
with contextlib.redirect_stdout(sys.stderr):
    make_surface_reference.surface_distance_values(document)
    make_surface_reference.panoptica_values(document)
json.dump(document, sys.stdout)
