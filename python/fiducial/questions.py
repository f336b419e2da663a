"""The questions of `fiducial run` for programs that ask models themselves, and the scores of the replies they get.

    questions = prepared(Asked("medthinkvqa", "direct"))
    for case, lines in questions.by_case.items():
        ...
    questions.scored({case: {line["request"]: {"reply": "B"}}})

What `fiducial.inspect` and `fiducial.lmms` have in common.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import pathlib
import tempfile
import threading
import typing

from fiducial import scoring
from fiducial.errors import InvalidData
from fiducial.jobs import say

_ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp"}
_one_at_a_time = threading.RLock()

Replies = dict[str, dict[str, typing.Any]]  # lines of a file of replies, by request


@dataclasses.dataclass(frozen=True)
class Asked:
    """What is asked, as the words of `fiducial run`, and what scores are made with."""

    dataset: str
    workflow: str
    volumes: str | None = None
    masks: str | None = None
    split: str | None = None
    view: str | None = None
    image_budget: str | None = None
    limit: int | None = None
    kinds: tuple[str, ...] = ()  # of questions; none: all
    system: str = "asked elsewhere"  # the name that scores get

    def words(self) -> list[str]:
        """The call of the command, without where its output goes."""
        named = {"--volumes": self.volumes, "--masks": self.masks, "--split": self.split, "--view": self.view,
                 "--image-budget": self.image_budget}
        given = [word for name, value in named.items() if value is not None for word in (name, str(value))]
        return ["run", self.dataset, "--workflow", self.workflow, "--model", "asked elsewhere", "--re-asks", "0", *given]

    @classmethod
    def of(cls, fields: dict[str, typing.Any]) -> Asked:
        """Read back from a log."""
        return cls(**{**fields, "kinds": tuple(fields.get("kinds", ()))})


class Questions:
    """The questions of a task and the pictures they show, in a folder that goes when Python ends."""

    def __init__(self, asked: Asked):
        self._kept = tempfile.TemporaryDirectory(prefix="fiducial-questions-")
        self._allowed: set[tuple[str, ...]] = set()
        self.asked, self.folder = asked, pathlib.Path(self._kept.name)
        self.allow(())
        with (self.folder / "questions.jsonl").open(encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        broken = next((line for line in lines if "error" in line), None)
        if broken is not None:
            raise InvalidData(f"{broken['item']} cannot be asked about: {broken['error']}")
        self.by_case: dict[str, list[dict[str, typing.Any]]] = {}
        for line in lines:
            self.by_case.setdefault(line.get("scan", line["item"]), []).append(line)

    def allow(self, endpoint: tuple[str, ...]) -> None:
        """Lists the questions for a model on an endpoint; refused where they may not go there."""
        with _one_at_a_time:
            if endpoint in self._allowed:
                return
            limit = [] if self.asked.limit is None else ["--limit", str(self.asked.limit)]
            say([*self.asked.words(), "--questions", "-o", self.folder, *limit, *endpoint])
            self._allowed.add(endpoint)

    def of(self, case: str) -> list[dict[str, typing.Any]]:
        """The questions about a case that the task asks."""
        kinds = self.asked.kinds
        return [line for line in self.by_case[case] if not kinds or line.get("kind") in kinds]

    def picture(self, part: dict[str, str]) -> pathlib.Path:
        """The file of a picture that a message holds, with the ending of its type."""
        file = self.folder / "images" / part["image"]
        named = file.with_name(file.name + _ENDINGS[part["type"]])
        if not named.exists():
            named.symlink_to(file.name)
        return named

    def scored(self, replies: dict[str, Replies]) -> scoring.Scores:
        """The scores of replies by case, with everything else left out."""
        cases, items = self.folder / "cases.txt", self.folder / "items.txt"
        file = self.folder / "replies.jsonl"
        with _one_at_a_time:
            lines = [(line["item"], replies[case].get(line["request"], {"error": "not asked"}) | {"request": line["request"]})
                     for case in replies for line in self.by_case[case]]
            file.write_text("".join(json.dumps(reply) + "\n" for _, reply in lines), encoding="utf-8")
            items.write_text("".join(f"{item}\n" for item, _ in lines), encoding="utf-8")
            cases.write_text("".join(f"{case}\n" for case in replies), encoding="utf-8")
            for stale in [*self.folder.glob("*.csv"), *self.folder.glob("*.nii.gz")]:
                stale.unlink()
            say([*self.asked.words(), "--replay", file, "--cases", items, "--max-failures", "100%", "-o", self.folder])
            options = {"volumes": self.asked.volumes} if self.asked.workflow == "ground" else {}
            return scoring.score(self.asked.dataset, self.folder, cases=cases, split=self.asked.split, system=self.asked.system,
                                 progress=False, **options)

    def numbers(self, replies: dict[str, Replies]) -> dict[str, float]:
        """The headline values of replies; none where there is nothing to score."""
        if not any("reply" in line for lines in replies.values() for line in lines.values()):
            return {}
        return self.scored(replies).numbers()


@functools.cache
def prepared(asked: Asked) -> Questions:
    """The questions, listed once in a process."""
    return Questions(asked)
