#!/usr/bin/env python3
"""Holds `fiducial export --to nnunet` against nnU-Net's own check of a dataset, and the views for MONAI and TorchIO
against the loaders of these packages. Skips where the packages are not installed.

usage: train_on_exports.py FIDUCIAL [PYTHON_WITH_THEM]

Needs the fiducial package on PYTHONPATH. Last run by hand with nnunetv2 2.8.1, monai 1.4.0, torchio 1.2.1 and
torch 1.13.1: no problem.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

for variable in ("nnUNet_raw", "nnUNet_preprocessed", "nnUNet_results"):
    os.environ.setdefault(variable, tempfile.gettempdir())
try:
    import monai
    import monai.data
    import monai.transforms
    import nibabel
    import numpy
    import SimpleITK
    import torchio
    from nnunetv2.experiment_planning.verify_dataset_integrity import verify_dataset_integrity
    import fiducial
except ImportError as missing:
    if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
        os.execv(sys.argv[2], [sys.argv[2], __file__, sys.argv[1]])
    print(f"skipped: {missing}")
    sys.exit(77)


def command(*arguments):
    subprocess.run([sys.argv[1], *map(str, arguments)], check=True, capture_output=True)


def label_problems(folder, source, category):
    document = json.loads((source / "dataset.json").read_text(encoding="utf-8"))
    for entry in document["train"] + document["val"]:
        stem = entry["name"].removesuffix(".nii.gz")
        masks = numpy.asarray(nibabel.load(source / "segmentations" / entry["name"]).dataobj)
        wanted = [index for index in range(len(masks)) if category is None or entry["categories"][str(index)] == category]
        expected = (masks[wanted] != 0).any(axis=0) if wanted else numpy.zeros(masks.shape[1:], bool)
        label = nibabel.load(folder / "labelsTr" / f"{stem}.nii.gz")
        if not numpy.array_equal(numpy.asarray(label.dataobj) != 0, expected):
            yield f"{folder.name}: {stem} has another label"
        if not numpy.array_equal(label.affine, nibabel.load(folder / "imagesTr" / f"{stem}_0000.nii.gz").affine):
            yield f"{folder.name}: {stem} lies elsewhere than its CT"


def nnunet_problems(root, source):
    for findings in ("union", "category"):
        out = root / findings
        command("export", "--to", "nnunet", source, "--volumes", source / "volumes", "-o", out, "--findings", findings,
                "--licence", "CC0-1.0", "--source", "phantoms", "--allowed-use", "any")
        for each in json.loads((out / "manifest.json").read_text(encoding="utf-8"))["datasets"]:
            try:
                verify_dataset_integrity(str(out / each["folder"]), 1)
            except (RuntimeError, AssertionError) as refused:
                yield f"{each['folder']}: {refused}"
            yield from label_problems(out / each["folder"], source, each["category"])


def monai_problems(dataset):
    load = monai.transforms.LoadImage(image_only=True, ensure_channel_first=True)
    view = dataset.to_monai(by="case")
    for case, sample in zip(dataset, view):
        expected = load(case.volume_path)
        if not numpy.array_equal(sample["image"].numpy(), expected.numpy()) or not numpy.allclose(sample["image"].affine, expected.affine, rtol=0, atol=1e-9):
            yield f"monai: {case.name} is another image"
        mask = numpy.asarray(nibabel.load(case.mask_path).dataobj)
        if not numpy.array_equal(sample["label"].numpy(), mask) or not numpy.array_equal(sample["label"].affine, sample["image"].affine):
            yield f"monai: {case.name} has another label"
    flipped = dataset.to_monai(transform=monai.transforms.Flipd(keys=["image", "label"], spatial_axis=0))[0]
    plain = dataset.to_monai()[0]
    if not numpy.array_equal(flipped["label"].numpy(), plain["label"].numpy()[:, ::-1]) or plain["text"] != dataset[0].findings[0].text:
        yield "monai: a transform of dictionaries does not act"
    if len(list(monai.data.DataLoader(dataset.to_monai(), batch_size=1, num_workers=1))) != len(dataset.to_monai()):
        yield "monai: its loader gives another number of samples"


def torchio_problems(dataset):
    for case, subject in zip(dataset, dataset.to_torchio(by="case")):
        expected = torchio.ScalarImage(case.volume_path)
        if not numpy.array_equal(subject.image.numpy(), expected.numpy()) or not numpy.allclose(subject.image.affine, expected.affine, rtol=0, atol=1e-6):
            yield f"torchio: {case.name} is another image"
        if not numpy.array_equal(subject.label.numpy(), numpy.asarray(nibabel.load(case.mask_path).dataobj)):
            yield f"torchio: {case.name} has another label"
        subject.check_consistent_spatial_shape()
        subject.check_consistent_affine()
    if dataset.to_torchio(transform=torchio.CropOrPad(16))[0].image.shape != (1, 16, 16, 16):
        yield "torchio: a transform does not act"


def main():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        command("demo", root / "demo", "--cases", "2")
        source = root / "demo/rexgroundingct"
        dataset = fiducial.open(source).split("train")
        found = [*nnunet_problems(root, source), *monai_problems(dataset), *torchio_problems(dataset)]
    print(*found, f"monai {monai.__version__}, torchio {torchio.__version__}: {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
