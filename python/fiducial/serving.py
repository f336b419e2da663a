"""Looking at datasets and scores in a browser, as `fiducial serve` shows them."""

from __future__ import annotations

import os
import subprocess
import tempfile
import typing

from fiducial.errors import _last_told

PathLike = typing.Union[str, "os.PathLike[str]"]


class Page:
    """A page that this machine serves to itself, until it is closed or Python ends. A notebook shows its link."""

    def __init__(self, process: subprocess.Popen[str], url: str):
        self._process = process
        self._kept: tempfile.TemporaryDirectory[str] | None = None  # what is served goes with the page
        self.url = url

    def close(self) -> None:
        """Stops the server."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        if self._kept is not None:
            self._kept.cleanup()

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<fiducial.Page at {self.url}>"

    def _repr_html_(self) -> str:
        return f'<a href="{self.url}" target="_blank" rel="noopener">{self.url}</a>'


def serve(*paths: PathLike, volumes: PathLike | None = None, open: bool = False) -> Page:  # noqa: A002
    """Serves datasets, score folders, predictions and folders above them to this machine.

    `volumes` is where the CTs lie; by default `volumes/` of a dataset. `open` opens the page in a browser.

    >>> with fiducial.serve("rexgroundingct", "scores") as page:
    ...     page.url.startswith("http://127.0.0.1:")
    True
    """
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "fiducial")
    words = [program, "serve", *map(os.fspath, paths), "--port", "0"]
    if volumes is not None:
        words += ["--volumes", os.fspath(volumes)]
    if open:
        words.append("--open")
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "FIDUCIAL_ERRORS": "json"})
    assert process.stdout is not None and process.stderr is not None
    url = process.stdout.readline().strip()
    if url:
        return Page(process, url)
    said = process.stderr.read()
    raise _last_told(said, process.wait())
