"""The comparisons of compare_segmentations.py, in an environment that has the peers."""

import json
import pathlib
import subprocess
import sys
import tempfile

import highdicom as hd
import nibabel as nib
import nrrd
import numpy as np
import SimpleITK as sitk
from segmentation_inputs import BIN, SIZE, blobs, contour_file, dcmqi_file, highdicom_file, make_series

FIDUCIAL = sys.argv[1]
checks = 0


def same(what, found, expected):
    global checks
    checks += 1
    if not np.array_equal(np.asarray(found), np.asarray(expected)):
        told = [f"{array.shape} with {np.count_nonzero(array)}" if (array := np.asarray(each)).ndim > 1 else each for each in (found, expected)]
        raise SystemExit(f"{what}: {told[0]} found, {told[1]} expected")


def near(what, found, expected, tolerance=1e-4):
    global checks
    checks += 1
    if not np.allclose(found, expected, atol=tolerance):
        told = [f"{array.shape} with {np.count_nonzero(array)}" if (array := np.asarray(each)).ndim > 1 else each for each in (found, expected)]
        raise SystemExit(f"{what}: {told[0]} found, {told[1]} expected")


def convert(*arguments):
    done = subprocess.run([FIDUCIAL, "convert", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"convert {' '.join(map(str, arguments))}: {done.stderr}")


def lps(affine):
    return np.diag([-1, -1, 1, 1]) @ affine


def check_images(folder):
    rng = np.random.default_rng(5)
    turned, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    affine = np.eye(4)
    affine[:3, :3], affine[:3, 3] = turned * [0.7, 0.8, 2.5], [-11, 22, 301.5]
    for dtype in ("uint8", "int16", "uint16", "int32", "float32", "float64"):
        array = rng.integers(0, 120, (5, 4, 3)).astype(dtype)
        image = nib.Nifti1Image(array, affine)
        nib.save(image, folder / "in.nii.gz")
        stored = nib.load(folder / "in.nii.gz").affine
        for ending in ("nrrd", "mha"):
            out = folder / f"{dtype}.{ending}"
            convert(folder / "in.nii.gz", out)
            read = sitk.ReadImage(str(out))
            same(f"{out.name} by SimpleITK", sitk.GetArrayFromImage(read).transpose(2, 1, 0), array)
            placed = np.eye(4)
            placed[:3, :3] = np.array(read.GetDirection()).reshape(3, 3) * read.GetSpacing()
            placed[:3, 3] = read.GetOrigin()
            near(f"{out.name} place by SimpleITK", placed, lps(stored))
        data, header = nrrd.read(str(folder / f"{dtype}.nrrd"))
        same(f"{dtype} by pynrrd", data, array)
        near("directions by pynrrd", header["space directions"].T, lps(stored)[:3, :3])
        near("origin by pynrrd", header["space origin"], lps(stored)[:3, 3])


def findings_file(folder, series_file, masks):
    """(F, H, W, D) with two entities in the first finding, on the grid of the series."""
    labels = masks.astype(np.uint8)
    labels[0][:, :, int(np.nonzero(masks[0])[2].mean()) + 1:] *= 2
    affine = nib.load(series_file).affine
    path = folder / "findings.nii.gz"
    nib.save(nib.Nifti1Image(labels, affine), path)
    return path, labels


def check_slicer(folder, path, labels):
    out = folder / "findings.seg.nrrd"
    convert(path, out)
    data, header = nrrd.read(str(out))
    data = data if data.ndim == 4 else data[None]
    found = {}
    for key in header:
        if key.endswith("_LabelValue"):
            number = key[: -len("_LabelValue")]
            found[header[f"{number}_Name"]] = data[int(header[f"{number}_Layer"])] == int(header[key])
    expected = {"finding 0 entity 1": labels[0] == 1, "finding 0 entity 2": labels[0] == 2}
    expected |= {f"finding {i}": labels[i] == 1 for i in range(1, len(labels))}
    same("names of segments", sorted(found), sorted(expected))
    for name in expected:
        same(f"segment {name} by pynrrd", found[name], expected[name])
    convert(out, folder / "back.nii.gz")
    same(".seg.nrrd and back", np.asarray(nib.load(folder / "back.nii.gz").dataobj), labels)


def by_dcmqi(folder, path):
    """Volumes by segment as dcmqi reads them, in the order of ITK's arrays, which is z, y, x."""
    out = folder / "dcmqi"
    out.mkdir()
    subprocess.run([str(BIN / "segimage2itkimage"), "--inputDICOM", str(path), "--outputDirectory", str(out), "-t", "nrrd"],
                   check=True, capture_output=True)
    told = json.loads(next(out.glob("*.json")).read_text())
    images = {int(file.stem.split("-")[-1]): sitk.ReadImage(str(file)) for file in out.glob("*.nrrd")}
    return images, told


def check_segmentation_out(folder, series, path, labels):
    out = folder / "findings.dcm"
    convert(path, out, "--like", folder / "series")
    read = hd.seg.segread(str(out))
    expected = [labels[0] == 1, labels[0] == 2, *(labels[1:] == 1)]
    same("segments by highdicom", read.number_of_segments, len(expected))
    sources = [image.SOPInstanceUID for image in series]
    planes = read.get_pixels_by_source_instance(sources, ignore_spatial_locations=True, assert_missing_frames_are_empty=True)
    for i, mask in enumerate(expected):
        same(f"segment {i + 1} by highdicom", planes[..., i].transpose(2, 1, 0), mask)
    same("frame of reference", read.FrameOfReferenceUID, series[0].FrameOfReferenceUID)
    images, told = by_dcmqi(folder, out)
    same("segments by dcmqi", len(images), len(expected))
    for number, image in images.items():
        same(f"voxels of segment {number} by dcmqi", int((sitk.GetArrayFromImage(image) > 0).sum()), int(expected[number - 1].sum()))
    names = [each[0]["SegmentLabel"] for each in told["segmentAttributes"]]
    same("names by dcmqi", sorted(names), sorted(["finding 0 entity 1", "finding 0 entity 2", *(f"finding {i}" for i in range(1, len(labels)))]))
    convert(out, folder / "again.nii.gz", "--like", folder / "series")
    same("DICOM segmentation and back", np.asarray(nib.load(folder / "again.nii.gz").dataobj), labels)


def check_label_map_out(folder, series, series_file):
    organs = folder / "organs"
    organs.mkdir()
    names = ["aorta", "heart", "lung_upper_lobe_left"]
    affine = nib.load(series_file).affine
    left = np.zeros(SIZE, bool)
    expected = np.zeros(SIZE, np.uint8)
    for i, name in enumerate(sorted(names)):
        mask = blobs(40 + i, 1)[0] & ~left
        left |= mask
        expected[mask] = i + 1
        # Turned, as other tools write them: the same places, other axes.
        nib.save(nib.as_closest_canonical(nib.Nifti1Image(mask.astype(np.uint8), affine)), organs / f"{name}.nii.gz")
    out = folder / "organs.dcm"
    convert(organs, out, "--like", folder / "series", "--segmentation", "labelmap")
    read = hd.seg.segread(str(out))
    same("kind", str(read.SegmentationType), "LABELMAP")
    planes = read.get_pixels_by_source_instance([image.SOPInstanceUID for image in series], ignore_spatial_locations=True,
                                                assert_missing_frames_are_empty=True, combine_segments=True)
    order = [read.get_segment_description(i).segment_label for i in read.segment_numbers]
    same("labels by highdicom", planes.transpose(2, 1, 0), np.choose(expected, [0, *(order.index(n) + 1 for n in sorted(names))]))
    lobe = read.get_segment_description(order.index("lung_upper_lobe_left") + 1)
    same("code of a lobe", (lobe.segmented_property_type.value, lobe.segmented_property_type.scheme_designator), ("45653009", "SCT"))
    same("its side", lobe.SegmentedPropertyTypeCodeSequence[0].SegmentedPropertyTypeModifierCodeSequence[0].CodeMeaning, "Left")


def check_highdicom_in(folder, series):
    masks = blobs(70, 2)
    masks[1] &= ~masks[0]
    labels = masks[0] + 2 * masks[1].astype(np.uint8)
    for kind in ("BINARY", "LABELMAP"):
        for syntax in ("1.2.840.10008.1.2.1", *(["1.2.840.10008.1.2.5"] if kind == "LABELMAP" else [])):
            made = highdicom_file(series, labels, kind, syntax)
            made.save_as(folder / "theirs.dcm")
            out = folder / f"theirs_{kind}_{syntax[-1]}"
            convert(folder / "theirs.dcm", out, "--like", folder / "series")
            for i, name in enumerate(("left lung", "right lung")):
                same(f"{kind} {syntax} of highdicom", np.asarray(nib.load(out / f"{name}.nii.gz").dataobj) > 0, masks[i])


def check_dcmqi_in(folder):
    masks = blobs(80, 2)
    dcmqi_file(folder, masks)
    convert(folder / "dcmqi.dcm", folder / "of_dcmqi", "--like", folder / "series")
    for i, mask in enumerate(masks):
        same("segmentation of dcmqi", np.asarray(nib.load(folder / f"of_dcmqi/part {i}.nii.gz").dataobj) > 0, mask)


def check_contours_in(folder, arguments):
    make_series(folder / "series", [*arguments, "--spacing", "0.9,0.9"])
    masks = blobs(90, 3)
    masks[2] = masks[0] | masks[1]
    contour_file(folder, masks)
    convert(folder / "contours.dcm", folder / "of_contours", "--like", folder / "series")
    for i, mask in enumerate(masks):
        same("contours of rt-utils", np.asarray(nib.load(folder / f"of_contours/part {i}.nii.gz").dataobj) > 0, mask)


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        check_images(folder)
        oblique = ["--orientation", "0.8,0.6,0,0,0,-1", "--step=1.2,-1.6,0", "--spacing", "0.6,1.1"]
        for number, arguments in enumerate(([], oblique)):
            here = folder / str(number)
            here.mkdir()
            series = make_series(here / "series", arguments)
            convert(here / "series", here / "series.nii.gz")
            convert(here / "series", here / "series.nrrd")
            path, labels = findings_file(here, here / "series.nii.gz", blobs(number, 3))
            check_slicer(here, path, labels)
            check_segmentation_out(here, series, path, labels)
            check_label_map_out(here, series, here / "series.nii.gz")
            check_highdicom_in(here, series)
            check_dcmqi_in(here)
            (here / "square").mkdir()
            check_contours_in(here / "square", arguments[:3])
    print(f"{checks} comparisons with pynrrd {nrrd.__version__}, SimpleITK {sitk.Version_VersionString()}, highdicom "
          f"{hd.__version__}, dcmqi and rt-utils: equal")


if __name__ == "__main__":
    main()
