"""What a configured folder compiles, and from which sources of ours: a unit is one source or a batch of them."""

import json
import pathlib
import re
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = ("src", "apps", "python")


def members(unit):
    """The sources a unit is made of: those of a batch, else itself."""
    if "/Unity/" not in unit:
        return {pathlib.Path(unit)}
    return {pathlib.Path(name) for name in re.findall(r'#include "(.*)"', pathlib.Path(unit).read_text())}


def units(folder, sources):
    """(compile command, our own sources) of every unit that has one of the given sources in it, in the order these are given
    in; or of all units."""
    wanted = {(ROOT / source).resolve(): place for place, source in reversed(list(enumerate(sources)))}
    rooms = [ROOT / name for name in OURS]
    found = []
    for entry in json.loads((pathlib.Path(folder) / "compile_commands.json").read_text()):
        ours = {path for path in members(entry["file"]) if any(path.is_relative_to(room) for room in rooms)}
        chosen = ours & wanted.keys() if wanted else ours
        if chosen:
            found.append((min(wanted[path] for path in chosen) if wanted else 0, entry, sorted(chosen)))
    return [(entry, chosen) for _, entry, chosen in sorted(found, key=lambda each: each[0])]


def arguments(words):
    """FOLDER [--seconds N] [SOURCE...] as folder, seconds or None, sources."""
    folder, rest = words[0], words[1:]
    if rest[:1] == ["--seconds"]:
        return folder, float(rest[1]), rest[2:]
    return folder, None, rest


def within(seconds, look):
    """`look` until so many seconds from now, and None for what comes after; without an end where there is none."""
    end = None if seconds is None else time.monotonic() + seconds
    return lambda unit: None if end is not None and time.monotonic() > end else look(unit)
