"""Progress of long calls: a bar in terminals and notebooks, or a callable of your own."""

from __future__ import annotations

import collections.abc
import sys
import typing

Callback = collections.abc.Callable[[str, int, int], typing.Any]  # what, done, total
Wish = typing.Union[bool, Callback, None]

_WIDTH = 30


class TerminalBar:
    """One line on standard error that is drawn over and wiped at the end."""

    def __init__(self, stream: typing.TextIO):
        self._stream = stream
        self._drawn = False

    def __call__(self, what: str, done: int, total: int) -> None:
        filled = _WIDTH * done // total if total > 0 else 0
        bar = "#" * filled + "." * (_WIDTH - filled)
        self._stream.write(f"\r{what} [{bar}] {done}/{total}")
        self._stream.flush()
        self._drawn = True

    def close(self) -> None:
        if self._drawn:
            self._stream.write("\r\033[K")
            self._stream.flush()


class NotebookBar:
    """A progress element below the cell, replaced as it grows and gone at the end."""

    def __init__(self, display: typing.Any, html: typing.Any):
        self._html = html
        self._handle = display(html(""), display_id=True)

    def __call__(self, what: str, done: int, total: int) -> None:
        if self._handle is not None:
            self._handle.update(self._html(f"{what} <progress value='{done}' max='{max(total, 1)}'></progress> {done}/{total}"))

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update(self._html(""))


class _Silent:
    def __call__(self, what: str, done: int, total: int) -> None:
        pass

    def close(self) -> None:
        pass


class _Called:
    def __init__(self, callback: Callback):
        self._callback = callback

    def __call__(self, what: str, done: int, total: int) -> None:
        self._callback(what, done, total)

    def close(self) -> None:
        pass


def _in_notebook() -> bool:
    """Whether a Jupyter kernel runs this; asks only what is imported already."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class shown:
    """`with shown(wish) as told`: a callable that shows progress as wished. None shows a bar where somebody looks."""

    def __init__(self, wish: Wish):
        self._wish = wish

    def __enter__(self) -> typing.Any:
        self._bar = self._make()
        return None if isinstance(self._bar, _Silent) else self._bar

    def __exit__(self, *raised: object) -> None:
        self._bar.close()

    def _make(self) -> typing.Any:
        if callable(self._wish):
            return _Called(self._wish)
        if self._wish is False:
            return _Silent()
        if _in_notebook():
            from IPython.display import HTML, display

            return NotebookBar(display, HTML)
        if self._wish is True or sys.stderr.isatty():
            return TerminalBar(sys.stderr)
        return _Silent()
