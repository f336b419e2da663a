"""The `fiducial` command of a wheel: the native one beside this file takes over."""

import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "fiducial")
    os.execv(program, [program, *sys.argv[1:]])
