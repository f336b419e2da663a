#!/usr/bin/env python3
"""A slow, obvious scorer with the command line and the rules of the published ReXGroundingCT scorer.

Written from the rules alone (docs/formats/rexrank.md), with nibabel, NumPy and SciPy: components by
scipy.ndimage.label, instances compared pair by pair over the whole volume. It shares no code with Fiducial.
"""

import argparse
import json
import os

import nibabel
import numpy
from scipy import ndimage

EPSILON = 1e-6
HIT = 0.1
MATCH = 0.2
MOST_COMPONENTS = 50


def dice(a, b):
    total = int(a.sum()) + int(b.sum())
    if total == 0:
        return 1.0
    return (2.0 * int(numpy.logical_and(a, b).sum()) + EPSILON) / (total + EPSILON)


def load(path):
    array = numpy.asarray(nibabel.load(path).dataobj)
    if array.ndim == 3:
        array = array[numpy.newaxis]
    if array.dtype.kind == "f":
        array = numpy.trunc(numpy.nan_to_num(array, nan=0.0, posinf=0.0, neginf=0.0)).astype(numpy.int64)
    return numpy.ascontiguousarray(array.astype(numpy.uint8))


def kept_components(mask, min_size, connectivity):
    labels, _ = ndimage.label(mask, structure=ndimage.generate_binary_structure(3, connectivity))
    sizes = numpy.bincount(labels.ravel())
    out = numpy.zeros_like(labels)
    kept_sizes = {}
    for old in range(1, len(sizes)):
        if sizes[old] >= min_size:
            new = len(kept_sizes) + 1
            out[labels == old] = new
            kept_sizes[new] = int(sizes[old])
    if len(kept_sizes) > MOST_COMPONENTS:
        by_size = sorted(kept_sizes, key=lambda label: (-kept_sizes[label], label))
        for label in by_size[MOST_COMPONENTS:]:
            out[out == label] = 0
    return out


def shares(tp, fp, fn):
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return precision, recall, f1


def match(reference, components):
    left_reference = [int(v) for v in numpy.unique(reference) if v]
    left_prediction = [int(v) for v in numpy.unique(components) if v]
    table = {(g, p): dice(reference == g, components == p) for g in left_reference for p in left_prediction}
    matches = []
    while left_reference and left_prediction:
        best = None
        for g in left_reference:
            for p in left_prediction:
                if best is None or table[g, p] > table[best]:
                    best = (g, p)
        if table[best] < MATCH:
            break
        matches.append({"gt_id": best[0], "pred_id": best[1], "dice": table[best]})
        left_reference.remove(best[0])
        left_prediction.remove(best[1])
    return matches, left_reference, left_prediction


def mean(values):
    return float(numpy.mean(values)) if len(values) else 0.0


def score_finding(reference, prediction, options):
    if options.global_only:
        value = dice(reference > 0, prediction > 0)
        return {"global_dice": value, "global_hit": value >= HIT}
    components = kept_components(prediction > 0, options.min_size, options.cc_connectivity)
    value = dice(reference > 0, components > 0)
    matches, unmatched_gt, unmatched_pred = match(reference, components)
    tp, fp, fn = len(matches), len(unmatched_pred), len(unmatched_gt)
    precision, recall, f1 = shares(tp, fp, fn)
    return {
        "global_dice": value,
        "global_hit": value >= HIT,
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "instance_precision": precision,
        "instance_recall": recall,
        "instance_f1": f1,
        "mean_matched_dice": mean([m["dice"] for m in matches]),
        "matched_instances": matches,
        "unmatched_gt": unmatched_gt,
        "unmatched_pred": unmatched_pred,
        "num_gt_instances": tp + fn,
        "num_pred_instances": tp + fp,
    }


def case_stats(findings, options):
    dices = [f["global_dice"] for f in findings]
    hits = sum(f["global_hit"] for f in findings)
    common = {
        "mean_global_dice": mean(dices),
        "hits": hits,
        "misses": len(findings) - hits,
        "hit_rate": hits / len(findings) if findings else 0.0,
        "finding_global_dice_list": dices,
    }
    if options.global_only:
        return common
    tp, fp, fn = (sum(f[key] for f in findings) for key in ("tp", "fp", "fn"))
    precision, recall, f1 = shares(tp, fp, fn)
    return common | {
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "gt_instances": tp + fn,
        "pred_instances": tp + fp,
        "mean_matched_dice": mean([f["mean_matched_dice"] for f in findings if f["tp"]]),
        "instance_precision": precision,
        "instance_recall": recall,
        "instance_f1": f1,
        "matched_dice_list": [m["dice"] for f in findings for m in f["matched_instances"]],
    }


def summary(cases, options):
    scored = [case for case in cases if "findings" in case]
    findings = [f for case in scored for f in case["findings"].values()]
    hits = sum(f["global_hit"] for f in findings)
    out = {
        "params": {"global_only": options.global_only, "global_hit_thr": HIT},
        "total_cases": len(scored),
        "total_findings": len(findings),
        "total_hits": hits,
        "total_misses": len(findings) - hits,
        "hit_rate": hits / len(findings) if findings else 0.0,
        "mean_global_dice_per_finding": mean([f["global_dice"] for f in findings]),
        "mean_global_dice_per_case": mean([case["case_stats"]["mean_global_dice"] for case in scored]),
        "mean_findings_per_case": len(findings) / len(scored) if scored else 0.0,
    }
    if options.global_only:
        return out
    out["params"] |= {
        "match_dice_thr": MATCH,
        "min_size": options.min_size,
        "cc_connectivity": options.cc_connectivity,
    }
    tp, fp, fn = (sum(f[key] for f in findings) for key in ("tp", "fp", "fn"))
    precision, recall, f1 = shares(tp, fp, fn)
    return out | {
        "total_tp": tp,
        "total_fp": fp,
        "total_fn": fn,
        "total_gt_instances": tp + fn,
        "total_pred_instances": tp + fp,
        "overall_instance_precision": precision,
        "overall_instance_recall": recall,
        "overall_instance_f1": f1,
        "mean_matched_dice_per_finding": mean([m["dice"] for f in findings for m in f["matched_instances"]]),
    }


def score_case(name, options):
    path = os.path.join(options.pred_dir, name)
    if not os.path.exists(path):
        return {"file": name, "error": "missing_prediction"}
    reference = load(os.path.join(options.gt_dir, name))
    prediction = load(path)
    if reference.shape != prediction.shape:
        raise ValueError(f"{name}: shapes differ: {reference.shape} and {prediction.shape}")
    findings = [score_finding(r, p, options) for r, p in zip(reference, prediction)]
    return {
        "file": name,
        "findings": {f"finding_{i}": f for i, f in enumerate(findings)},
        "case_stats": case_stats(findings, options),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gt_dir", required=True)
    parser.add_argument("--pred_dir", required=True)
    parser.add_argument("--output_json", required=True)
    parser.add_argument("--dataset_json", required=True)
    parser.add_argument("--num_workers", type=int, default=16)
    parser.add_argument("--global_only", action="store_true")
    parser.add_argument("--min_size", type=int, default=10)
    parser.add_argument("--cc_connectivity", type=int, choices=(1, 2, 3), default=2)
    options = parser.parse_args()
    with open(options.dataset_json, encoding="utf-8") as file:
        entries = json.load(file)["test"]
    names = sorted(os.path.basename(entry["seg_path"]) for entry in entries if "seg_path" in entry)
    cases = [score_case(name, options) for name in names]
    with open(options.output_json, "w", encoding="utf-8") as file:
        json.dump({"summary": summary(cases, options), "cases": cases}, file, indent=2)


if __name__ == "__main__":
    main()
