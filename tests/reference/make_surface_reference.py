#!/usr/bin/env python3
"""Writes surface.json: distances between surfaces by surface-distance, MONAI and panoptica.

    python tests/reference/make_surface_reference.py cases             # numpy, scipy
    python tests/reference/make_surface_reference.py surface-distance  # numpy < 1.24, scipy, surface-distance
    python tests/reference/make_surface_reference.py monai             # torch, monai
    python tests/reference/make_surface_reference.py panoptica         # panoptica

Run by a developer, each in an environment of its own, in this order; the result is checked in. Arrays are indexed
[x, y, z]; bits and labels are stored with x fastest. Where a tool gives NaN or infinity the value is null.
"""

import base64
import importlib.metadata
import json
import math
import pathlib
import sys

import numpy as np

TARGET = pathlib.Path(__file__).with_name("surface.json")
AREA_SPACINGS = ((1.0, 1.0, 1.0), (0.7, 0.75, 1.5), (2.0, 1.0, 0.3))


def stored(values):
    return base64.b64encode(np.ascontiguousarray(values.transpose(2, 1, 0)).tobytes()).decode()


def loaded(case, key):
    x, y, z = case["shape"]
    flat = np.frombuffer(base64.b64decode(case[key]), dtype=np.uint8)
    return np.ascontiguousarray(flat.reshape(z, y, x).transpose(2, 1, 0))


def number(value):
    value = float(value)
    return value if math.isfinite(value) else None


def blobs(generator, shape, sigma, level):
    from scipy import ndimage

    smooth = ndimage.gaussian_filter(generator.normal(size=shape), sigma)
    return smooth > level * smooth.std(), ndimage


def instances(mask, ndimage):
    ids, count = ndimage.label(mask, ndimage.generate_binary_structure(3, 2))
    sizes = np.bincount(ids.ravel(), minlength=count + 1)
    kept = [i for i in range(1, count + 1) if sizes[i] >= 10]
    table = np.zeros(count + 1, np.uint8)
    table[kept] = np.arange(1, len(kept) + 1)
    return table[ids]


def pairs():
    """Name, spacing, tolerance, labelled reference, labelled prediction."""
    generator = np.random.default_rng(20260301)
    for index, (shape, sigma, spacing, tolerance) in enumerate((
            ((26, 22, 18), 1.5, (0.7, 0.7, 1.25), 1.0), ((30, 20, 12), 2.0, (0.75, 0.75, 1.12), 1.0),
            ((20, 24, 10), 1.2, (0.5, 0.9, 3.0), 2.0), ((18, 17, 16), 1.0, (1.0, 1.0, 1.0), 1.5))):
        a, ndimage = blobs(generator, shape, sigma, 0.8)
        moved = np.roll(a, (1, 0, 0), axis=(0, 1, 2))
        b = moved ^ (generator.random(shape) < 0.01)
        yield f"blobs {index}", spacing, tolerance, instances(a, ndimage), instances(b, ndimage)
    for index, density in enumerate((0.03, 0.3, 0.7)):
        a, b = generator.random((2, 13, 12, 11)) < density
        yield f"noise {index}", (0.8, 1.1, 1.7), 1.0, a.astype(np.uint8), b.astype(np.uint8)
    boxes = np.zeros((2, 40, 30, 20), np.uint8)
    boxes[0, 0:12, 3:15, 0:9] = 1
    boxes[0, 20:33, 10:20, 12:20] = 2
    boxes[1, 1:14, 3:14, 0:9] = 1
    boxes[1, 22:33, 10:21, 12:20] = 2
    boxes[1, 36:40, 0:4, 0:4] = 3
    yield "boxes at the border", (0.7, 0.7, 2.5), 1.0, boxes[0], boxes[1]
    voxels = np.zeros((2, 9, 9, 9), np.uint8)
    voxels[0, 2, 3, 4] = voxels[1, 5, 3, 8] = 1
    yield "one voxel each", (0.6, 0.8, 1.4), 1.0, voxels[0], voxels[1]


def make_cases():
    cases = []
    for name, spacing, tolerance, reference, prediction in pairs():
        cases.append({"name": name, "shape": list(reference.shape), "spacing_mm": list(spacing),
                      "tolerance_mm": tolerance, "reference": stored(reference), "prediction": stored(prediction)})
    return {"tools": {}, "areas": [], "cases": cases}


def surface_distance_values(document):
    import surface_distance as peer
    from surface_distance import lookup_tables

    document["areas"] = [
        {"spacing_mm": list(s), "areas": lookup_tables.create_table_neighbour_code_to_surface_area(s).tolist()}
        for s in AREA_SPACINGS]
    for case in document["cases"]:
        found = peer.compute_surface_distances(loaded(case, "reference") > 0, loaded(case, "prediction") > 0,
                                               case["spacing_mm"])
        means = peer.compute_average_surface_distance(found)
        case["surface-distance"] = {
            "nsd_surfel": number(peer.compute_surface_dice_at_tolerance(found, case["tolerance_mm"])),
            "hd95_surfel_directed_max": number(peer.compute_robust_hausdorff(found, 95)),
            "hd_surfel": number(peer.compute_robust_hausdorff(found, 100)),
            "asd_surfel_directed_reference_to_prediction": number(means[0]),
            "asd_surfel_directed_prediction_to_reference": number(means[1])}


def monai_values(document):
    import torch
    from monai import metrics

    def tensor(mask):
        return torch.from_numpy((mask > 0).astype(np.float32))[None, None]

    for case in document["cases"]:
        reference, prediction = tensor(loaded(case, "reference")), tensor(loaded(case, "prediction"))
        shared = {"include_background": True, "spacing": case["spacing_mm"]}
        case["monai"] = {
            "nsd_voxel_edge": number(metrics.compute_surface_dice(
                prediction, reference, class_thresholds=[case["tolerance_mm"]], **shared)),
            "hd95_directed_max": number(metrics.compute_hausdorff_distance(
                prediction, reference, percentile=95, **shared)),
            "hd": number(metrics.compute_hausdorff_distance(prediction, reference, **shared)),
            "assd_pooled": number(metrics.compute_average_surface_distance(
                prediction, reference, symmetric=True, **shared)),
            "asd_prediction_to_reference": number(metrics.compute_average_surface_distance(
                prediction, reference, **shared))}


def panoptica_values(document):
    from panoptica import InputType, NaiveThresholdMatching, Panoptica_Evaluator
    from panoptica.metrics import Metric, assd, center_distance, hausdorff_distance
    from panoptica.metrics import normalized_surface_dice, relative_volume_difference

    evaluator = Panoptica_Evaluator(
        expected_input=InputType.UNMATCHED_INSTANCE, instance_metrics=[Metric.IOU], global_metrics=[],
        instance_matcher=NaiveThresholdMatching(matching_metric=Metric.IOU, matching_threshold=0.5))
    for case in document["cases"]:
        labels = loaded(case, "reference"), loaded(case, "prediction")
        masks = labels[0] > 0, labels[1] > 0
        spacing = tuple(case["spacing_mm"])
        case["panoptica"] = {
            "nsd_voxel_edge_mean_fraction": number(normalized_surface_dice._compute_normalized_surface_dice(
                *masks, voxelspacing=spacing, threshold=case["tolerance_mm"])),
            "hd95_pooled": number(hausdorff_distance._compute_hausdorff_distance95(*masks, voxelspacing=spacing)),
            "hd": number(hausdorff_distance._compute_hausdorff_distance(*masks, voxelspacing=spacing)),
            "assd_mean_directed": number(assd._average_symmetric_surface_distance(*masks, voxelspacing=spacing)),
            "centroid_distance": number(center_distance._compute_center_distance(*masks, voxelspacing=spacing)),
            "relative_volume_difference": number(
                relative_volume_difference._compute_relative_volume_difference(*masks))}
        if case["name"].startswith("noise"):
            continue  # components of noise are not the instances stored
        result = evaluator.evaluate(labels[1], labels[0], verbose=False)["ungrouped"]
        case["panoptica"].update({"pq_greedy_iou50": number(result.pq), "sq_greedy_iou50": number(result.sq),
                                  "rq_greedy_iou50": number(result.rq)})


TOOLS = {"surface-distance": (surface_distance_values, ("surface-distance", "numpy", "scipy")),
         "monai": (monai_values, ("monai", "torch", "numpy", "scipy")),
         "panoptica": (panoptica_values, ("panoptica", "numpy", "scipy"))}


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return __import__(package).__version__


def main():
    tool = sys.argv[1]
    if tool == "cases":
        document = make_cases()
    else:
        document = json.loads(TARGET.read_text())
        record, packages = TOOLS[tool]
        record(document)
        document["tools"][tool] = {
            "version": ", ".join(f"{name} {version_of(name)}" for name in packages),
            "command": f"python tests/reference/make_surface_reference.py {tool}"}
    TARGET.write_text(json.dumps(document, indent=0) + "\n")


if __name__ == "__main__":
    main()
