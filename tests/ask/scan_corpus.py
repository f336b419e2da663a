"""Scans with organ masks and tables of questions in the layout of RadGenome-Chest CT, and what pictures of them must hold.

Pixels are computed here with NumPy and nibabel from the rules of docs/formats/view_policy.md alone. Every column of answers holds
marks: words that stand nowhere else.
"""

import csv
import itertools
import json
import pathlib

import nibabel
import numpy

LEFT = "lung/lung/left lung"
RIGHT = "lung/lung/right lung"
FINDINGS = ("nodule", "effusion", "emphysema", "consolidation", "atelectasis", "fibrosis")
# Arrays that lie in the patient in different ways: signs and order of axes, spacing in mm.
PLACES = (((-1.5, 0, 0), (0, -1.5, 0), (0, 0, 3)), ((1.2, 0, 0), (0, 1.2, 0), (0, 0, 2.5)), ((0, 0, -2), (-1, 0, 0), (0, -1.3, 0)))


def affine_of(place):
    affine = numpy.eye(4)
    affine[:3, :3] = numpy.array(place)
    affine[:3, 3] = (11, -7, 30)
    return affine


def write_scan(folder, number):
    """A volume of noise with masks of both lungs; returns its name."""
    name = f"valid_{number}_a_1"
    generator = numpy.random.default_rng(number)
    shape = (26, 22, 18)
    affine = affine_of(PLACES[number % len(PLACES)])
    voxels = generator.integers(-1100, 600, shape).astype(numpy.int16)
    (folder / "ct").mkdir(parents=True, exist_ok=True)
    nibabel.save(nibabel.Nifti1Image(voxels, affine), folder / "ct" / f"{name}.nii.gz")
    masks = folder / "masks" / f"seg_{name}"
    masks.mkdir(parents=True, exist_ok=True)
    for organ, begin in (("left lung", 3), ("right lung", 13)):
        mask = numpy.zeros(shape, numpy.uint8)
        mask[begin:begin + 8, 4:17, 5:12] = 1
        mask[begin + 2, 4:6, 5:7] = 0
        nibabel.save(nibabel.Nifti1Image(mask, affine), masks / f"{organ}.nii.gz")
    return name


def write_tables(folder, names):
    """Tables of questions; every answer that can holds a mark. Returns the marks."""
    rows = {"vqa_presence": [("Volumename", "Anatomy", "Finding", "Presence")],
            "vqa_abnormality": [("Volumename", "Anatomy", "Abnormality")],
            "vqa_size": [("Volumename", "Anatomy", "Abnormality", "Size")],
            "vqa_location": [("Volumename", "Abnormality", "Anatomy")],
            "case_disorders": [("Volumename", "Disorders")],
            "region_report": [("Volumename", "Anatomy", "Sentence")]}
    marks = []

    def mark(text):
        marks.append(f"zorbmark{len(marks):04d}")
        return f"{text} {marks[-1]}"

    for name in names:
        volume = f"{name}.nii.gz"
        for place, finding in itertools.product((LEFT, RIGHT), FINDINGS):
            rows["vqa_presence"].append((volume, place, finding, "Yes." if (len(finding) + len(name)) % 2 else "No."))
        for place in (LEFT, RIGHT):
            rows["vqa_abnormality"].append((volume, place, mark("nodule")))
            rows["vqa_size"].append((volume, place, "nodule", f"{7 + len(marks)} mm"))
            rows["region_report"].append((volume, place, mark("A nodule is observed in the lung.")))
        rows["vqa_location"].append((volume, "nodule", LEFT))
        rows["vqa_location"].append((volume, "nodule", RIGHT))
        rows["case_disorders"].append((volume, mark("emphysema")))
    for table, lines in rows.items():
        with open(folder / f"validation_{table}.csv", "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)
    return marks


def write_corpus(folder, scans):
    folder = pathlib.Path(folder)
    (folder / "data").mkdir(parents=True, exist_ok=True)
    names = [write_scan(folder, number) for number in range(1, scans + 1)]
    return names, write_tables(folder / "data", names)


# What pictures must hold.

PLANES = {"axial": ("L", "P", "I"), "coronal": ("L", "I", "P"), "sagittal": ("P", "I", "L")}


def in_plane(image, plane):
    """The array turned so that its axes run along a screen row, down the screen and from slice to slice; with spacing in um."""
    wanted = nibabel.orientations.axcodes2ornt(PLANES[plane])
    turn = nibabel.orientations.ornt_transform(nibabel.io_orientation(image.affine), wanted)
    turned = nibabel.orientations.apply_orientation(numpy.asanyarray(image.dataobj), turn)
    spacing = numpy.sqrt((image.affine[:3, :3] ** 2).sum(axis=0))
    order = numpy.argsort(turn[:, 0])
    return turned, [int(round(spacing[axis] * 1000)) for axis in order]


def shares(size, pixels):
    """How much of each value lies under each pixel of a line, in whole numbers; rows add up to size."""
    edges = numpy.arange(pixels + 1) * size
    cells = numpy.arange(size + 1) * pixels
    low = numpy.maximum(edges[:-1, None], cells[None, :-1])
    high = numpy.minimum(edges[1:, None], cells[None, 1:])
    return numpy.maximum(0, high - low).astype(numpy.int64)


def size_px(shape, spacing, longest):
    lengths = [shape[0] * spacing[0], shape[1] * spacing[1]]
    return [max(1, (2 * length * longest + max(lengths)) // (2 * max(lengths))) for length in lengths]


def area_sums(values, width, height):
    """values[column, row] -> sums[row, column] and what to divide by."""
    sums = shares(values.shape[0], width) @ values.astype(numpy.int64) @ shares(values.shape[1], height).T
    return sums.T, values.shape[0] * values.shape[1]


def grey(sums, weight, centre, width):
    above = 2 * sums - (2 * centre - width) * weight
    whole = 2 * width * weight
    return numpy.clip((above * 510 + whole) // (2 * whole), 0, 255).astype(numpy.uint8)


def spread(slices, count):
    count = min(count, len(slices))
    return [slices[(2 * i + 1) * len(slices) // (2 * count)] for i in range(count)]


def outline(covered):
    padded = numpy.pad(covered, 1)
    inner = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    return covered & ~inner


def expected_pictures(scan, policy, mask=None):
    """Pictures of a policy without side letters, in the order they are sent: arrays of (rows, columns) or (rows, columns, 3)."""
    out = []
    rule = policy.get("region", {}).get("as") if mask is not None else None
    for plane in policy["planes"]:
        values, spacing = in_plane(nibabel.load(scan), plane)
        inside = in_plane(nibabel.load(mask), plane)[0] > 0 if mask is not None else None
        slices = list(range(values.shape[2]))
        if policy["slices"]["rule"] == "through" and inside is not None:
            slices = [z for z in slices if inside[:, :, z].any()]
        box = [slice(None), slice(None)]
        if rule == "crop":
            for axis in range(2):
                filled = numpy.flatnonzero(inside.any(axis=tuple({0, 1, 2} - {axis})))
                margin = -(-policy["region"].get("margin_mm", 0) * 1000 // spacing[axis])
                box[axis] = slice(max(0, filled[0] - margin), min(values.shape[axis], filled[-1] + 1 + margin))
        shown = values[box[0], box[1]]
        width, height = size_px(shown.shape, spacing, policy["longest_px"])
        for window in policy["windows"]:
            for z in spread(slices, policy["slices"]["count"]):
                sums, weight = area_sums(shown[:, :, z], width, height)
                picture = grey(sums, weight, window["centre_hu"], window["width_hu"])
                if rule in ("outline", "mask"):
                    covered, area = area_sums(inside[box[0], box[1], z], width, height)
                    covered = 2 * covered >= area
                    if rule == "mask":
                        picture = numpy.where(covered, picture, 0).astype(numpy.uint8)
                    else:
                        picture = numpy.repeat(picture[:, :, None], 3, axis=2)
                        picture[outline(covered)] = (255, 214, 0)
                out.append(picture)
    return out


# What answers that point into pictures must become.

BOXES = [{"image": 2, "left": 100, "top": 200, "right": 600, "bottom": 700}, {"image": 3, "left": 0, "top": 0, "right": 350, "bottom": 1000}]


def boxed_voxels(scan, view, boxes):
    """The voxels that boxes cover, by the rule of docs/ask.md, in the order of the file."""
    image = nibabel.load(scan)
    values, _ = in_plane(image, "axial")
    shown = spread(list(range(values.shape[2])), view["slices"]["count"])
    inside = numpy.zeros(values.shape, bool)
    for box in boxes:
        at = box["image"] - 1
        lines = [(numpy.arange(size) + 0.5) / size * 1000 for size in values.shape[:2]]
        columns = (lines[0] >= box["left"]) & (lines[0] < box["right"])
        rows = (lines[1] >= box["top"]) & (lines[1] < box["bottom"])
        gaps = [after - before for before, after in zip(shown, shown[1:])]
        low = shown[at] - (gaps[at - 1] if at > 0 else gaps[0]) / 2
        high = shown[at] + (gaps[at] if at < len(gaps) else gaps[-1]) / 2
        slices = [z for z in range(values.shape[2]) if low <= z < high]
        inside[:, :, slices] |= (columns[:, None] & rows[None, :])[:, :, None]
    back = nibabel.orientations.ornt_transform(nibabel.orientations.axcodes2ornt(PLANES["axial"]), nibabel.io_orientation(image.affine))
    return nibabel.orientations.apply_orientation(inside, back)


def write_findings(folder, names, view):
    """A dataset of findings: one lies exactly under the boxes, of the other only its half; returns their Dice."""
    entries, scores = [], []
    (folder / "rex" / "segmentations").mkdir(parents=True)
    for name in names:
        boxed = boxed_voxels(folder / "ct" / f"{name}.nii.gz", view, BOXES)
        half = boxed.copy()
        half[half.shape[0] // 2:] = False
        half[0, 0, 0] = True
        reference = numpy.stack([boxed, half]).astype(numpy.uint8)
        nibabel.save(nibabel.Nifti1Image(reference, numpy.eye(4)), folder / "rex" / "segmentations" / f"{name}.nii.gz")
        entries.append({"name": f"{name}.nii.gz", "findings": {"0": "A nodule in the lung.", "1": "An effusion."},
                        "entity_counts": {"0": 1, "1": 1}, "shape": list(boxed.shape),
                        "pixels": {"0": int(boxed.sum()), "1": int(half.sum())}, "categories": {"0": "2d", "1": "2e"},
                        "protocol": "protocol1"})
        scores += [1.0, 2 * int((boxed & half).sum()) / (int(boxed.sum()) + int(half.sum()))]
    (folder / "rex" / "dataset.json").write_text(json.dumps({"test": entries}))
    return scores
