#!/usr/bin/env python3
"""Masks through `fiducial convert`: folders, archives, label maps and 4D files to .fmask and back, held against nibabel
and a reader of our own that was written from the page of the format.

usage: convert_masks.py FIDUCIAL
"""

import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

import nibabel
import numpy as np

from fmask_reader import Fmask

FIDUCIAL = sys.argv.pop()
AFFINE = np.array([[-0.75, 0, 0, 100.25], [0, -0.75, 0, 90], [0, 0, 1.5, -200.125], [0, 0, 0, 1]])
SHAPE = (37, 29, 23)


def run(*words, status=0):
    done = subprocess.run([FIDUCIAL, "convert", *map(str, words)], capture_output=True, text=True)
    if done.returncode != status:
        raise AssertionError(f"status {done.returncode}: {done.stderr}")
    return done.stderr


def save(path, voxels, affine=AFFINE):
    path.parent.mkdir(parents=True, exist_ok=True)
    nibabel.save(nibabel.Nifti1Image(voxels, affine), path)


def read(path):
    image = nibabel.load(path)
    return np.asanyarray(image.dataobj)


def ellipsoid(random):
    grid = np.stack(np.meshgrid(*map(np.arange, SHAPE), indexing="ij"), -1)
    middle, radius = random.uniform(0, SHAPE), random.uniform(2, 12, 3)
    return (((grid - middle) / radius) ** 2).sum(-1) < 1


class ConvertedMasks(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.place = pathlib.Path(self.kept.name)
        random = np.random.default_rng(5)
        self.masks = {f"organ_{i}": ellipsoid(random).astype(np.uint8) for i in range(12)}
        self.masks["aorta"] = ellipsoid(random).astype(np.uint8)
        self.masks["nothing"] = np.zeros(SHAPE, np.uint8)
        self.masks["lesions"] = (ellipsoid(random) * 300 + ellipsoid(random) * 7).astype(np.int16)
        self.folder = self.place / "seg_case"
        for name, voxels in self.masks.items():
            save(self.folder / f"{name}.nii.gz", voxels)

    def test_a_second_reader_reads_what_was_written_as_nibabel_reads_what_it_was_made_of(self):
        run(self.folder, self.place / "case.fmask")
        read_again = Fmask.open(self.place / "case.fmask")
        self.assertEqual(sorted(read_again.masks), sorted(self.masks))
        np.testing.assert_array_equal(read_again.affine, nibabel.load(self.folder / "aorta.nii.gz").affine)
        for name in self.masks:
            np.testing.assert_array_equal(read_again.voxels(name), read(self.folder / f"{name}.nii.gz"), name)
        self.assertEqual(read_again.masks["aorta"]["code"]["scheme"], "SCT")
        self.assertTrue(all(origin["sha256"] for origin in read_again.index["origins"]))

    def test_one_mask_costs_two_requests(self):
        run(self.folder, self.place / "case.fmask")
        read_again = Fmask.open(self.place / "case.fmask")
        read_again.voxels("aorta")
        self.assertEqual(read_again.requests, 2)

    def test_a_folder_comes_back_voxel_for_voxel_and_the_file_byte_for_byte(self):
        one, two = self.place / "case.fmask", self.place / "again.fmask"
        run(self.folder, one)
        run(one, self.place / "back")
        for name in self.masks:
            image = nibabel.load(self.place / "back" / f"{name}.nii.gz")
            np.testing.assert_array_equal(np.asanyarray(image.dataobj), self.masks[name], name)
            np.testing.assert_allclose(image.affine, AFFINE, atol=1e-6)
        run(one, two)
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_archives_come_and_go(self):
        for ending in (".tar", ".tar.gz"):
            archive = self.place / f"case{ending}"
            run(self.folder, archive)
            with tarfile.open(archive) as tar:
                self.assertIn("case/aorta.nii.gz", tar.getnames())
            run(archive, self.place / f"of{ending}.fmask")
            read_again = Fmask.open(self.place / f"of{ending}.fmask")
            for name in self.masks:
                np.testing.assert_array_equal(read_again.voxels(name), self.masks[name], name)

    def test_an_archive_of_several_volumes_wants_a_choice(self):
        archive = self.place / "two.tar"
        with tarfile.open(archive, "w") as tar:
            for case in ("a", "b"):
                tar.add(self.folder / "aorta.nii.gz", f"masks/seg_{case}/aorta_{case}.nii.gz")
        self.assertIn("several volumes: a, b", run(archive, self.place / "x.fmask", status=2))
        run(archive, self.place / "b.fmask", "--volume", "b")
        self.assertEqual(list(Fmask.open(self.place / "b.fmask").masks), ["aorta_b"])
        self.assertIn('no masks of "c"', run(archive, self.place / "c.fmask", "--volume", "c", status=2))

    def test_a_label_map_keeps_its_labels_and_comes_back(self):
        labels = np.zeros(SHAPE, np.uint16)
        labels[3:9, 4:9, 2:7] = 10
        labels[9:20, 4:9, 2:7] = 1042
        save(self.place / "labels.nii.gz", labels)
        (self.place / "labels.json").write_text('{"labels": {"lung": 10, "odd thing": 1042, "absent": 3}}')
        run(self.place / "labels.nii.gz", self.place / "labels.fmask")
        masks = Fmask.open(self.place / "labels.fmask")
        self.assertEqual({name: mask["id"] for name, mask in masks.masks.items()},
                         {"lung": 10, "odd thing": 1042, "absent": 3})
        np.testing.assert_array_equal(masks.voxels("odd thing"), labels == 1042)
        (self.place / "back").mkdir()
        run(self.place / "labels.fmask", self.place / "back" / "map.nii.gz")
        np.testing.assert_array_equal(read(self.place / "back" / "map.nii.gz"), labels)
        run(self.place / "back" / "map.nii.gz", self.place / "again.fmask")
        np.testing.assert_array_equal(Fmask.open(self.place / "again.fmask").voxels("lung"), labels == 10)

    def test_labels_that_nothing_names_stay_one_array(self):
        labels = np.arange(np.prod(SHAPE)).reshape(SHAPE).astype(np.int32) % 7
        save(self.place / "entities.nii.gz", labels)
        run(self.place / "entities.nii.gz", self.place / "entities.fmask")
        masks = Fmask.open(self.place / "entities.fmask")
        self.assertEqual(masks.index["arrangement"], "labels")
        np.testing.assert_array_equal(masks.voxels("entities"), labels)
        run(self.place / "entities.fmask", self.place / "back.nii.gz")
        np.testing.assert_array_equal(read(self.place / "back.nii.gz"), labels)

    def test_findings_come_back_as_one_4d_file(self):
        stack = np.stack([self.masks["lesions"], self.masks["aorta"], self.masks["nothing"]]).astype(np.uint16)
        save(self.place / "findings.nii.gz", stack, np.eye(4))
        run(self.place / "findings.nii.gz", self.place / "findings.fmask")
        masks = Fmask.open(self.place / "findings.fmask")
        self.assertEqual(list(masks.masks), ["finding_0", "finding_1", "finding_2"])
        np.testing.assert_array_equal(masks.voxels("finding_0"), stack[0])
        run(self.place / "findings.fmask", self.place / "back.nii.gz")
        np.testing.assert_array_equal(read(self.place / "back.nii.gz"), stack)
        np.testing.assert_array_equal(nibabel.load(self.place / "back.nii.gz").affine, np.eye(4))

    def test_masks_that_share_voxels_are_no_label_map(self):
        run(self.folder, self.place / "case.fmask")
        told = run(self.place / "case.fmask", self.place / "map.nii.gz", status=2)
        self.assertIn("shares voxels", told)
        self.assertFalse((self.place / "map.nii.gz").exists() or (self.place / "map.json").exists())
        run(self.place / "case.fmask", self.place / "stack.nii.gz", "--stack")
        self.assertEqual(read(self.place / "stack.nii.gz").shape, (len(self.masks), *SHAPE))

    def test_what_cannot_be_one_file_is_refused_with_its_name(self):
        save(self.folder / "turned.nii.gz", np.zeros((29, 37, 23), np.uint8))
        told = run(self.folder, self.place / "case.fmask", status=3)
        self.assertIn("turned.nii.gz", told)
        self.assertIn("another grid", told)
        (self.folder / "turned.nii.gz").unlink()
        save(self.folder / "soft.nii.gz", np.full(SHAPE, 0.25, np.float32))
        self.assertIn("probabilities", run(self.folder, self.place / "case.fmask", status=3))
        (self.folder / "soft.nii.gz").unlink()
        run(self.folder, self.place / "case.fmask")
        before = (self.place / "case.fmask").read_bytes()
        self.assertIn("exists", run(self.folder, self.place / "case.fmask", status=2))
        self.assertIn("exists", run(self.place / "case.fmask", self.folder, status=2))
        self.assertEqual(before, (self.place / "case.fmask").read_bytes())
        self.assertIn("or a file that ends in", run(self.folder, self.place / "case.doc", status=2))

    def test_a_file_that_was_cut_short_is_told_with_the_place(self):
        run(self.folder, self.place / "case.fmask")
        whole = (self.place / "case.fmask").read_bytes()
        (self.place / "cut.fmask").write_bytes(whole[:-10])
        told = run(self.place / "cut.fmask", self.place / "out", status=3)
        self.assertIn(f"cut.fmask, byte {len(whole) - 10 - 56}", told)
        damaged = bytearray(whole)
        damaged[100] ^= 0x55
        (self.place / "damaged.fmask").write_bytes(damaged)
        self.assertIn('mask "', run(self.place / "damaged.fmask", self.place / "out", status=5))
        self.assertFalse((self.place / "out").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
