"""The surface-distance package on every finding: NSD at 1 and 2 mm, HD95, HD and mean distances.

Needs `surface-distance` with numpy < 1.24 (it uses names that later versions dropped). With VALUES as third
argument it prints the numbers instead, a line a finding.
"""

import sys
import warnings

import surface_distance
from repetitions import answer_repetitions, load_channels

warnings.simplefilter("ignore")  # of SciPy, about names the package uses
SPACING_MM = (0.75, 0.75, 1.12)
pairs = [(a > 0, b > 0) for a, b in zip(load_channels(sys.argv[1]), load_channels(sys.argv[2]))]


def values(reference, prediction):
    found = surface_distance.compute_surface_distances(reference, prediction, SPACING_MM)
    return [surface_distance.compute_surface_dice_at_tolerance(found, 1),
            surface_distance.compute_surface_dice_at_tolerance(found, 2),
            surface_distance.compute_robust_hausdorff(found, 95),
            surface_distance.compute_robust_hausdorff(found, 100),
            *surface_distance.compute_average_surface_distance(found)]


def compare_all():
    return [values(*pair) for pair in pairs]


if sys.argv[3:] == ["values"]:
    for row in compare_all():
        print(*map(repr, map(float, row)))
else:
    answer_repetitions(compare_all)
