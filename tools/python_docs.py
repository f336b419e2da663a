#!/usr/bin/env python3
"""Writes docs/python from the docstrings of the Python package, one page a module.

    PYTHONPATH=build/python python tools/python_docs.py [OUT]
"""

import inspect
import pathlib
import sys

import fiducial

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = {
    "datasets": "Datasets, cases and findings",
    "cases": "Teaching cases",
    "masks": "Masks",
    "mask_files": "The masks of a case in files, folders and archives",
    "volumes": "Volumes",
    "preprocess": "What models are given of a CT",
    "metrics": "Metrics of two masks",
    "scoring": "Scoring, rows, verifying and comparing",
    "options": "Tasks and their options",
    "serving": "Looking at data and scores in a browser",
    "samples": "Samples for training loops",
    "frameworks": "Samples for MONAI and TorchIO",
    "verbs": "Check, stats, convert, resample, pack, export, predict, run, board, demo",
    "jobs": "Work in units, on many machines",
    "stages": "Stages of building a benchmark",
    "curate": "What reports say",
    "cards": "Benchmark cards",
    "anatomy": "Anatomy and organ masks",
    "errors": "Exceptions",
}


def parameter_text(parameter):
    text = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
    if parameter.annotation is not inspect.Parameter.empty:
        text += f": {type_text(parameter.annotation)}"
    if parameter.default is inspect.Parameter.empty:
        return text
    return f"{text}{' = ' if ':' in text else '='}{parameter.default!r}"


def type_text(annotation):
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def signature(name, function):
    found = inspect.signature(function)
    parts = []
    for parameter in found.parameters.values():
        if parameter.name in ("self", "cls") and not parts:
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not any(part.startswith("*") for part in parts):
            parts.append("*")
        parts.append(parameter_text(parameter))
    given = found.return_annotation
    ending = "" if given in (inspect.Signature.empty, "None", None) else f" -> {type_text(given)}"
    return f"{name}({', '.join(parts)}){ending}"


def with_fences(text):
    """Text of a module, whose indented lines are code."""
    lines = []
    is_code = False
    for line in (text or "").strip().splitlines() + [""]:
        if line.startswith("    ") and not is_code:
            lines.append("```python")
            is_code = True
        elif is_code and line and not line.startswith("    "):
            lines[-1:] = ["```", ""] if not lines[-1] else [lines[-1], "```"]
            is_code = False
        lines.append(line[4:] if is_code else line)
    while not lines[-1]:
        lines.pop()
    return "\n".join(lines + (["```"] if is_code else []))


def documented(text):
    """A docstring whose examples, from a prompt on to a blank line, are code."""
    blocks = inspect.cleandoc(text or "").strip().split("\n\n")
    return "\n\n".join(f"```python\n{block}\n```" if block.startswith(">>> ") else block for block in blocks)


def in_a_list(text):
    """The same as an item of a list: words on one line, examples below them."""
    words, *examples = documented(text).split("\n\n```python\n")
    indented = ("\n".join(f"  {line}".rstrip() for line in f"```python\n{example}".splitlines()) for example in examples)
    return "\n\n".join([" ".join(words.split()), *indented])


def member_lines(kind):
    """Properties and methods that are written here and have a docstring, in the order of the source."""
    for name, member in vars(kind).items():
        if isinstance(member, property) and not name.startswith("_") and member.__doc__:
            yield f"- **`.{name}`**: {in_a_list(member.__doc__)}"
            continue
        function = member.__func__ if isinstance(member, classmethod) else member
        public = not name.startswith("_") or name in ("__len__", "__getitem__")
        if inspect.isfunction(function) and public and function.__doc__:
            yield f"- **`.{signature(name, function)}`**: {in_a_list(function.__doc__)}"


def class_text(name, kind):
    head = signature(name, kind.__init__) if kind.__init__ is not object.__init__ and kind.__init__.__doc__ else name
    parts = [f"## `{head}`", documented(kind.__doc__)]
    if inspect.isfunction(kind.__init__) and kind.__init__.__doc__:
        parts.append(documented(kind.__init__.__doc__))
    members = list(member_lines(kind))
    return "\n\n".join(parts + (["\n".join(members)] if members else []))


def page(name, title):
    module = getattr(fiducial, name, None) or __import__(f"fiducial.{name}", fromlist=["_"])
    parts = [f"# {title}", f"`fiducial.{name}`: {with_fences(module.__doc__)}"]
    for key, value in vars(module).items():
        if key.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(value) and value.__doc__:
            parts.append(class_text(key, value))
        elif inspect.isfunction(value):
            parts.append(f"## `{signature(key, value)}`\n\n{documented(value.__doc__)}")
    return "\n\n".join(parts) + "\n"


def overview():
    lines = ["# The Python package", with_fences(fiducial.__doc__), "| page | |\n|---|---|"]
    rows = "".join(f"\n| [{name}]({name}.md) | {title} |" for name, title in PAGES.items())
    made = "Made from the docstrings by `tools/python_docs.py`; a test fails when it drifts."
    return "\n\n".join(lines) + rows + f"\n\n{made}\n"


def pages():
    yield "README.md", overview()
    for name, title in PAGES.items():
        yield f"{name}.md", page(name, title)


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "python"
    out.mkdir(parents=True, exist_ok=True)
    for name, text in pages():
        (out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
