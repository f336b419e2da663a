"""What a configured folder compiles, and from which sources of ours: a unit is one source or a batch of them."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = ("src", "apps", "python")


def members(unit):
    """The sources a unit is made of: those of a batch, else itself."""
    if "/Unity/" not in unit:
        return {pathlib.Path(unit)}
    return {pathlib.Path(name) for name in re.findall(r'#include "(.*)"', pathlib.Path(unit).read_text())}


def units(folder, sources):
    """(compile command, our own sources) of every unit that has one of the given sources in it, or of all units."""
    wanted = {(ROOT / source).resolve() for source in sources}
    rooms = [ROOT / name for name in OURS]
    for entry in json.loads((pathlib.Path(folder) / "compile_commands.json").read_text()):
        ours = {path for path in members(entry["file"]) if any(path.is_relative_to(room) for room in rooms)}
        if ours and (not wanted or wanted & ours):
            yield entry, sorted(ours & wanted if wanted else ours)
