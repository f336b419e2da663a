#!/usr/bin/env python3
"""Our tasks carried out by inspect_ai against a stand-in on this machine: what its log holds equals, value for value, what
`fiducial run` and `fiducial score` make of the same replies, for all cases and for each.

usage: PYTHONPATH=build/python ask_with_inspect.py [PYTHON_WITH_INSPECT]
"""

import hashlib
import json
import os
import pathlib
import sys
import tempfile
import threading
import types

os.environ.update({"INSPECT_DISPLAY": "none", "DO_NOT_TRACK": "1", "LOCAL_API_KEY": "none"})
try:
    import inspect_ai
    import openai  # noqa: F401
except ImportError as missing:
    if len(sys.argv) > 1 and os.path.exists(sys.argv[1]):
        os.execv(sys.argv[1], [sys.argv[1], __file__])
    print(f"skipped: {missing}; ./dev test --full installs inspect_ai in .venv-inspect")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from ask import endpoint  # noqa: E402

import fiducial  # noqa: E402
import fiducial.inspect  # noqa: E402
from fiducial.jobs import say  # noqa: E402

problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


class Various(endpoint.Handler):
    """Replies that depend on the words of the question alone: right and wrong, with and without the form that was asked for."""

    def completion(self, content, finish="stop", **message):
        reply = json.loads(super().completion(content, finish, **message))
        reply.update(id="stub", object="chat.completion", created=0)
        reply["usage"]["total_tokens"] = 110  # inspect wants it
        return json.dumps(reply)

    def answer(self, body):
        text = "\n".join(endpoint.texts_of(body))
        draw = hashlib.sha256(text.encode()).digest()
        if '{"regions":' in text:
            boxes = [{"image": 1 + draw[i] % 20, "left": 300, "top": 200 + draw[i], "right": 700, "bottom": 800} for i in range(5)]
            return "I see nothing." if draw[0] < 30 else json.dumps({"regions": ["lung"] if draw[1] < 60 else [], "boxes": boxes})
        if '{"answer": the letter' in text:
            key = next(row["correct_answer"] for row in self.script.rows if row["CLINICAL_HISTORY"] in text)
            letter = key if draw[0] < 140 else "ABCDE"[draw[1] % 5]
            return [json.dumps({"answer": letter, "explanation": "So it is."}), f"```json\n{{\"answer\": \"{letter}\"}}\n```",
                    f"The best answer is {letter}.", "I cannot tell."][draw[2] % 4]
        if '{"answer":' in text:
            return ['{"answer": "Yes"}', '{"answer": "No"}', "Yes, there is."][draw[0] % 3]
        if '{"path":' in text:
            return json.dumps({"path": ["lung/lung/left lung", "heart", "pleura/pleura"][draw[0] % 3]})
        if '{"size":' in text:
            return json.dumps({"size": f"{draw[0] % 30} mm"})
        return json.dumps({"findings": [["nodule"], [], ["pleural effusion", "nodule"]][draw[0] % 3]})


def asked_by_us(url, folder, dataset, words, score_words):
    say(["run", dataset, "--model", "stub", "--endpoint", url, "--re-asks", "0", "--max-failures", "100%", "-o", folder / "run", *words])
    say(["score", dataset, folder / "run", "-o", folder / "scores", "--max-failures", "100%", *score_words])
    return fiducial.Scores.read(folder / "scores").numbers()


def of_one_case(folder, dataset, case, score_words):
    (folder / "case.txt").write_text(case + "\n")
    say(["score", dataset, folder / "run", "-o", folder / "one", "--overwrite", "--no-report", "--max-failures", "100%", "--cases",
         folder / "case.txt", *score_words])
    return fiducial.Scores.read(folder / "one").numbers()


def check(what, url, folder, task, ours):
    """ours: the dataset and the words for `run` and for `score`."""
    dataset, words, score_words = ours
    expected = asked_by_us(url, folder, dataset, words, score_words)
    (log,) = inspect_ai.eval(task, model="openai-api/local/stub", model_base_url=url, log_dir=str(folder / "logs"), display="none",
                             max_connections=4)
    if log.status != "success":
        problems.append(f"{what}: {log.error.message + log.error.traceback[-1500:] if log.error else log.status}")
        raise SystemExit("\n".join(problems))
    values = {name: each.value for name, each in log.results.scores[0].metrics.items()}
    expect(values == expected and len(values) > 3, f"{what}: the log's metrics differ: "
           f"{[(name, values.get(name), expected.get(name)) for name in values.keys() | expected if values.get(name) != expected.get(name)][:4]}")
    for sample in log.samples:
        own = of_one_case(folder, dataset, sample.id, score_words)
        expect(sample.scores["fiducial_score"].value == own, f"{what}: {sample.id} differs")
    expect(len({json.dumps(sample.scores["fiducial_score"].value) for sample in log.samples}) > 1, f"{what}: all samples score the same")
    # Scored again from the log alone, in the way that `inspect score` does it.
    again = inspect_ai.score(log, fiducial.inspect.fiducial_score(), action="overwrite", display="none")
    expect({name: each.value for name, each in again.results.scores[0].metrics.items()} == expected, f"{what}: scored again, it differs")
    return log


def main():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        fiducial.demo(root / "demo", cases=3, seed=2)
        cases, scans, tables = root / "demo/medthinkvqa", root / "demo/rexgroundingct", root / "demo/curated/radgenome"
        volumes = scans / "volumes"
        Various.script = endpoint.Script(types.SimpleNamespace(faults="", log=None, latency_s=0, says="", keys=cases / "test.jsonl"))
        server = endpoint.Server(("127.0.0.1", 0), Various)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        seen = fiducial.inspect
        for name in ("direct", "text-only"):
            (root / name).mkdir()
            log = check(name, url, root / name, seen.medthinkvqa(str(cases), workflow=name),
                        (cases, ["--workflow", name], ["--task", "diagnosis"]))
            images = [part for message in log.samples[0].input for part in message.content if part.type == "image"]
            expect(bool(images) == (name == "direct"), f"{name}: {len(images)} images")
        (root / "vqa").mkdir()
        check("vqa", url, root / "vqa", seen.radgenome_vqa(str(tables), str(volumes)), (tables, ["--workflow", "vqa", "--volumes", volumes], []))
        (root / "ground").mkdir()
        check("ground", url, root / "ground", seen.rexgroundingct_ground(str(scans), str(volumes), view="axial-two-windows"),
              (scans, ["--workflow", "ground", "--volumes", volumes], ["--volumes", volumes]))

        # One family of questions, one scan.
        task = seen.radgenome_vqa(str(tables), str(volumes), families="presence", limit=2)
        (log,) = inspect_ai.eval(task, model="openai-api/local/stub", model_base_url=url, log_dir=str(root / "logs"), display="none")
        told = log.results.scores[0].metrics if log.status == "success" else {}
        expect(len(log.samples) == 2 and "presence_accuracy" in told and "location_exact" not in told, f"a family of questions: {sorted(told)}")

        # A model elsewhere is refused, unless its host is named and the terms let the cases go.
        for allowed, names in ((None, "allow_remote"), ("models.example.org", "licence")):
            if allowed:
                (cases / "terms.json").write_text('{"egress": "forbidden", "reason": "licence"}')
            (log,) = inspect_ai.eval(seen.medthinkvqa(str(cases), allow_remote=allowed), model="openai-api/local/stub", display="none",
                                     model_base_url="https://models.example.org/v1", log_dir=str(root / "refused"), max_retries=0)
            expect(log.status == "error" and names in log.error.message, f"{allowed}: {log.status}, {log.error and log.error.message[:300]}")
    print(*problems, f"inspect_ai {inspect_ai.__version__}: {len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
