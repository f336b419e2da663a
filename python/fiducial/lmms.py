"""Task files for lmms-eval: the questions of `fiducial run` as its documents, and the scores of `fiducial score`.

    fiducial.lmms.write_task("medthinkvqa", "lmms-tasks")

    lmms-eval --include_path lmms-tasks --tasks fiducial_medthinkvqa --model openai_compatible ...

A task is a folder with a YAML file, the documents (one a question) and their pictures; what the YAML names is in this module.
Replies are scored by the engine when all are there: the values equal those of `fiducial score` on the same replies.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import json
import os
import pathlib
import shutil
import tempfile
import typing

from fiducial import _native
from fiducial.datasets import PathLike
from fiducial.errors import BadUsage
from fiducial.questions import Asked, Replies, prepared

Document = dict[str, typing.Any]
_LETTERS = ("accuracy", "official_accuracy")
_ANSWERS = ("presence_accuracy", "abnormality_f1", "location_exact", "size_agreement", "disorders_f1", "answered")
_TASKS = {  # by workflow: what a task is called, and the headline values that it tells
    "direct": ("fiducial_medthinkvqa", _LETTERS), "text-only": ("fiducial_medthinkvqa_text_only", _LETTERS),
    "options-only": ("fiducial_medthinkvqa_options_only", _LETTERS), "vqa": ("fiducial_radgenome_vqa", _ANSWERS),
    "ground": ("fiducial_rexgroundingct_ground", ("dice_per_finding", "hit_rate", "instance_f1")),
}
_YAML = """# Written by fiducial.lmms.write_task; the functions are those of the package.
task: {name}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {documents}
test_split: test
output_type: generate_until
doc_to_visual: !function fiducial.lmms.doc_to_visual
doc_to_text: !function fiducial.lmms.doc_to_text
doc_to_messages: !function fiducial.lmms.doc_to_messages
doc_to_target: item
process_results: !function fiducial.lmms.process_results
generation_kwargs:
  max_new_tokens: {tokens}
  temperature: 0
metric_list:
{metrics}metadata:
  version: "{version}"
"""
_METRIC = "  - metric: {name}\n    aggregation: !function fiducial.lmms.{name}\n    higher_is_better: true\n"


def write_task(dataset: PathLike, output: PathLike, *, workflow: str = "direct", volumes: PathLike | None = None,
               masks: PathLike | None = None, split: str | None = None, view: str | None = None, image_budget: str | None = None,
               limit: int | None = None, families: collections.abc.Iterable[str] = (), name: str | None = None,
               max_new_tokens: int = 4096) -> str:
    """Writes the folder of a task and returns the file that lmms-eval reads.

    `workflow` is "direct", "text-only" or "options-only" for MedThinkVQA, "vqa" for RadGenome-Chest CT and "ground" for
    ReXGroundingCT; `families` chooses questions of "vqa". The folder holds cases: the terms of the dataset go for it, too.
    """
    if workflow not in _TASKS:
        raise BadUsage(f"workflow is {workflow!r}; expected one of {', '.join(_TASKS)}")
    asked = Asked(os.path.abspath(dataset), workflow, _absolute(volumes), _absolute(masks), split, view, image_budget, limit,
                  tuple(families), "lmms-eval")
    questions, target = prepared(asked), pathlib.Path(os.path.abspath(output))
    title, told = name or _TASKS[workflow][0], _TASKS[workflow][1]
    if target.exists():
        raise BadUsage(f"{target} is there; give another folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fiducial-", dir=target.parent) as scratch:
        stage = pathlib.Path(scratch, "task")
        stage.mkdir()
        if (questions.folder / "images").is_dir():
            shutil.copytree(questions.folder / "images", stage / "images", ignore=lambda _, names: [each for each in names if "." in each])
        terms = pathlib.Path(dataset, "terms.json")
        if terms.is_file():
            shutil.copy(terms, stage / "terms.json")
        fields = json.dumps({**dataclasses.asdict(asked), "kinds": list(asked.kinds)}, sort_keys=True)
        with (stage / "documents.jsonl").open("w", encoding="utf-8") as file:
            for case in questions.by_case:
                for line in questions.of(case):
                    file.write(json.dumps({"item": line["item"], "case": case, "request": line["request"], "asked": fields,
                                           "messages": json.dumps(line["ask"]["messages"]), "folder": str(target)}) + "\n")
        metrics = "".join(_METRIC.format(name=each) for each in told)
        (stage / f"{title}.yaml").write_text(_YAML.format(name=title, documents=target / "documents.jsonl", metrics=metrics,
                                                          version=_native.version, tokens=max_new_tokens), encoding="utf-8")
        stage.rename(target)
    return os.fspath(target / f"{title}.yaml")


def _absolute(path: PathLike | None) -> str | None:
    return None if path is None else os.path.abspath(path)


def _parts(doc: Document) -> collections.abc.Iterator[tuple[str, dict[str, str]]]:
    for message in json.loads(doc["messages"]):
        for part in message["content"]:
            yield message["role"], part


def _picture(doc: Document, part: dict[str, str]) -> typing.Any:
    from PIL import Image

    with Image.open(pathlib.Path(doc["folder"], "images", part["image"])) as picture:
        return picture.convert("RGB")


def doc_to_visual(doc: Document) -> list[typing.Any]:
    """The pictures of a question."""
    return [_picture(doc, part) for _, part in _parts(doc) if "image" in part]


def doc_to_text(doc: Document, lmms_eval_specific_kwargs: typing.Any = None) -> str:
    """The words of a question, for models that take pictures apart from them."""
    return "\n\n".join(part["text"] for _, part in _parts(doc) if "text" in part)


def doc_to_messages(doc: Document, lmms_eval_specific_kwargs: typing.Any = None) -> list[dict[str, typing.Any]]:
    """A question as it is asked: pictures where they stand between the words."""
    found: list[dict[str, typing.Any]] = []
    for role, part in _parts(doc):
        if not found or found[-1]["role"] != role:
            found.append({"role": role, "content": []})
        found[-1]["content"].append({"type": "text", "text": part["text"]} if "text" in part
                                    else {"type": "image", "url": _picture(doc, part)})
    return found


def process_results(doc: Document, results: list[typing.Any]) -> dict[str, typing.Any]:
    """What every metric is made from: the reply, and whose it is."""
    asked = json.loads(doc["asked"])
    told = {"case": doc["case"], "request": doc["request"], "reply": str(results[0]), "asked": doc["asked"]}
    return {name: told for name in _TASKS[asked["workflow"]][1]}


def _numbers(results: list[typing.Any]) -> dict[str, float]:
    asked = Asked.of(json.loads(results[0]["asked"]))
    replies: dict[str, Replies] = {}
    for each in results:
        replies.setdefault(each["case"], {})[each["request"]] = {"reply": each["reply"]}
    key = (asked, json.dumps(replies, sort_keys=True))
    if key not in _known:
        _known.clear()
        _known[key] = prepared(asked).numbers(replies)
    return _known[key]


_known: dict[tuple[Asked, str], dict[str, float]] = {}  # of the replies that were scored last: every metric asks for them


def __getattr__(name: str) -> typing.Any:
    """The aggregation of a metric, by its name."""
    if not any(name in told for _, told in _TASKS.values()):
        raise AttributeError(f"module 'fiducial.lmms' has no attribute {name!r}")

    def aggregated(results: list[typing.Any], *_: typing.Any) -> float | None:
        return _numbers(results).get(name)

    aggregated.__name__ = name
    return aggregated
