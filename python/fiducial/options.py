"""The tasks that predictions are scored by, and the options of each, as the engine declares them."""

from __future__ import annotations

import collections.abc
import dataclasses
import difflib
import functools
import numbers
import os
import textwrap
import typing

from fiducial import _native
from fiducial.errors import UnknownOption

_EARLIER = {"baselines": "baseline", "spacing_mm": "spacing"}  # names that options had
_LISTS = ("texts", "numbers", "named_paths")


@dataclasses.dataclass(frozen=True)
class Option:
    """Something a task is told beside dataset and predictions: a keyword of `fiducial.score`.

    `kind` is "text", "integer", "number", "flag" (a bool), "path", "texts" or "numbers" (a list, or a text with commas),
    or "named_paths" (a dict of paths). The engine checks values.
    """

    name: str
    kind: str
    help: str
    default: str | None
    choices: tuple[str, ...]
    heading: str

    @property
    def typed(self) -> str:
        """The option as the command has it, without the dashes before it."""
        return self.name.replace("_", "-")

    def texts(self, value: typing.Any) -> list[str]:
        """A value as the engine takes it; nothing where it is not set."""
        if value is None or self.kind == "flag":
            return ["true"] if value else []
        if isinstance(value, collections.abc.Mapping):
            return [f"{name}={_text(each)}" for name, each in value.items()]
        if self.kind not in _LISTS:
            return [_text(value)]
        if isinstance(value, str):
            return [word for word in value.split(",") if word]
        return [_text(each) for each in value]

    def __str__(self) -> str:
        return f"{self.help}{': ' if self.choices else ''}{', '.join(self.choices)}" + \
            (f" (default: {self.default})" if self.default is not None else "")


@dataclasses.dataclass(frozen=True)
class Task:
    """A way to score predictions: what it takes, its options and the words that its option `metrics` takes."""

    id: str
    title: str
    predictions: str
    metrics: tuple[str, ...]
    options: tuple[Option, ...]

    def option(self, name: str) -> Option:
        """The option of a name; a TypeError names the others."""
        known = {option.name: option for option in self.options}
        found = known.get(_EARLIER.get(name, name))
        if found is None:
            close = difflib.get_close_matches(name, known, 1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise UnknownOption(f"{name!r} is no option of task {self.id}.{hint} Its options: {', '.join(known)}")
        return found

    def __str__(self) -> str:
        return _paragraph(f"{self.id}: {self.title}\n  predictions: {self.predictions}", self.options)


def _paragraph(head: str, options: collections.abc.Iterable[Option]) -> str:
    return "\n".join([head, *(textwrap.fill(f"{option.name}: {option}", 100, initial_indent="  ", subsequent_indent="      ")
                              for option in options)])


def _text(value: typing.Any) -> str:
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value)).removesuffix(".0")
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(value)


@functools.cache
def _tasks() -> tuple[Task, ...]:
    def option(fields: dict[str, typing.Any]) -> Option:
        return Option(**{**fields, "name": fields["name"].replace("-", "_"), "choices": tuple(fields["choices"])})

    return tuple(Task(**{**fields, "metrics": tuple(fields["metrics"]), "options": tuple(map(option, fields["options"]))})
                 for fields in _native.task_declarations())


def tasks() -> list[Task]:
    """The tasks that predictions are scored by, with what each takes; `print(*fiducial.tasks(), sep="\\n\\n")`."""
    return list(_tasks())


def task(id: str) -> Task:  # noqa: A002
    """The task of an id, as `fiducial.tasks` lists it."""
    return next(each for each in _tasks() if each.id == id)


def _listed() -> str:
    """All options, for a docstring: first those that every task has, then those of each."""
    names = [{option.name for option in each.options} for each in _tasks()]
    common = set.intersection(*names) - {"metrics", "resamples"}
    parts = [_paragraph("every task:", (option for option in _tasks()[0].options if option.name in common))]
    parts += [str(dataclasses.replace(each, options=tuple(option for option in each.options if option.name not in common)))
              for each in _tasks()]
    return textwrap.indent("\n\n".join(parts), "    ")


Function = typing.TypeVar("Function", bound=collections.abc.Callable[..., typing.Any])


def with_options(function: Function) -> Function:
    """The function with all options behind its docstring."""
    import inspect

    function.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\nOptions of\n\n{_listed()}"
    return function
