"""The exceptions of this package: one a reason, as the command's exit statuses are."""

from __future__ import annotations

import json
import re
import typing

_OPTION = re.compile(r"(?<![\w/.-])--([a-z]+(?:-[a-z]+)*)")  # as the command has them


class Place(typing.NamedTuple):
    """Where in an input something was found. Empty fields are not known."""

    path: str = ""
    byte: int | None = None
    line: int | None = None
    pointer: str = ""  # place inside a document, as a JSON pointer


class Error(Exception):
    """Why something could not be done.

    `code` is the stable name of the reason, `status` the exit status that the command would end with, `place` says
    where in the input it was found, and `contexts` what was being done, innermost first.
    """

    code: typing.ClassVar[str] = "internal"
    status: typing.ClassVar[int] = 70

    def __init__(self, message: str, place: Place = Place(), contexts: tuple[str, ...] = (), text: str | None = None):
        super().__init__(message)
        self.message = message
        self.place = Place(*place)
        self.contexts = tuple(contexts)
        self._text = text or message

    def __str__(self) -> str:
        return self._text

    def __reduce__(self) -> tuple[typing.Any, ...]:
        return type(self), (self.message, self.place, self.contexts, self._text)


class TooManyFailures(Error):
    """Finished, with more failures than allowed."""

    code, status = "too_many_failures", 1


class BadUsage(Error, ValueError):
    """The caller asked for something that makes no sense."""

    code, status = "bad_usage", 2


class UnknownOption(BadUsage, TypeError):
    """A keyword that the task has no option for."""


class InvalidData(Error, ValueError):
    """Input that breaks its format or its promises, or that is not there."""

    code, status = "invalid_data", 3


class UnknownName(BadUsage, KeyError):
    """A metric, split, column or other name that is not there; the message lists those that are."""


class NotFound(InvalidData, FileNotFoundError):
    """A file or folder that is not there."""

    def __init__(self, message: str, place: Place = Place(), contexts: tuple[str, ...] = (), text: str | None = None):
        super().__init__(message, place, contexts, text)
        self.filename = self.place.path or None


class Unfinished(Error):
    """Stopped half way; the same call resumes."""

    code, status = "unfinished", 4


class IntegrityError(Error):
    """A checksum or a recorded hash does not agree."""

    code, status = "integrity", 5


class Refused(Error):
    """A policy forbids it."""

    code, status = "refused", 6


class RemoteError(Error):
    """A remote endpoint failed."""

    code, status = "remote", 7


class Unavailable(Error):
    """Weights, data or a service is not here."""

    code, status = "unavailable", 8


class InternalError(Error):
    """A mistake of this package."""

    code, status = "internal", 70


class IoError(Error, OSError):
    """The system refused: disk full, permission denied, a failed read or write."""

    code, status = "io", 74

    def __init__(self, message: str, place: Place = Place(), contexts: tuple[str, ...] = (), text: str | None = None):
        super().__init__(message, place, contexts, text)
        self.filename = self.place.path or None


class Interrupted(Error):
    """Stopped by a signal."""

    code, status = "interrupted", 75


ALL: tuple[type[Error], ...] = (TooManyFailures, BadUsage, InvalidData, Unfinished, IntegrityError, Refused,
                                RemoteError, Unavailable, InternalError, IoError, Interrupted)
_BY_CODE = {kind.code: kind for kind in ALL}
_BY_REASON: dict[tuple[str, str], type[Error]] = {("bad_usage", "unknown_name"): UnknownName,
                                                  ("invalid_data", "path_missing"): NotFound}


def _error(code: str, reason: str, message: str, place: tuple[typing.Any, ...], contexts: list[str], text: str) -> Error:
    """The exception for an error of the native engine, which calls this."""
    kind = _BY_REASON.get((code, reason)) or _BY_CODE.get(code, InternalError)
    return kind(_in_python(message), Place(*place), tuple(contexts), _in_python(text))


def _told(line: str) -> Error:
    """The exception for an error that the command told with FIDUCIAL_ERRORS=json."""
    error = json.loads(line)
    place = error["place"]
    return _error(error["code"], error["reason"], error["message"],
                  tuple(place.get(name, Place._field_defaults[name]) for name in Place._fields), error["contexts"],
                  error["text"])


def _last_told(said: str, status: int) -> Error:
    """The exception for what the command wrote on standard error, and its status where that is no JSON."""
    lines = [line for line in said.splitlines() if line.strip()] or [f"status {status}"]
    if lines[-1].startswith('{"schema":"fiducial.error/1"'):
        return _told(lines[-1])
    told = next((line for line in reversed(lines) if "error: " in line), lines[-1])
    kind = next((each for each in ALL if each.status == status), InternalError)
    return kind(told.partition("error: ")[2] or told)


def _in_python(text: str) -> str:
    """A message with the options of the command as the keywords that they are here."""
    return _OPTION.sub(lambda option: {"overwrite": "overwrite=True"}.get(option[1], option[1].replace("-", "_")), text)
