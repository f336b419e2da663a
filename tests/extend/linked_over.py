"""Compiles the sources of a small tree as a build compiles those beside them, and links them over that build: the command
and the Python module, with nothing else compiled again."""

import json
import pathlib
import shlex
import subprocess
from typing import NamedTuple


class Build(NamedTuple):
    folder: pathlib.Path  # configured for Ninja, and built
    ninja: str
    root: pathlib.Path    # its sources


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout[-8000:]}")
    return done.stdout


def compile_commands(build):
    """The words that compile a source, by its path."""
    entries = json.loads((build.folder / "compile_commands.json").read_text())
    return {pathlib.Path(entry["file"]): shlex.split(entry["command"]) for entry in entries}


def without(words, options):
    """Leaves out options together with the word that follows them."""
    kept, skip = [], False
    for word in words:
        if skip or word in options:
            skip = not skip
            continue
        kept.append(word)
    return kept


def is_list(source):
    return source.name.startswith("all_")


def list_beside(source):
    """The list a source was added to: in its folder, or in the one above."""
    return next(found for folder in (source.parent, source.parent.parent) for found in sorted(folder.glob("all_*.cpp")))


def compiled(build, tree):
    """The object of every source in the tree, by its path in it. Headers and lists of the tree go before the build's."""
    commands = compile_commands(build)
    objects, running = {}, []
    for source in sorted(tree.rglob("*.cpp")):
        like = commands[build.root / (source if is_list(source) else list_beside(source)).relative_to(tree)]
        words = without(like, {"-o", "-c", "-MF", "-MT"})
        out = source.with_suffix(".o")
        at = next(place for place, word in enumerate(words) if word.startswith("-I"))
        words[at:at] = [f"-I{tree / 'src'}"]
        words = [word for word in words if word not in ("-MD", str(build.root / source.relative_to(tree)))]
        words += ["-o", str(out), "-c", str(source)]
        running.append(subprocess.Popen(words, cwd=build.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        objects[source.relative_to(tree)] = out
    for each in running:
        said = each.communicate()[0]
        if each.returncode != 0:
            raise SystemExit(f"{shlex.join(each.args)}: status {each.returncode}\n{said[-8000:]}")
    return objects


def link_words(build, target):
    """The words that link a target: what stands between the first two "&&" of the last command that makes it."""
    command = run([build.ninja, "-t", "commands", target], build.folder).splitlines()[-1]
    words = shlex.split(command.replace("\\$", "$"))
    begin = words.index("&&") + 1
    return words[begin:words.index("&&", begin)]


def linked(build, target, out, objects):
    """Links a target with these objects in the place of its own, and before those of libraries."""
    own = tuple(f".dir/{path.name}.o" for path in objects)
    words = [word for word in without(link_words(build, target), {"-o"}) if not word.endswith(own)]
    first = next(place for place, word in enumerate(words) if word.endswith(".o"))
    words[first:first] = [str(each) for each in objects.values()]
    out.parent.mkdir(parents=True, exist_ok=True)
    run([*words, "-o", out], build.folder)


def built(build, tree):
    """The command and the Python package with what the tree adds."""
    objects = compiled(build, tree)
    fiducial = tree / "bin/fiducial"
    linked(build, "bin/fiducial", fiducial, objects)
    (tree / "lib").symlink_to(build.folder / "lib")
    built_package = build.folder / "python/fiducial"
    native = next(built_package.glob("_native*.so"))
    package = tree / "python/fiducial"
    library = {path: each for path, each in objects.items() if path.parts[0] == "src"}
    linked(build, str(native.relative_to(build.folder)), package / native.name, library)
    for file in built_package.iterdir():
        if file != native:
            (package / file.name).symlink_to(file.resolve())
    return fiducial, package
