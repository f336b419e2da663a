"""The published scoring rules in the most obvious Python: what every measured score is checked against."""

import nibabel
import numpy
from scipy import ndimage

EPSILON = 1e-6
MIN_VOXELS = 10
MAX_COMPONENTS = 50
MATCH_DICE = 0.2


def dice(both, reference, prediction):
    return (2 * both + EPSILON) / (reference + prediction + EPSILON)


def box_around(mask):
    """The least box that holds the mask; background outside it changes no number."""
    found = ndimage.find_objects(mask.astype(numpy.uint8))
    return found[0] if found else (slice(0, 0),) * 3


def component_sizes(mask):
    labels, count = ndimage.label(mask, structure=ndimage.generate_binary_structure(3, 2))
    return labels, numpy.bincount(labels.ravel(), minlength=count + 1)[1:]


def kept_components(sizes):
    """Ids of the components that count: no small ones, and the largest if they are many."""
    ids = [i + 1 for i, size in enumerate(sizes) if size >= MIN_VOXELS]
    return sorted(ids, key=lambda i: -sizes[i - 1])[:MAX_COMPONENTS]


def greedy_matches(reference, labels, kept):
    pairs = []
    for instance in numpy.unique(reference[reference > 0]):
        inside = reference == instance
        shared = numpy.bincount(labels[inside], minlength=labels.max() + 1)
        for component in kept:
            if shared[component] > 0:
                size = numpy.count_nonzero(labels == component)
                pairs.append((-dice(int(shared[component]), numpy.count_nonzero(inside), size), instance, component))
    used_instances, used_components = set(), set()
    for negative_dice, instance, component in sorted(pairs):
        if -negative_dice >= MATCH_DICE and instance not in used_instances and component not in used_components:
            used_instances.add(instance)
            used_components.add(component)
    return len(used_instances)


def score_finding(reference, prediction):
    box = box_around((reference > 0) | (prediction > 0))
    reference, prediction = numpy.ascontiguousarray(reference[box]), numpy.ascontiguousarray(prediction[box])
    labels, sizes = component_sizes(prediction > 0)
    kept = kept_components(sizes)
    filtered = numpy.isin(labels, kept)
    voxels = numpy.count_nonzero(reference)
    tp = greedy_matches(reference, labels, kept)
    return {
        "dice": 2 * numpy.count_nonzero((reference > 0) & (prediction > 0)) / (
            voxels + numpy.count_nonzero(prediction)),
        "dice_filtered": dice(numpy.count_nonzero((reference > 0) & filtered), voxels,
                              numpy.count_nonzero(filtered)),
        "tp": tp,
        "fp": len(kept) - tp,
        "fn": len(numpy.unique(reference[reference > 0])) - tp,
        "component_sizes": sizes.tolist(),
    }


def score_case(reference_path, prediction_path):
    reference = numpy.asarray(nibabel.load(reference_path).dataobj)
    prediction = numpy.asarray(nibabel.load(prediction_path).dataobj)
    return [score_finding(a, b) for a, b in zip(reference, prediction)]
