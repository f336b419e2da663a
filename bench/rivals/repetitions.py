"""The Python side of repetitions.h: one timed repetition for every line of standard input."""

import sys
import time


def answer_repetitions(work):
    print("ready", flush=True)
    for _ in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"{1e3 * wall:.4f} {1e3 * cpu:.4f}", flush=True)


def load_channels(path):
    """Every finding of a mask file as a C-contiguous array of its own."""
    import nibabel
    import numpy

    volume = numpy.asarray(nibabel.load(path).dataobj)
    return [numpy.ascontiguousarray(channel) for channel in volume]
