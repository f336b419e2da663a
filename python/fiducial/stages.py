"""The stages of building a benchmark: a function each, made from what the stage declares.

    fiducial.curate.options("cases.json", output="pruned.json", seed=42)

Inputs are positional, options are keywords with `_` for `-` (`from_` for `from`). Every stage takes `output` (a file or a folder), `mode`
("strict" or "official"), `overwrite` and `progress`; stages that draw take `seed`, stages that ask a model `replay` and
`model`. A stage returns its manifest: counts by status and code, hashes of inputs and outputs, and its summary. Requests
without a reply raise `fiducial.errors.Unfinished`; they are in OUTPUT.requests.jsonl.
"""

from __future__ import annotations

import inspect
import json
import keyword
import os
import pathlib
import typing

from fiducial import _native
from fiducial.datasets import PathLike
from fiducial.jobs import Engine
from fiducial.progress import Wish, shown

_KINDS = {"text": "PathLike", "texts": "Sequence[PathLike]", "integer": "int", "flag": "bool"}


def run(stage: str, *inputs: PathLike, output: PathLike, mode: str = "strict", seed: int | None = None,
        replay: PathLike | None = None, model: str = "", overwrite: bool = False, progress: Wish = None,
        engine: str | None = None, job: PathLike | None = None, units: int | None = None,
        **options: typing.Any) -> dict[str, typing.Any]:
    """Runs a stage by its name, as `fiducial curate STAGE` does, and returns its manifest.

    With `engine` "ray" or "local" the stage is worked on in the folder `job`, and one that takes reports one by one is cut
    into `units`; see `fiducial.jobs`.
    """
    declared = next((each for each in _STAGES if each["name"] == stage), None)
    request = _native.CurateRequest()
    request.stage, request.mode, request.seed, request.output = stage, mode, seed, output
    request.replay, request.model, request.overwrite = replay, model, overwrite
    names = [each["name"] for each in declared["inputs"]] if declared else []
    if len(inputs) > len(names):
        raise TypeError(f"{stage} takes {len(names)} inputs, found {len(inputs)}")
    values = dict(zip(names, inputs))
    values.update({name.rstrip("_").replace("_", "-"): value for name, value in options.items()})
    request.values = {name: _words(value) for name, value in values.items() if value is not None and value is not False}
    if engine is not None:
        _run_by(Engine(engine, job, units), request, names)
        beside = pathlib.Path(output) / "manifest.json" if os.path.isdir(output) else pathlib.Path(f"{os.fspath(output)}.manifest.json")
        return json.loads(beside.read_text())
    with shown(progress) as told:
        return _native.curate(request, told)


def _run_by(engine: Engine, request: typing.Any, names: list[str]) -> None:
    words: list[typing.Any] = ["curate", request.stage, *(word for name in names for word in request.values.get(name, []))]
    flags = {each["name"] for stage in _STAGES if stage["name"] == request.stage for each in stage["options"] if each["kind"] == "flag"}
    for name, texts in request.values.items():
        if name not in names:
            words += [f"--{name}"] if name in flags else [word for text in texts for word in (f"--{name}", text)]
    words += ["--mode", request.mode, "--max-failures", "100%"]
    for name, value in (("seed", request.seed), ("replay", request.replay), ("model", request.model or None)):
        words += [] if value is None else [f"--{name}", str(value)]
    engine.carry_out(words, request.output, request.overwrite)


def stages() -> list[dict[str, typing.Any]]:
    """What every stage declares: name, summary, inputs, options, and whether it draws or asks."""
    return _native.curation_stages()


def _words(value: typing.Any) -> list[str]:
    if value is True:
        return ["true"]
    if isinstance(value, (list, tuple)):
        return [os.fspath(each) for each in value]
    return [str(value) if isinstance(value, (int, float)) else os.fspath(value)]


def _keyword(option: str) -> str:
    """The name of an option in Python: `from` is `from_`."""
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _parameters(stage: dict[str, typing.Any]) -> typing.Iterator[inspect.Parameter]:
    for each in stage["inputs"]:
        default = inspect.Parameter.empty if each["required"] else None
        yield inspect.Parameter(each["name"].lower(), inspect.Parameter.POSITIONAL_ONLY, default=default, annotation="PathLike")
    only = inspect.Parameter.KEYWORD_ONLY
    yield inspect.Parameter("output", only, annotation="PathLike")
    for each in stage["options"]:
        default = inspect.Parameter.empty if each["required"] else False if each["kind"] == "flag" else None
        yield inspect.Parameter(_keyword(each["name"]), only, default=default, annotation=_KINDS[each["kind"]])
    yield inspect.Parameter("mode", only, default="strict", annotation="str")
    if stage["draws"]:
        yield inspect.Parameter("seed", only, default=None, annotation="int | None")
    if stage["asks"]:
        yield inspect.Parameter("replay", only, default=None, annotation="PathLike | None")
        yield inspect.Parameter("model", only, default="", annotation="str")
    yield inspect.Parameter("overwrite", only, default=False, annotation="bool")
    yield inspect.Parameter("engine", only, default=None, annotation="str | None")
    yield inspect.Parameter("job", only, default=None, annotation="PathLike | None")
    yield inspect.Parameter("units", only, default=None, annotation="int | None")


def _function(stage: dict[str, typing.Any]) -> typing.Callable[..., dict[str, typing.Any]]:
    def curate_stage(*inputs, **options):
        return run(stage["name"], *inputs, **options)
    lines = [stage["summary"] + ".", ""]
    lines += [f"{each['name'].lower()}: {each['help']}." for each in stage["inputs"]]
    lines += [f"{_keyword(each['name'])}: {each['help']}." for each in stage["options"]]
    curate_stage.__name__ = curate_stage.__qualname__ = stage["name"].replace("-", "_")
    curate_stage.__doc__ = "\n".join(lines).strip()
    curate_stage.__signature__ = inspect.Signature(_parameters(stage), return_annotation="dict[str, Any]")
    return curate_stage


_STAGES = stages()
#: A function a stage, by name.
FUNCTIONS: dict[str, typing.Callable[..., dict[str, typing.Any]]] = {each["name"].replace("-", "_"): _function(each)
                                                                     for each in _STAGES}
globals().update(FUNCTIONS)
