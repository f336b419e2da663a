"""Writes a dataset.json whose counts are those ReXGroundingCT publishes; names, texts and sizes are made up.

published.py challenge|base FOLDER. Of the base release's val split only the totals are published.
"""

import json
import sys

CODES = ["1a", "1b", "1c", "1d", "1e", "1f", "2a", "2b", "2c", "2d", "2e", "2f", "2g", "2h"]
TRAIN = [236, 282, 446, 194, 314, 150, 1120, 1367, 1507, 1743, 237, 16, 18, 57]
# Train: 1 -> 3231, 2 -> 1976, 3 -> 2271, above 3 -> 209 of which the greatest is 11, and a mean of 1.95.
TRAIN_ENTITIES = [1] * 3231 + [2] * 1976 + [3] * 2271 + [4] * 42 + [5] * 166 + [11]
RELEASES = {
    "challenge": {
        "scans": {"train": 2992, "val": 200, "test": 300},
        "categories": {"train": TRAIN,
                       "val": [3, 11, 17, 6, 11, 4, 69, 49, 60, 132, 11, 0, 1, 7],
                       "test": [6, 11, 27, 9, 16, 4, 113, 89, 87, 190, 27, 0, 1, 2]},
        "entities": {"val": (1414, 36), "test": (582, 1)},  # test: a placeholder of one
        "unique_texts": 6926, "patients": 3063, "shared": {("train", "val"): 2, ("train", "test"): 4, ("val", "test"): 5},
    },
    "base": {
        "scans": {"train": 2992, "val": 50, "test": 100},
        "categories": {"train": TRAIN,
                       "val": [1, 3, 5, 2, 3, 1, 21, 15, 18, 40, 3, 0, 1, 2],
                       "test": [1, 4, 17, 6, 7, 3, 49, 36, 36, 58, 7, 0, 1, 1]},
        "entities": {"val": (437, 30), "test": (859, 30)},  # together 1296, a mean of 3.80
        "unique_texts": 6500, "patients": 2900, "shared": {("train", "test"): 1},
    },
}
MOST_FINDINGS = {"train": 13, "val": 5, "test": 8}
SCANS_WITH_ONE = {"train": 1056}  # of other splits: a third
PROTOCOL1_IN_TRAIN = 1400


def spread(total, things, least, most):
    """That many counts, at least `least`, with the given sum; the first is `most`."""
    counts = [most] + [least] * (things - 1)
    for place in range(total - sum(counts)):
        counts[1 + place % (things - 1)] += 1
    return counts


def findings_per_scan(split, scans, findings):
    ones = SCANS_WITH_ONE.get(split, scans // 3)
    return [1] * ones + spread(findings - ones, scans - ones, 2 if findings - ones >= 2 * (scans - ones) else 1,
                               MOST_FINDINGS[split])


def patients_of(release):
    """The patient of every scan: those that splits share first, then new ones; train uses some more than once."""
    out = {split: [] for split in release["scans"]}
    serial = 0
    for pair, count in release["shared"].items():
        for _ in range(count):
            serial += 1
            for split in pair:
                out[split].append(serial)
    for split in ("val", "test"):
        new = release["scans"][split] - len(out[split])
        out[split] += range(serial + 1, serial + 1 + new)
        serial += new
    only_train = release["patients"] - serial
    new = release["scans"]["train"] - len(out["train"])
    out["train"] += [serial + 1 + index % only_train for index in range(new)]
    return out


def entry(name, protocol, findings):
    keys = [str(key) for key in range(len(findings))]
    columns = {field: dict(zip(keys, (finding[field] for finding in findings))) for field in findings[0]}
    return {"name": name, "shape": [512, 512, 300], "protocol": protocol} | columns


def split_entries(split, release, patients, first_finding):
    categories = [code for code, count in zip(CODES, release["categories"][split]) for _ in range(count)]
    entities = TRAIN_ENTITIES if split == "train" else spread(release["entities"][split][0], len(categories), 1,
                                                              release["entities"][split][1])
    entries, seen, at = [], {}, 0
    for index, size in enumerate(findings_per_scan(split, release["scans"][split], len(categories))):
        seen[patients[index]] = scan = seen.get(patients[index], 0) + 1
        name = f"train_{patients[index]}_{chr(96 + scan)}_{1 + list(release['scans']).index(split)}.nii.gz"
        findings = [{"findings": f"finding {min(first_finding + number, release['unique_texts'] - 1)}",
                     "entity_counts": entities[number],
                     "pixels": 10 + (first_finding + number) ** 2 % 100003,
                     "categories": categories[number]} for number in range(at, at + size)]
        protocol = "protocol1" if split == "train" and index < PROTOCOL1_IN_TRAIN else "protocol2"
        entries.append(entry(name, protocol, findings))
        at += size
    return entries


def main(kind, folder):
    release = RELEASES[kind]
    patients = patients_of(release)
    document, findings = {}, 0
    for split in release["scans"]:
        document[split] = split_entries(split, release, patients[split], findings)
        findings += sum(release["categories"][split])
    with open(f"{folder}/dataset.json", "w") as file:
        json.dump(document, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
