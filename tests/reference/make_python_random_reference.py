#!/usr/bin/env python3
"""Records what CPython's random.Random draws: tests/reference/python_random.json.

    python3 tests/reference/make_python_random_reference.py
"""

import json
import pathlib
import platform
import random

SEEDS = [0, 1, 2, 7, 42, 1234567, 2**31, 2**32 - 1, 2**32, 2**40 + 17, 2**63 - 1, 2**64 - 1]
SAMPLES = [(5, 5), (6, 3), (7, 4), (20, 4), (21, 4), (22, 4), (23, 5), (100, 5), (100, 6), (85, 6), (86, 6), (277, 30),
           (278, 30), (1000, 100), (5000, 4)]
BOUNDS = [1, 2, 3, 4, 5, 7, 8, 26, 1000, 2**31, 2**32 - 1, 2**32, 2**33 + 5, 2**63, 2**64 - 1]


def drawn(seed):
    generator = random.Random(seed)
    out = {"seed": str(seed), "outputs": [generator.getrandbits(32) for _ in range(8)]}
    for _ in range(1300):  # past two refills of the state
        generator.getrandbits(32)
    out["later"] = [generator.getrandbits(32) for _ in range(4)]
    out["wide"] = [str(generator.getrandbits(bits)) for bits in (1, 31, 33, 48, 63, 64)]
    out["below"] = [[str(bound), str(generator.randrange(bound))] for bound in BOUNDS]
    out["uniform"] = [generator.random() for _ in range(3)]
    out["samples"] = [[n, k, generator.sample(range(n), k)] for n, k in SAMPLES]
    items = list(range(40))
    generator.shuffle(items)
    out["shuffle"] = items
    out["after"] = generator.getrandbits(32)
    return out


def main():
    document = {"tool": f"CPython {platform.python_version()}, module random",
                "command": "python3 tests/reference/make_python_random_reference.py",
                "seeds": [drawn(seed) for seed in SEEDS]}
    path = pathlib.Path(__file__).with_name("python_random.json")
    path.write_text(json.dumps(document) + "\n")


if __name__ == "__main__":
    main()
