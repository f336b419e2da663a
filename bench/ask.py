#!/usr/bin/env python3
"""`fiducial run` against a stand-in endpoint that answers after 50 ms: how much of the ideal it reaches with 256 connections
on one core, how fast it builds a request of 49 images, and whether its memory grows with the number of requests.

    python bench/ask.py --bin-dir build/release/bin --data build/bench-data

The ideal sends 256 requests every 50 ms. The runner has a core of its own, the stand-in the others. The first thousand requests
are not counted: the runner begins with 4 connections and doubles them every round.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from processes import arguments, timed

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "ask"))
sys.path.insert(0, str(HERE.parent / "tests"))
from scripted import Endpoint  # noqa: E402
from fixtures import medthink  # noqa: E402

CASES = 1_000
CLIMB = 1_000
LATENCY_S = 0.05
CONNECTIONS = 256
SHARE_AT_LEAST = 0.95
GROWTH_AT_MOST = 1.10
BUILD_AT_LEAST_GB_S = 1.0


def write_cases(folder, count):
    """Cases without images, so that latency is all that a request waits for."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number in range(1, count + 1):
        row = {key: value for key, value in medthink.row(number, "bench").items() if not key.startswith("image_")}
        rows.append({**row, "CLINICAL_HISTORY": f"A patient with cough, visit {number}.", "image_count": 1,
                     "image_01_id": "im", "image_01_path": "images/im.jpg", "image_01_caption": "A shadow.",
                     "image_01_modality": "CT", "image_01_sub_modality": "Contrast-enhanced CT"})
    medthink.write_rows(folder / "test.jsonl", rows)
    (folder / "images").mkdir(exist_ok=True)
    (folder / "images" / "im.jpg").write_bytes(medthink.jpeg_bytes(0))
    return folder


def run_cases(places, data, samples, endpoint, output):
    """Wall seconds, processor seconds and peak MB of one run on one core."""
    shutil.rmtree(output, ignore_errors=True)
    one_core = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    return timed([*one_core, str(places / "fiducial"), "run", str(data), "--workflow", "direct", "--image-budget", "0%",
                  "--model", "stand-in", "--endpoint", endpoint.url(), "--concurrency", str(CONNECTIONS), "--samples", str(samples),
                  "-o", str(output)])


def asked(places, folder, samples, repeat):
    """Median share of the ideal, processor time a request and peak memory of runs that ask about every case so often."""
    data = write_cases(folder / "cases", CASES)
    count = CASES * samples
    shares, processor, memory = [], [], []
    for _ in range(repeat):
        with Endpoint(places / "scripted_endpoint", folder / "endpoint", script={"latency_ms": int(1000 * LATENCY_S)}) as endpoint:
            wall, used, peak = run_cases(places, data, samples, endpoint, folder / "run")
            calls = endpoint.requests()
        if len(calls) != count:
            sys.exit(f"bench: {len(calls)} calls, not {count}")
        steady = calls[min(CLIMB, count // 2):]
        span = (steady[-1]["at_ms"] - steady[0]["at_ms"]) / 1000
        shares.append((len(steady) - 1) / CONNECTIONS * LATENCY_S / span)
        processor.append(1e6 * used / count)
        memory.append(peak)
    return statistics.median(shares), statistics.median(processor), statistics.median(memory)


def main():
    options = arguments(__doc__, repeat=3)
    places = options.bin_dir.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        _, _, small = asked(places, folder, 1, options.repeat)
        share, processor, large = asked(places, folder, 10, options.repeat)
    built = subprocess.run([places / "bench_ask"], check=True, capture_output=True, text=True).stdout.split()
    rows = {"ask/50ms_256_connections/share_of_ideal": (share, SHARE_AT_LEAST, share >= SHARE_AT_LEAST),
            "ask/50ms_256_connections/processor_us_a_request": (processor, None, True),
            "ask/49_images/built_GB_s": (float(built[0]), BUILD_AT_LEAST_GB_S, float(built[0]) >= BUILD_AT_LEAST_GB_S),
            "ask/10000_requests/memory_of_1000": (large / small, GROWTH_AT_MOST, large / small <= GROWTH_AT_MOST),
            "ask/10000_requests/peak_MB": (large, None, True)}
    for label, (value, goal, met) in rows.items():
        print(f"{label:52} {value:9.3f}  {'' if goal is None else f'goal {goal}'}{'' if met else '  MISSED'}")
    if options.json:
        options.json.write_text(json.dumps({label: row[0] for label, row in rows.items()}, indent=2) + "\n")
    return 0 if all(met for _, _, met in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
