"""Tasks for inspect_ai: the questions of `fiducial run`, asked by inspect, and the scores of `fiducial score`.

    inspect eval fiducial/medthinkvqa -T dataset=medthinkvqa --model openai-api/local/MODEL

A sample is a case (a teaching case, or a scan with all its questions). Its score holds the headline values of that case; the
metrics of the log are those of all cases that were asked about, with the ends of their intervals, as `Scores.numbers` names
them. A log keeps replies and values; keys and reference masks are in no prompt and in no target.

An optional extra: `pip install fiducial[inspect]`.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import json
import os
import pathlib
import tempfile
import threading
import typing
import urllib.parse

from fiducial import scoring
from fiducial._native import version
from fiducial.errors import InvalidData, Unavailable
from fiducial.jobs import say

try:
    import anyio.to_thread
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, Content, ContentImage,
                                  ContentText, ModelOutput, get_model)
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
    from inspect_ai.solver import Generate, Solver, TaskState, solver
except ImportError as missing:
    raise Unavailable(f"inspect_ai is not installed ({missing}): pip install 'fiducial[inspect]'") from None

_REPLIES = "fiducial_replies"  # where a solver leaves them, by request
_ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp"}
_FINISHES = {"max_tokens": "length", "model_length": "length", "content_filter": "filter"}  # as journals name them
_SPEAKERS = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
_ON_THIS_MACHINE = ("hf", "vllm", "sglang", "llama-cpp-python", "ollama", "transformer_lens", "mockllm", "none")
_one_at_a_time = threading.Lock()

Replies = dict[str, dict[str, typing.Any]]  # lines of a file of replies, by request
Names = typing.Union[str, list[str], None]


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

    def words(self) -> list[str]:
        """The call of the command, without where its output goes."""
        named = {"--volumes": self.volumes, "--masks": self.masks, "--split": self.split, "--view": self.view,
                 "--image-budget": self.image_budget}
        given = [word for name, value in named.items() if value is not None for word in (name, str(value))]
        return ["run", self.dataset, "--workflow", self.workflow, "--model", "inspect", "--re-asks", "0", *given]

    @classmethod
    def of(cls, fields: dict[str, typing.Any]) -> Asked:
        """Read back from a log."""
        return cls(**{**fields, "kinds": tuple(fields.get("kinds", ()))})


class Questions:
    """The questions of a task and the pictures they show, in a folder that goes when Python ends."""

    def __init__(self, asked: Asked):
        self._kept = tempfile.TemporaryDirectory(prefix="fiducial-inspect-")
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

    def messages(self, line: dict[str, typing.Any], inline: bool = False) -> list[ChatMessage]:
        """A question as inspect has it: pictures as files, which it reads for a dataset, or as they are sent."""
        return [_SPEAKERS[each["role"]](content=[self._part(part, inline) for part in each["content"]])
                for each in line["ask"]["messages"]]

    def _part(self, part: dict[str, str], inline: bool) -> Content:
        if "text" in part:
            return ContentText(text=part["text"])
        file = self.folder / "images" / part["image"]
        if inline:
            return ContentImage(image=f"data:{part['type']};base64,{base64.b64encode(file.read_bytes()).decode()}")
        named = file.with_name(file.name + _ENDINGS[part["type"]])  # inspect goes by the ending
        if not named.exists():
            named.symlink_to(file.name)
        return ContentImage(image=os.fspath(named))

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
            return scoring.score(self.asked.dataset, self.folder, cases=cases, split=self.asked.split, system="inspect",
                                 progress=False, **options)

    def numbers(self, replies: dict[str, Replies]) -> dict[str, float]:
        """The headline values of replies; none where there is nothing to score."""
        if not any("reply" in line for lines in replies.values() for line in lines.values()):
            return {}
        return self.scored(replies).numbers()


@functools.cache
def _questions(asked: Asked) -> Questions:
    return Questions(asked)


def _reply(output: ModelOutput) -> dict[str, typing.Any]:
    if output.error or not output.choices:
        return {"error": output.error or "the endpoint gave no reply"}
    return {"reply": output.completion, "finish": _FINISHES.get(output.stop_reason, "stop")}


@solver
def ask_each(allow_remote: Names = None) -> Solver:
    """Asks every question of a sample in a conversation of its own; of a model elsewhere only where `allow_remote` names its host."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        questions = _questions(Asked.of(state.metadata["asked"]))
        await anyio.to_thread.run_sync(questions.allow, _endpoint(get_model(), allow_remote))
        replies: Replies = {}
        for line in questions.of(state.metadata["case"]):
            state.messages = questions.messages(line, inline=True)
            state = await generate(state)
            replies[line["request"]] = _reply(state.output)
        state.store.set(_REPLIES, replies)
        return state

    return solve


@metric(scores="unreduced")
def headline() -> Metric:
    """The values of `fiducial score` over all cases that were asked about; of several epochs their means."""

    def of_all(scores: list[SampleScore]) -> dict[str, float]:
        epochs: list[dict[str, Replies]] = []
        asked = None
        for each in scores:
            metadata, case = each.sample_metadata or {}, (each.sample_metadata or {}).get("case")
            if case is None:
                continue
            asked = asked or Asked.of(metadata["asked"])
            epoch = next((epoch for epoch in epochs if case not in epoch), None)
            if epoch is None:
                epochs.append(epoch := {})
            epoch[case] = (each.score.metadata or {})["replies"]
        if asked is None:
            return {}
        found = [_questions(asked).numbers(epoch) for epoch in epochs]
        return {name: sum(values[name] for values in found) / len(found)
                for name in found[0] if all(name in values for values in found)}

    return of_all


@scorer(metrics=[headline()])
def fiducial_score() -> Scorer:
    """Scores the replies of a sample as `fiducial score --cases` does that has the one case in it."""

    async def score(state: TaskState, target: Target) -> Score:
        questions, case = _questions(Asked.of(state.metadata["asked"])), state.metadata["case"]
        replies = state.store.get(_REPLIES)
        if replies is None:  # another solver: its last word is the reply
            replies = {questions.of(case)[0]["request"]: _reply(state.output)}
        numbers = await anyio.to_thread.run_sync(questions.numbers, {case: replies})
        return Score(value=numbers, answer=state.output.completion, metadata={"replies": replies})

    return score


def _host(model: typing.Any) -> str | None:
    """The host that a model is on; None where it is this machine."""
    url = getattr(model.api, "base_url", None) or str(getattr(getattr(model.api, "client", None), "base_url", "") or "")
    provider = str(model).partition("/")[0]
    if not url:
        return None if provider in _ON_THIS_MACHINE else provider
    host = urllib.parse.urlsplit(url).hostname or provider
    return None if host in ("127.0.0.1", "localhost", "::1") else host


def _endpoint(model: typing.Any, allow_remote: Names) -> tuple[str, ...]:
    """The words that make the command refuse questions that may not leave this machine."""
    host = _host(model)
    if host is None:
        return ()
    allowed = [allow_remote] if isinstance(allow_remote, str) else list(allow_remote or ())
    named = host if "." in host else f"{host}.invalid"  # a vendor whose host inspect does not tell
    return ("--endpoint", f"https://{named}/v1",
            *(word for each in allowed for word in ("--allow-remote", named if each == host else each)))


def _task(asked: Asked, allow_remote: Names) -> Task:
    questions = _questions(asked)
    fields = {**dataclasses.asdict(asked), "kinds": list(asked.kinds)}
    samples = []
    for case in questions.by_case:
        lines = questions.of(case)
        if lines:
            samples.append(Sample(id=case, input=questions.messages(lines[0]), metadata={"case": case, "asked": fields}))
    return Task(dataset=MemoryDataset(samples, name=os.path.basename(os.path.abspath(asked.dataset)), location=asked.dataset),
                solver=ask_each(allow_remote), scorer=fiducial_score(), version=version,
                metadata={"fiducial": version, "workflow": asked.workflow})


def _path(path: str | None) -> str | None:
    return None if path is None else os.path.abspath(os.path.expanduser(path))


@task
def medthinkvqa(dataset: str, workflow: str = "direct", split: str | None = None, view: str | None = None,
                image_budget: str | None = None, limit: int | None = None, allow_remote: Names = None) -> Task:
    """MedThinkVQA: the right diagnosis of five, from a history and up to 49 images.

    `workflow` is "direct", or "text-only" and "options-only", which show no image. A model on another machine needs its host
    in `allow_remote`, and the terms of the dataset must let cases go there.
    """
    return _task(Asked(_path(dataset) or "", workflow, split=split, view=view, image_budget=image_budget, limit=limit), allow_remote)


@task
def radgenome_vqa(dataset: str, volumes: str, families: Names = None, split: str | None = None, view: str | None = None,
                  masks: str | None = None, image_budget: str | None = None, limit: int | None = None,
                  allow_remote: Names = None) -> Task:
    """RadGenome-Chest CT: questions about scans and their regions, each with the pictures of a view policy.

    `families` chooses of abnormality, presence, location, size and disorders. `limit` counts scans.
    """
    kinds = tuple(families.split(",") if isinstance(families, str) else families or ())
    return _task(Asked(_path(dataset) or "", "vqa", _path(volumes), _path(masks), split, view, image_budget, limit, kinds), allow_remote)


@task
def rexgroundingct_ground(dataset: str, volumes: str, split: str | None = None, view: str | None = None, masks: str | None = None,
                          image_budget: str | None = None, limit: int | None = None, allow_remote: Names = None) -> Task:
    """ReXGroundingCT: where each finding is, as boxes on slices and names of regions, which become masks and are scored as such."""
    return _task(Asked(_path(dataset) or "", "ground", _path(volumes), _path(masks), split, view, image_budget, limit), allow_remote)
