"""pyarrow on one thread: every row of a Parquet file, batch by batch, as a dictionary."""

import pathlib
import sys

import pyarrow
import pyarrow.parquet
from repetitions import answer_repetitions

PATH = pathlib.Path(sys.argv[1]) / "parquet" / "train.parquet"


def as_rows():
    for batch in pyarrow.parquet.ParquetFile(PATH).iter_batches(256, use_threads=False):
        for row in batch.to_pylist():
            pass


def as_columns():
    for batch in pyarrow.parquet.ParquetFile(PATH).iter_batches(256, use_threads=False):
        pass


answer_repetitions(as_rows if sys.argv[2] == "rows" else as_columns)
