#!/usr/bin/env python3
"""Findings as COCO and as tasks of Label Studio: pycocotools and Label Studio's own converter decode the very voxels of the
references, and masks that they encode come back equal, voxel for voxel.

usage: annotate_elsewhere.py FIDUCIAL [PYTHON_WITH_TOOLS]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    from label_studio_sdk.converter import brush
    from label_studio_sdk.label_interface import LabelInterface
    from pycocotools import mask as coco_mask
    from pycocotools.coco import COCO
except ImportError as missing:
    if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
        os.execv(sys.argv[2], [sys.argv[2], __file__, sys.argv[1]])
    print(f"skipped: {missing}; ./dev test --full installs label-studio-sdk and pycocotools in .venv-annotations")
    sys.exit(77)
import nibabel

TERMS = ["--licence", "CC-BY-4.0", "--source", "synthetic", "--allowed-use", "tests"]
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


class Corpus:
    def __init__(self, fiducial, root):
        self.fiducial, self.root = fiducial, root
        self.say("demo", root / "demo", "--cases", 3, "--seed", 4)
        self.data = root / "demo/rexgroundingct"
        self.volumes = self.data / "volumes"
        self.names = [case["name"] for case in json.loads((self.data / "dataset.json").read_text())["test"]]

    def say(self, *words):
        done = subprocess.run([self.fiducial, *map(str, words)], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))}\n{done.stderr}")
        return done.stdout

    def mask(self, name, folder=None):
        """(F, x, y, z) of entity ids; the affine is that of the CT."""
        return numpy.asarray(nibabel.load((folder or self.data / "segmentations") / name).dataobj).astype(int)

    def on_screen(self, name, array):
        """(x, y, z) as (slice, row, column): right on the left, anterior on top, from the head down."""
        image = nibabel.load(next(self.volumes.rglob(name)))
        turn = nibabel.orientations.ornt_transform(nibabel.io_orientation(image.affine), nibabel.orientations.axcodes2ornt("LPI"))
        return nibabel.orientations.apply_orientation(array, turn).transpose(2, 1, 0)


def place(picture):
    *_, stem, number = picture.split("/")
    return f"{stem}.nii.gz", int(number.removesuffix(".png"))


def check_coco(corpus, out):
    corpus.say("export", "--to", "coco", corpus.data, "--volumes", corpus.volumes, "-o", out, *TERMS)
    coco = COCO(str(out / "annotations.json"))
    drawn = {name: numpy.zeros((len(mask), *corpus.on_screen(name, mask[0]).shape), int)
             for name, mask in ((name, corpus.mask(name)) for name in corpus.names)}
    for image in coco.loadImgs(coco.getImgIds()):
        name, slice_ = place(image["file_name"])
        expect((out / image["file_name"]).read_bytes()[:4] == b"\x89PNG", f"{image['file_name']} is no picture")
        for annotation in coco.loadAnns(coco.getAnnIds(imgIds=image["id"])):
            pixels = coco.annToMask(annotation).astype(bool)
            drawn[name][annotation["attributes"]["finding"]][slice_][pixels] = annotation["attributes"]["entity"]
            expect(annotation["area"] == pixels.sum() == coco_mask.area(coco.annToRLE(annotation)), "an area differs")
            expect(annotation["bbox"] == list(coco_mask.toBbox(coco.annToRLE(annotation))), "a box differs")
    for name in corpus.names:
        reference = [corpus.on_screen(name, channel) for channel in corpus.mask(name)]
        expect(numpy.array_equal(drawn[name], reference), f"{name}: COCO has other voxels")
    # Encoded by pycocotools, without what other tools may drop.
    document = json.loads((out / "annotations.json").read_text())
    for annotation in document["annotations"]:
        again = coco_mask.encode(numpy.asfortranarray(coco.annToMask(annotation)))
        annotation["segmentation"] = {"size": again["size"], "counts": again["counts"].decode()}
    del document["info"], document["licenses"]
    (out / "drawn.json").write_text(json.dumps(document))
    return out / "drawn.json"


def check_label_studio(corpus, out):
    corpus.say("export", "--to", "label-studio", corpus.data, "--volumes", corpus.volumes, "-o", out, *TERMS)
    tasks = json.loads((out / "tasks.json").read_text())
    interface = LabelInterface((out / "interface.xml").read_text())
    expect("entity 1" in interface.get_control("mask").labels, "the interface has no entity 1")
    drawn = {name: [numpy.zeros(corpus.on_screen(name, channel).shape, int) for channel in corpus.mask(name)] for name in corpus.names}
    for task in tasks:
        name, slice_ = place(task["data"]["image"])
        expect(interface.validate_task({"data": task["data"]}), f"{name}: Label Studio takes no such task")
        expect(all(interface.validate_region(region) for region in task["annotations"][0]["result"]), f"{name}: nor such regions")
        results = [{**region["value"], "type": region["type"], "original_width": region["original_width"],
                    "original_height": region["original_height"]} for region in task["annotations"][0]["result"]]
        for (label, pixels), region in zip(brush.decode_from_annotation("mask", results).items(), task["annotations"][0]["result"]):
            entity = int(region["value"]["brushlabels"][0].removeprefix("entity "))
            drawn[name][task["data"]["finding"]][slice_][pixels > 0] = entity
            # As Label Studio's converter encodes a mask.
            height, width = pixels.shape
            region["value"]["rle"] = brush.encode_rle(numpy.repeat(pixels[:, :, None], 4, axis=2).astype(numpy.uint8).ravel())
            expect((region["original_width"], region["original_height"]) == (width, height), "a size differs")
    for name in corpus.names:
        expect(numpy.array_equal(drawn[name], [corpus.on_screen(name, channel) for channel in corpus.mask(name)]),
               f"{name}: Label Studio has other voxels")
    (out / "drawn.json").write_text(json.dumps(tasks))
    return out / "drawn.json"


def check_back(corpus, tool, drawn, out):
    corpus.say("pack", "--from", tool, drawn, "--dataset", corpus.data, "--volumes", corpus.volumes, "-o", out)
    for name in corpus.names:
        expect(numpy.array_equal(corpus.mask(name, out), corpus.mask(name)), f"{tool}: {name} comes back with other voxels")
    scores = json.loads(corpus.say("score", corpus.data, out, "--volumes", corpus.volumes, "-o", out.with_suffix(".scores"), "--json"))
    expect(scores["metrics"]["dice_per_finding"]["value"] == 1, f"{tool}: what came back does not score 1")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        corpus = Corpus(sys.argv[1], root)
        check_back(corpus, "coco", check_coco(corpus, root / "coco"), root / "from-coco")
        check_back(corpus, "label-studio", check_label_studio(corpus, root / "tasks"), root / "from-tasks")
        # A model's masks as suggestions.
        corpus.say("export", "--to", "label-studio", corpus.data, root / "demo/systems/rexgroundingct/good", "--volumes", corpus.volumes,
                   "-o", root / "suggested", *TERMS)
        expect(all("predictions" in task and "annotations" not in task for task in json.loads((root / "suggested/tasks.json").read_text())),
               "suggestions are no predictions")
    print(*problems, f"{len(problems)} problems", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
