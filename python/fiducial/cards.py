"""Benchmark cards, as JSON and as Markdown, and made from the data.

    card = fiducial.cards.make("rexgroundingct", config="terms.json")
    print(fiducial.cards.render(card))
"""

from __future__ import annotations

import json
import typing

from fiducial import _native
from fiducial.datasets import PathLike
from fiducial.progress import Wish, shown


def render(card: dict[str, typing.Any]) -> str:
    """The Markdown of a card, as `fiducial card render` prints it."""
    return _native.render_card(json.dumps(card, ensure_ascii=False))


def parse(markdown: str) -> dict[str, typing.Any]:
    """The card in a Markdown text; `render` of it gives the same lines."""
    return _native.parse_card(markdown)


def make(dataset: PathLike, *, config: PathLike | None = None, volumes: PathLike | None = None,
         metadata: PathLike | None = None, check: bool = True, progress: Wish = None) -> dict[str, typing.Any]:
    """The card of a dataset folder, computed from its files; `config` says what the data cannot."""
    request = _native.CardRequest()
    request.dataset, request.config, request.volumes = dataset, config, volumes
    request.metadata, request.check = metadata, check
    with shown(progress) as told:
        return _native.make_card(request, told)
