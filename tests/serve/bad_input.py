#!/usr/bin/env python3
"""`fiducial serve` on bad input: paths that are none, files that change, lie or go, ports and disks that are taken, cases
and folders of unusual size. Each gets an answer with a reason, and the server goes on.

usage: bad_input.py FIDUCIAL
"""

import concurrent.futures
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

import nibabel
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from served import Served

FIDUCIAL = pathlib.Path(sys.argv.pop(1)).resolve()
API = "/api/v1"


def fiducial(*arguments, **more):
    return subprocess.run([FIDUCIAL, *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.demo = pathlib.Path(cls.scratch.name) / "demo"
        assert fiducial("demo", cls.demo, "--cases", 4, "--seed", 3).returncode == 0
        cls.data = cls.demo / "rexgroundingct"
        cls.scores = cls.demo / "scores"
        cls.score("good", cls.scores / "good")
        document = json.loads((cls.data / "dataset.json").read_text())
        cls.name = document["test"][0]["name"]
        cls.id = cls.name[:-len(".nii.gz")]

    @classmethod
    def score(cls, system, output, *more):
        done = fiducial("score", cls.data, cls.demo / "systems/rexgroundingct" / system, "-o", output, "--no-report",
                        "--resamples", "200", "--max-failures", "100%", *more)
        assert done.returncode in (0, 3), done.stderr

    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp(dir=self.scratch.name))

    def copied(self):
        shutil.copytree(self.data, self.place / "data")
        return self.place / "data"

    def refused(self, words, *arguments, status=None):
        done = fiducial("serve", *arguments)
        self.assertNotEqual(done.returncode, 0)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def problem(self, server, path, status):
        got, fields, body = server.ask(path)
        self.assertEqual(got, status, body[:300])
        self.assertEqual(fields["content-type"], "application/problem+json")
        return json.loads(body)

    def test_a_path_that_is_neither_dataset_nor_scores(self):
        (self.place / "notes.txt").write_text("nothing to show")
        self.assertIn(str(self.place), self.refused("neither a dataset nor scores", self.place))
        self.refused("no such file or folder", self.place / "nowhere")
        self.assertIn(str(self.place), self.refused("neither a dataset nor scores", self.data, self.place))

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.refused("--port 0 takes a port that is free", self.data, "--port", taken.getsockname()[1])

    def test_any_mix_of_paths(self):
        with Served(FIDUCIAL, self.scores, self.data, self.demo / "medthinkvqa", self.demo / "curated") as server:
            info = server.json(API + "/info")
            self.assertLessEqual({"rexgroundingct", "medthinkvqa", "radgenome"}, {one["id"] for one in info["datasets"]})
            self.assertEqual([run["dataset"]["id"] for run in info["runs"]], ["rexgroundingct"])

    def test_a_run_of_a_model_is_shown_before_it_is_scored(self):
        run = self.place / "asked/reader"
        done = fiducial("run", self.demo / "medthinkvqa", "--model", "synthetic-reader", "--replay",
                        self.demo / "journals/medthinkvqa.jsonl", "-o", run)
        self.assertEqual(done.returncode, 0, done.stderr)
        with Served(FIDUCIAL, self.place / "asked", self.demo / "medthinkvqa") as server:
            found = server.json(API + "/runs")["items"]
            self.assertEqual([(one["id"], one["kind"], one["dataset"]["id"]) for one in found],
                             [("reader", "asked", "medthinkvqa")])
            replies = [json.loads(line) for line in (run / "predictions.jsonl").read_text().splitlines()]
            ids = {row["id"] for row in server.json(API + "/datasets/medthinkvqa/cases?split=test")["items"]}
            answers = {id: server.json(f"{API}/cases/medthinkvqa/{id}")["question"]["answers"] for id in ids}
            self.assertEqual({id: [one["run"] for one in each] for id, each in answers.items()},
                             {id: ["reader"] for id in ids})
            self.assertEqual(len(replies), len(ids))
            done = fiducial("score", self.demo / "medthinkvqa", run, "-o", self.place / "asked/scores", "--no-report")
            self.assertEqual(done.returncode, 0, done.stderr)
            kinds = []
            for _ in range(10_000):  # until the pause between two looks is over
                kinds = [one["kind"] for one in server.json(API + "/runs")["items"]]
                if kinds == ["scores"]:
                    break
            self.assertEqual(kinds, ["scores"])

    def test_what_appears_is_found_without_a_restart(self):
        shutil.copytree(self.scores / "good", self.place / "runs/first")
        with Served(FIDUCIAL, self.place, self.data) as server:
            self.assertEqual([run["id"] for run in server.json(API + "/info")["runs"]], ["first"])
            shutil.copytree(self.scores / "good", self.place / "runs/second")
            seen = []
            for _ in range(10_000):  # until the pause between two looks is over
                seen = [run["id"] for run in server.json(API + "/runs")["items"]]
                if len(seen) == 2:
                    break
            self.assertEqual(seen, ["first", "second"])
            self.assertEqual(server.ask(API + "/runs/second/rows?limit=1")[0], 200)

    def test_a_run_that_is_scored_again_shows_its_new_masks(self):
        self.score("good", self.place / "runs/run")
        self.score("weak", self.place / "runs/other")
        with Served(FIDUCIAL, self.data, self.demo / "systems", self.place / "runs") as server:
            masks = f"{API}/cases/rexgroundingct/{self.id}/masks?set=run:"
            before, wanted = server.bytes(masks + "run"), server.bytes(masks + "other")
            self.assertNotEqual(before, wanted)
            self.score("weak", self.place / "runs/run", "--overwrite")
            self.assertEqual(server.bytes(masks + "run"), wanted)

    def test_masks_that_change_are_checked_again_and_shown_anew(self):
        data = self.copied()
        with Served(FIDUCIAL, data) as server:
            lint, organs = f"{API}/datasets/data/lint", f"{API}/cases/data/{self.id}/organs"
            self.assertEqual(server.json(lint)["counts"]["errors"], 0)
            self.assertTrue(server.json(organs)["items"])
            (data / "segmentations" / self.name).write_bytes(b"no mask any more")
            self.assertGreater(server.json(lint)["counts"]["errors"], 0)
            for place in (data / "organs").rglob(f"*{self.id}*"):
                shutil.rmtree(place) if place.is_dir() else place.unlink()
            self.assertNotEqual(server.ask(organs)[0], 200)

    def test_two_servers_on_the_same_folders(self):
        before = files(self.data)
        with Served(FIDUCIAL, self.data, self.scores) as one, Served(FIDUCIAL, self.data, self.scores) as other:
            path = f"{API}/cases/rexgroundingct/{self.id}"
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                bodies = list(pool.map(lambda at: (one, other)[at % 2].bytes(path), range(40)))
            self.assertEqual(len(set(bodies)), 1)
        self.assertEqual(files(self.data), before)  # nothing is written there

    def test_a_run_of_another_dataset(self):
        data = self.copied()
        document = json.loads((data / "dataset.json").read_text())
        document["test"][0]["findings"]["0"] += " Changed."
        (data / "dataset.json").write_text(json.dumps(document))
        with Served(FIDUCIAL, data, self.scores) as server:
            self.assertIsNone(server.json(API + "/runs")["items"][0]["dataset"]["id"])
            said = self.problem(server, f"{API}/cases/data/{self.id}/masks?set=run:good", 409)
            self.assertIn("another dataset", said["detail"])
            self.problem(server, f"{API}/datasets/data/cases?run=good", 409)
            self.assertEqual(server.json(f"{API}/cases/data/{self.id}")["scores"], [])

    def test_a_mask_on_another_grid(self):
        data = self.copied()
        mask = data / "segmentations" / self.name
        nibabel.save(nibabel.Nifti1Image(numpy.ones((2, 7, 8, 9), numpy.uint8), numpy.eye(4)), mask)
        with Served(FIDUCIAL, data) as server:
            case = f"{API}/cases/data/{self.id}"
            said = self.problem(server, case + "/volume/slice/axial/5.png?masks=reference:0", 422)
            self.assertRegex(said["detail"], "voxels|shape|grid")
            self.assertEqual(server.ask(case)[0], 200)
            self.assertEqual(server.ask(case + "/volume/slice/axial/5.png")[0], 200)

    def test_a_ct_that_does_not_decode(self):
        data = self.copied()
        volume = next((data / "volumes").rglob(self.name))
        whole = volume.read_bytes()
        spoilt = bytearray(whole)
        spoilt[-6] ^= 1  # in the checksum
        for bad in (b"", b"not gzip at all", whole[:40], whole[:len(whole) // 2], bytes(spoilt)):
            volume.write_bytes(bad)
            with Served(FIDUCIAL, data) as server:
                status, _, body = server.ask(f"{API}/cases/data/{self.id}/volume/slice/axial/103.png")
                self.assertEqual(status, 422, body[:200])
                self.assertIn(self.name, json.loads(body).get("place", ""))
                self.assertEqual(server.ask(f"{API}/cases/data/{self.id}/volume/slab/0")[0], 422)
                self.assertEqual(server.ask(f"{API}/cases/data/{self.id}")[0], 200)

    def test_a_dataset_that_goes_and_comes_back(self):
        data = self.copied()
        with Served(FIDUCIAL, data, self.scores) as server:
            case = f"{API}/cases/data/{self.id}"
            self.assertEqual(server.ask(case)[0], 200)
            data.rename(self.place / "away")
            self.assertNotEqual(server.ask(case)[0], 200)
            info = server.json(API + "/info")
            self.assertTrue(next(one for one in info["datasets"] if one["id"] == "data")["problem"])
            (self.place / "away").rename(data)
            self.assertEqual(server.ask(case)[0], 200)

    def test_ten_thousand_findings_in_one_case(self):
        data = self.copied()
        document = json.loads((data / "dataset.json").read_text())
        entry = document["test"][0]
        for key, value in (("findings", "A nodule."), ("entity_counts", 1), ("pixels", 1), ("categories", "2d")):
            entry[key] = {str(i): value for i in range(10_000)}
        (data / "dataset.json").write_text(json.dumps(document))
        with Served(FIDUCIAL, data) as server:
            case = server.json(f"{API}/cases/data/{self.id}")
            self.assertEqual(len(case["findings"]), 10_000)
            self.assertEqual(server.ask(f"/plain/c/data/{self.id}")[0], 200)

    def test_a_copy_that_is_refused_leaves_nothing(self):
        copy = self.place / "copy"
        (self.data / "terms.json").write_text('{"egress": "forbidden", "reason": "agreement 7"}')
        self.addCleanup((self.data / "terms.json").unlink)
        self.refused("agreement 7", self.data, "--export", copy)
        (self.data / "terms.json").write_text('{"private_splits": ["test"]}')
        self.refused("private", self.data, "--export", copy)
        self.assertFalse(copy.exists())
        copy.mkdir()
        (copy / "mine").write_text("kept")
        (self.data / "terms.json").write_text("{}")
        self.refused("no earlier one", self.data, "--export", copy)
        self.refused("not replaced", self.data, "--export", copy, "--overwrite")
        self.assertEqual(files(copy), {"mine": b"kept"})
        self.refused("--export", self.data, "--with-volumes")

    def test_a_copy_on_a_full_disk_leaves_the_earlier_one(self):
        copy = self.place / "copy"
        self.assertEqual(fiducial("serve", self.data, "--export", copy).returncode, 0)
        before = files(copy)

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

        done = fiducial("serve", self.data, "--export", copy, "--overwrite", preexec_fn=small_files)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(files(copy), before)
        self.assertEqual([path.name for path in self.place.iterdir()], ["copy"])

    def test_pages_without_scripts_show_slices(self):
        with Served(FIDUCIAL, self.demo) as server:
            app = server.bytes(f"/c/rexgroundingct/{self.id}").decode()
            page = f"/plain/c/rexgroundingct/{self.id}"
            self.assertIn(f'href="{page}"', app)
            text = server.bytes(page + "?plane=sagittal&slice=60&window=bone").decode()
            self.assertNotIn("<script", text)
            picture = text.split('<img src="')[1].split('"')[0].replace("&amp;", "&")
            self.assertIn("/sagittal/60.png", picture)
            self.assertIn("front is on the left, the head on top", text)
            grid = server.json(f"{API}/cases/rexgroundingct/{self.id}/volume/meta")
            mm = dict(zip(("x", "y", "z"), (n * edge for n, edge in zip(grid["dimensions"], grid["spacing_mm"]))))
            width, height = (int(text.split(f'{name}="')[1].split('"')[0]) for name in ("width", "height"))
            self.assertEqual(grid["axes"], ["L", "P", "S"])
            self.assertAlmostEqual(width / height, mm["y"] / mm["z"], delta=0.01)
            self.assertEqual(server.bytes(picture)[:4], b"\x89PNG")
            self.assertIn("rexgroundingct", server.bytes("/plain").decode())
            self.assertIn(self.id, server.bytes("/plain/d/rexgroundingct?q=" + self.id).decode())
            self.assertEqual(server.ask("/plain/c/rexgroundingct/none")[0], 404)
            self.assertEqual(server.ask(page + "?plane=diagonal")[0], 404)

    def test_hundreds_of_runs_are_listed_without_reading_their_rows(self):
        for number in range(300):
            run = self.place / f"runs/run{number:03}"
            shutil.copytree(self.scores / "good", run)
            if number:
                (run / "rows.parquet").write_bytes(b"nothing that can be read")
        with Served(FIDUCIAL, self.place, self.data) as server:
            runs = server.json(API + "/info")["runs"]
            self.assertEqual(len(runs), 300)
            self.assertTrue(all(run["headline"] and not run["problem"] for run in runs))
            scores = server.json(f"{API}/cases/rexgroundingct/{self.id}")["scores"]
            self.assertEqual((len(scores), sum(bool(one["rows"]) for one in scores)), (300, 1))
            self.problem(server, f"{API}/runs/run001/rows", 422)


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    unittest.main()
