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
import os
import typing
import urllib.parse

from fiducial._native import version
from fiducial.errors import Unavailable
from fiducial.questions import Asked, Questions, Replies, prepared

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
_FINISHES = {"max_tokens": "length", "model_length": "length", "content_filter": "filter"}  # as journals name them
_SPEAKERS = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
_ON_THIS_MACHINE = ("hf", "vllm", "sglang", "llama-cpp-python", "ollama", "transformer_lens", "mockllm", "none")
Names = typing.Union[str, list[str], None]


def _messages(questions: Questions, line: dict[str, typing.Any], inline: bool = False) -> list[ChatMessage]:
    """A question as inspect has it: pictures as files, which it reads for a dataset, or as they are sent."""

    def part_of(part: dict[str, str]) -> Content:
        if "text" in part:
            return ContentText(text=part["text"])
        file = questions.picture(part)
        if not inline:
            return ContentImage(image=os.fspath(file))
        return ContentImage(image=f"data:{part['type']};base64,{base64.b64encode(file.read_bytes()).decode()}")

    return [_SPEAKERS[each["role"]](content=[part_of(part) for part in each["content"]]) for each in line["ask"]["messages"]]


def _reply(output: ModelOutput) -> dict[str, typing.Any]:
    if output.error or not output.choices:
        return {"error": output.error or "the endpoint gave no reply"}
    return {"reply": output.completion, "finish": _FINISHES.get(output.stop_reason, "stop")}


@solver
def ask_each(allow_remote: Names = None) -> Solver:
    """Asks every question of a sample in a conversation of its own; of a model elsewhere only where `allow_remote` names its host."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        questions = prepared(Asked.of(state.metadata["asked"]))
        await anyio.to_thread.run_sync(questions.allow, _endpoint(get_model(), allow_remote))
        replies: Replies = {}
        for line in questions.of(state.metadata["case"]):
            state.messages = _messages(questions, line, inline=True)
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
        found = [prepared(asked).numbers(epoch) for epoch in epochs]
        return {name: sum(values[name] for values in found) / len(found)
                for name in found[0] if all(name in values for values in found)}

    return of_all


@scorer(metrics=[headline()])
def fiducial_score() -> Scorer:
    """Scores the replies of a sample as `fiducial score --cases` does that has the one case in it."""

    async def score(state: TaskState, target: Target) -> Score:
        questions, case = prepared(Asked.of(state.metadata["asked"])), state.metadata["case"]
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
    questions = prepared(asked)
    fields = {**dataclasses.asdict(asked), "kinds": list(asked.kinds)}
    samples = []
    for case in questions.by_case:
        lines = questions.of(case)
        if lines:
            samples.append(Sample(id=case, input=_messages(questions, lines[0]), metadata={"case": case, "asked": fields}))
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
    return _task(Asked(_path(dataset) or "", workflow, split=split, view=view, image_budget=image_budget, limit=limit, system="inspect"), allow_remote)


@task
def radgenome_vqa(dataset: str, volumes: str, families: Names = None, split: str | None = None, view: str | None = None,
                  masks: str | None = None, image_budget: str | None = None, limit: int | None = None,
                  allow_remote: Names = None) -> Task:
    """RadGenome-Chest CT: questions about scans and their regions, each with the pictures of a view policy.

    `families` chooses of abnormality, presence, location, size and disorders. `limit` counts scans.
    """
    kinds = tuple(families.split(",") if isinstance(families, str) else families or ())
    return _task(Asked(_path(dataset) or "", "vqa", _path(volumes), _path(masks), split, view, image_budget, limit, kinds, "inspect"), allow_remote)


@task
def rexgroundingct_ground(dataset: str, volumes: str, split: str | None = None, view: str | None = None, masks: str | None = None,
                          image_budget: str | None = None, limit: int | None = None, allow_remote: Names = None) -> Task:
    """ReXGroundingCT: where each finding is, as boxes on slices and names of regions, which become masks and are scored as such."""
    return _task(Asked(_path(dataset) or "", "ground", _path(volumes), _path(masks), split, view, image_budget, limit, system="inspect"),
                 allow_remote)
