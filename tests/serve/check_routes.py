#!/usr/bin/env python3
"""Holds every route of `fiducial serve` against its OpenAPI document, and what it says against the files themselves: CTs
and masks as nibabel reads them, numbers as the other verbs print them.

usage: check_routes.py FIDUCIAL
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema
import nibabel
import numpy
import pyarrow.ipc

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from served import Served, addressed, packed_slab, png, runs

FIDUCIAL = pathlib.Path(sys.argv.pop(1)).resolve()
API = "/api/v1"


def fiducial(*arguments):
    return subprocess.run([FIDUCIAL, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def make_corpus(folder):
    fiducial("demo", folder, "--cases", 4, "--seed", 3)
    score = ["--no-report", "--max-failures", "100%", "--resamples", "200"]
    for system in ("good", "weak"):
        fiducial("score", folder / "rexgroundingct", folder / "systems/rexgroundingct" / system, "-o",
                 folder / "scores/rexgroundingct" / system, "--volumes", folder / "rexgroundingct/volumes", *score)
    fiducial("score", folder / "medthinkvqa", folder / "systems/medthinkvqa/good/predictions.jsonl", "--system", "reader",
             "-o", folder / "scores/reader", *score)
    fiducial("score", folder / "curated/radgenome", folder / "systems/radgenome/careful", "-o",
             folder / "scores/careful", *score)


class Routes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.demo = pathlib.Path(cls.scratch.name) / "demo"
        make_corpus(cls.demo)
        cls.server = Served(FIDUCIAL, cls.demo)
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.addClassCleanup(cls.server.__exit__)
        cls.document = cls.server.json(API + "/openapi.json")
        cls.rows = cls.server.json(API + "/datasets/rexgroundingct/cases")["items"]
        cls.scored = next(row for row in cls.rows if row["split"] == "test")
        cls.case = API + "/cases/rexgroundingct/" + cls.scored["id"]

    def volume(self, name):
        return nibabel.load(next((self.demo / "rexgroundingct/volumes").rglob(name)))

    def masks(self, path):
        return numpy.asarray(nibabel.load(path).dataobj)

    def check(self, schema, value):
        wanted = {"$ref": "#/components/schemas/" + schema, "components": self.document["components"]}
        jsonschema.Draft202012Validator(wanted).validate(value)

    def test_every_route_answers_as_the_document_says(self):
        question = self.server.json(API + "/datasets/medthinkvqa/cases")["items"][0]["id"]
        names = {"dataset": "rexgroundingct", "case": self.scored["id"], "run": "weak", "metric": "dice", "slab": "0",
                 "plane": "axial", "picture": "3.png", "image": "1"}
        for path, operations in self.document["paths"].items():
            here = dict(names, **({"dataset": "medthinkvqa", "case": question} if "{image}" in path else {}))
            target = path.format(**{name: addressed(value) for name, value in here.items()})
            if path.endswith("/compare"):
                target += "?runs=good,weak"
            status, fields, body = self.server.ask(target)
            with self.subTest(path):
                self.assertEqual(status, 200, body[:300])
                content = operations["get"]["responses"]["200"]["content"]
                kind = fields["content-type"].split(";")[0]
                self.assertIn(kind, content)
                if kind == "application/json" and "$ref" in content[kind]["schema"]:
                    self.check(content[kind]["schema"]["$ref"].split("/")[-1], json.loads(body))
                again = self.server.ask(target, **{"If-None-Match": fields["etag"]})
                self.assertEqual(again[0], 304)
                self.assertEqual(self.server.ask(target, method="POST")[0], 405)
                status, _, problem = self.server.ask(target.split("?")[0] + "?nonsense=1")
                self.assertEqual(status, 400)
                self.check("Problem", json.loads(problem))

    def test_all_replies_forbid_what_is_foreign(self):
        for path in ("/", "/healthz", "/api/v1/nothing", self.case + "/volume/slab/0", "/../x"):
            _, fields, _ = self.server.ask(path)
            self.assertIn("default-src 'none'", fields["content-security-policy"], path)
            self.assertEqual(fields["x-content-type-options"], "nosniff")
        self.assertEqual(self.server.ask("/healthz", Host="evil.example")[0], 421)
        self.assertEqual(self.server.ask("/healthz", Host="localhost:1")[0], 200)

    def test_names_that_are_none_are_problems(self):
        for path in ("/datasets/x", "/datasets/x/cases", "/cases/x/y", "/cases/rexgroundingct/x", "/runs/x", "/metrics/x",
                     "/runs/x/rows", self.case[len(API):] + "/volume/slab/999", self.case[len(API):] + "/images/1",
                     self.case[len(API):] + "/volume/slice/axial/999.png", self.case[len(API):] + "/volume/slice/axial/x"):
            status, fields, body = self.server.ask(API + path)
            self.assertEqual((status, fields["content-type"]), (404, "application/problem+json"), path)
            self.check("Problem", json.loads(body))
        for path in ("?after=x", "?limit=0", "?limit=x", "?limit=1&limit=2", "?group=x", "?run=x", "?sort=x"):
            self.assertEqual(self.server.ask(API + "/datasets/rexgroundingct/cases" + path)[0], 400, path)
        self.assertEqual(self.server.ask(self.case + "/masks?set=run:reader")[0], 409)
        self.assertEqual(self.server.ask(self.case + "/masks?set=x")[0], 400)

    def test_no_request_makes_the_server_fail(self):
        random = numpy.random.default_rng(1)
        words = ["", "x", "0", "-1", "1e999", "999999999999999999999", "nan", "%00", "%ff", "..%2f..%2fetc%2fpasswd", "a:b:c",
                 "reference:0", "run:", "run:weak", "organs", "[1]", "%5Bfalse,1,%22%22,0%5D", "true", "<script>", "é".encode().hex(),
                 "a=b", "=", "category=2d", "good,weak", "good", ",", "a" * 3000]
        known = {"dataset": "rexgroundingct", "case": self.scored["id"], "run": "good", "slab": "1", "plane": "axial",
                 "picture": "5.png", "image": "1", "metric": "dice"}
        for path, operations in self.document["paths"].items():
            if path.endswith("/lint"):
                continue
            for _ in range(12):
                target = path
                for name, value in known.items():
                    chosen = value if random.random() < 0.8 else random.choice(words) or "x"
                    target = target.replace("{" + name + "}", str(chosen))
                names = [one["name"] for one in operations["get"]["parameters"] if one["in"] == "query"]
                query = [f"{name}={random.choice(words)}" for name in names if random.random() < 0.4]
                status, fields, body = self.server.ask(target + ("?" + "&".join(query) if query else ""))
                self.assertIn(status, (200, 400, 404, 409, 422, 503), (target, query, body[:200]))
                if status >= 400:
                    self.assertEqual(fields["content-type"], "application/problem+json")
        self.assertEqual(self.server.ask("/healthz")[0], 200)

    def test_volumes_are_those_of_nibabel(self):
        for row in self.rows[:2]:
            image = self.volume(row["name"])
            wanted = numpy.rint(image.get_fdata()).astype(numpy.int16)
            base = f"{API}/cases/rexgroundingct/{row['id']}/volume"
            meta = self.server.json(base + "/meta")
            self.assertEqual(meta["dimensions"], list(image.shape))
            self.assertTrue(numpy.allclose(numpy.reshape(meta["affine"], (4, 4)), image.affine, atol=1e-5))
            self.assertEqual("".join(meta["axes"]), "".join(nibabel.aff2axcodes(image.affine)))
            for slab in range(meta["slabs"]):
                part = wanted[:, :, 16 * slab:16 * slab + 16]
                raw = numpy.frombuffer(self.server.bytes(f"{base}/slab/{slab}"), "<i2")
                self.assertTrue((raw == part.ravel("F")).all())
                packed = packed_slab(self.server.bytes(f"{base}/slab/{slab}?coding=dp"), image.shape[0])
                self.assertTrue((packed.ravel() == raw).all())
            self.assertEqual(self.server.json(base + "/meta")["range"], [int(wanted.min()), int(wanted.max())])

    def test_masks_are_those_of_nibabel(self):
        folders = {"reference": "rexgroundingct/segmentations", "run:good": "systems/rexgroundingct/good",
                   "run:weak": "systems/rexgroundingct/weak"}
        for name, folder in folders.items():
            stored = self.masks(self.demo / folder / self.scored["name"])
            served = runs(self.server.bytes(f"{self.case}/masks?set={addressed(name)}"))
            self.assertEqual(sorted(served), list(range(len(stored))))
            for index, mask in served.items():
                self.assertTrue((mask == stored[index]).all(), (name, index))
        case = self.server.json(self.case)
        reference = self.masks(self.demo / "rexgroundingct/segmentations" / self.scored["name"])
        for finding in case["findings"]:
            mask = reference[finding["index"]] > 0
            self.assertTrue(mask[tuple(finding["place"])])
            self.assertEqual(finding["voxels"], int(mask.sum()))
            self.assertEqual(finding["largest_slice"], int(mask.sum((0, 1)).argmax()))

    def test_organs_are_those_of_the_label_map(self):
        labels = self.masks(self.demo / "rexgroundingct/organs" / self.scored["name"])
        organs = self.server.json(self.case + "/organs")["items"]
        served = runs(self.server.bytes(self.case + "/masks?set=organs"))
        self.assertEqual(sorted(served), sorted(organ["id"] for organ in organs))
        sizes = {int(value): int((labels == value).sum()) for value in numpy.unique(labels) if value}
        painted = [int(mask.sum()) for mask in served.values() if mask.any()]  # a lobe may have been resected
        self.assertEqual(sorted(painted), sorted(sizes.values()))

    def test_slices_lie_as_radiologists_look_at_them(self):
        image = self.volume(self.scored["name"])
        # Axes towards left, posterior and superior.
        turned = image.as_reoriented(nibabel.orientations.ornt_transform(
            nibabel.orientations.io_orientation(image.affine), nibabel.orientations.axcodes2ornt("LPS")))
        voxels = numpy.asarray(turned.dataobj).astype(float)
        wanted = {"axial": voxels[:, :, 40].T, "coronal": voxels[:, 70, ::-1].T, "sagittal": voxels[60, :, ::-1].T}
        self.assertEqual(nibabel.aff2axcodes(image.affine), ("L", "P", "S"))  # so that indices are those of the file
        for (plane, values), index in zip(wanted.items(), (40, 70, 60)):
            grey = numpy.floor(numpy.clip((values - (40 - 400 / 2)) / 400, 0, 1) * 255 + 0.5)
            drawn = png(self.server.bytes(f"{self.case}/volume/slice/{plane}/{index}.png?l=40&w=400"))
            self.assertTrue((drawn == grey[:, :, None]).all(), plane)

    def test_rows_are_those_of_the_command(self):
        for run, folder in (("good", "rexgroundingct/good"), ("careful", "careful"), ("reader", "reader")):
            wanted = json.loads(fiducial("rows", self.demo / "scores" / folder, "--json"))
            items, after = [], ""
            while after is not None:
                page = self.server.json(f"{API}/runs/{run}/rows?scorer=strict&limit=100&after={addressed(after)}")
                items += page["items"]
                after = page["next"]
            self.assertEqual(page["total"], len(wanted))
            for row in items:
                self.assertIsNotNone(row.pop("case_id"))
            self.assertEqual(items, wanted)
        worst = self.server.json(f"{API}/runs/weak/worst?n=5")["items"]
        wanted = json.loads(fiducial("rows", self.demo / "scores/rexgroundingct/weak", "--worst", 5, "--json"))
        self.assertEqual([dict(row, case_id=None) for row in worst], [dict(row, case_id=None) for row in wanted])
        csv = self.server.bytes(f"{API}/runs/good/rows?scorer=strict", Accept="text/csv").decode()
        self.assertEqual(csv, fiducial("rows", self.demo / "scores/rexgroundingct/good", "--csv"))
        stream = self.server.bytes(f"{API}/runs/good/rows?scorer=strict", Accept="application/vnd.apache.arrow.stream")
        wanted = json.loads(fiducial("rows", self.demo / "scores/rexgroundingct/good", "--json"))
        self.assertEqual(pyarrow.ipc.open_stream(stream).read_all().to_pylist(), wanted)

    def test_documents_are_those_of_the_command(self):
        data = self.demo / "rexgroundingct"
        self.assertEqual(self.server.json(API + "/datasets/rexgroundingct")["description"],
                         json.loads(fiducial("stats", data, "--json")))
        lint = self.server.json(API + "/datasets/rexgroundingct/lint")
        for finding in lint["findings"]:
            finding.pop("case_id")
        self.assertEqual(lint, json.loads(fiducial("check", data, "--json")))
        comparison = self.server.json(API + "/compare?runs=good,weak")
        moved = comparison.pop("moved")
        self.assertEqual((comparison.pop("runs"), comparison.pop("dataset_id")), (["good", "weak"], "rexgroundingct"))
        folders = [self.demo / "scores/rexgroundingct" / run for run in ("good", "weak")]
        self.assertEqual(comparison, json.loads(fiducial("compare", *folders, "--json")))
        differences = [abs(one["difference"]) for one in moved]
        self.assertTrue(differences and differences == sorted(differences, reverse=True))

    def test_questions_show_images_and_answers(self):
        number = self.server.json(API + "/datasets/medthinkvqa/cases?split=test&limit=1")["items"][0]["id"]
        question = self.server.json(f"{API}/cases/medthinkvqa/{number}")["question"]
        lines = (self.demo / "medthinkvqa/test.jsonl").read_text().splitlines()
        stored = json.loads(lines[0])
        self.assertTrue(stored["title"].endswith(number))
        images = list((self.demo / "medthinkvqa/images").rglob("*.*"))
        for image in question["images"]:
            body = self.server.bytes(image["url"])
            self.assertIn(body, [path.read_bytes() for path in images])
            self.assertEqual(self.server.bytes(image["url"] + "/thumb?side=64")[:2], b"\xff\xd8")
        replies = [json.loads(line) for line in
                   (self.demo / "systems/medthinkvqa/good/predictions.jsonl").read_text().splitlines()]
        said = next(reply for reply in replies if reply["title"] == stored["title"])
        answer = question["answers"][0]
        self.assertEqual((answer["run"], answer["letter"], answer["reply"]), ("reader", said["prediction"], said["prediction"]))
        self.assertEqual(answer["correct"], said["prediction"] == question["key"])

    def test_tables_show_regions_questions_and_answers(self):
        row = self.server.json(API + "/datasets/radgenome/cases?limit=1")["items"][0]
        case = self.server.json(f"{API}/cases/radgenome/{row['id']}")
        self.assertTrue(case["regions"] and case["report"]["text"])
        for region in case["regions"]:
            self.assertIn(region["answers"][0]["run"], ("careful",))
        families = {question["family"] for question in case["questions"]}
        self.assertLessEqual(families, {"abnormality", "location", "presence", "size", "disorders"})
        self.assertTrue(all(question["answers"] for question in case["questions"]))

    def test_cases_are_found_sorted_and_paged(self):
        path = API + "/datasets/rexgroundingct/cases"
        names = [row["id"] for row in self.rows]
        paged, after = [], ""
        while after is not None:
            page = self.server.json(f"{path}?limit=1&sort=name&order=desc&after={addressed(after)}")
            paged += [row["id"] for row in page["items"]]
            after = page["next"]
        self.assertEqual(paged, sorted(names, reverse=True))
        valued = self.server.json(path + "?split=test&run=weak&sort=value&order=asc")["items"]
        values = [row["value"] for row in valued if row["value"] is not None]
        self.assertTrue(values and values == sorted(values))
        word = self.server.json(self.case)["findings"][0]["text"].split()[0]
        self.assertIn(self.scored["id"], [row["id"] for row in self.server.json(f"{path}?q={word.upper()}")["items"]])
        kind = self.scored["groups"]["category"][0]
        self.assertIn(self.scored["id"], [row["id"] for row in
                                          self.server.json(f"{path}?group=category%3D{kind}")["items"]])

    def test_what_changes_and_goes_is_told(self):
        copy = self.demo.parent / "copy"
        shutil.copytree(self.demo / "rexgroundingct", copy / "data")
        with Served(FIDUCIAL, copy / "data") as server:
            case = f"{API}/cases/data/{self.scored['id']}"
            server.json(case + "/volume/meta")
            volume = next((copy / "data/volumes").rglob(self.scored["name"]))
            volume.write_bytes(volume.read_bytes()[:5000])
            status, _, body = server.ask(case + "/volume/slab/6")
            self.assertEqual(status, 422, body)
            self.check("Problem", json.loads(body))
            volume.unlink()
            self.assertEqual(server.ask(case + "/volume/meta")[0], 404)
            self.assertFalse(server.json(case)["volume"]["available"])
            mask = copy / "data/segmentations" / self.scored["name"]
            mask.unlink()
            self.assertIn(server.ask(case + "/masks?set=reference")[0], (404, 422, 503))
            document = json.loads((copy / "data/dataset.json").read_text())
            document["test"] = [entry for entry in document["test"] if entry["name"] != self.scored["name"]]
            (copy / "data/dataset.json").write_text(json.dumps(document))
            self.assertEqual(server.ask(case)[0], 404)
            (copy / "data/dataset.json").unlink()
            self.assertEqual(server.ask(case)[0], 422)
            self.assertEqual(server.ask("/healthz")[0], 200)

    def test_a_volume_over_the_budget_is_refused_by_name(self):
        with Served(FIDUCIAL, self.demo / "rexgroundingct", "--memory", 1) as server:
            status, _, body = server.ask(self.case + "/volume/meta")
            self.assertEqual((status, json.loads(body)["code"]), (503, "unavailable"))
            self.assertIn("--memory", json.loads(body)["detail"])


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    unittest.main()
