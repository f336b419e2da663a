"""Commands timed as processes from start to exit, and the arguments of the scripts that do so."""

import argparse
import os
import pathlib
import subprocess
import sys
import time


def timed(command):
    """Wall seconds, processor seconds and peak MB of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"bench: {' '.join(command)} ended with status {status}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def arguments(description, repeat):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--repeat", type=int, default=repeat)
    parser.add_argument("--json", type=pathlib.Path, help="also write the numbers here")
    parser.add_argument("--against", type=pathlib.Path, help="binaries of another build, to be timed in turns with these")
    return parser.parse_args()
