"""Python's csv on every row of a table of reports."""

import csv
import pathlib
import sys

from repetitions import answer_repetitions

PATH = pathlib.Path(sys.argv[1]) / "reports.csv"


def read():
    with open(PATH, newline="", encoding="utf-8") as file:
        for _ in csv.reader(file):
            pass


answer_repetitions(read)
