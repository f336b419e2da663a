"""Python's json on every line of a JSONL file."""

import json
import pathlib
import sys

from repetitions import answer_repetitions

PATH = pathlib.Path(sys.argv[1]) / "jsonl" / "train.jsonl"


def read():
    with open(PATH, "rb") as file:
        for line in file:
            json.loads(line)


answer_repetitions(read)
