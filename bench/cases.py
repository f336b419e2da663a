"""The generated cases."""

import dataclasses
import pathlib
import subprocess
import sys

PYTHON_OPERATIONS = ("volume", "arrays", "iterate")
REPORT_OPERATIONS = ("labels",)
ROW_OPERATIONS = ("jsonl", "parquet", "rouge", "texts")
ANSWER_OPERATIONS = ("answers",)
ORGAN_OPERATIONS = ("organs", "slice")
IMAGE_OPERATIONS = ("images",)
HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    workload: str  # as bench_case knows it
    gzip_level: int
    operations: tuple = ()  # those measured on it; all but the Python ones when empty

    def takes(self, operation):
        if self.operations:
            return operation in self.operations
        return operation not in (*PYTHON_OPERATIONS, *REPORT_OPERATIONS, *ROW_OPERATIONS, *ANSWER_OPERATIONS,
                             *IMAGE_OPERATIONS, *ORGAN_OPERATIONS)

    def make(self, bin_dir, data):
        """The folder of the case, written by bench_case unless it is there already."""
        folder = pathlib.Path(data) / self.name
        if self.workload == "reports":
            print(f"\n{self.name}: 20,000 reports of 22 sentences", flush=True)
            subprocess.run([bin_dir / "bench_reports", "make", folder], check=True)
            return folder
        if self.workload == "organs":
            print(f"\n{self.name}: 210 organs of one case, and a CT", flush=True)
            subprocess.run([bin_dir / "bench_masks", "make", folder], check=True)
            return folder
        if self.workload == "rows":
            print(f"\n{self.name}: rows of diagnostic cases and pairs of captions", flush=True)
            subprocess.run([sys.executable, HERE / "diagnosis_cases.py", folder], check=True)
            return folder
        if self.workload == "images":
            print(f"\n{self.name}: 1,000 cases with images", flush=True)
            subprocess.run([sys.executable, HERE / "images.py", folder, "1000"], check=True)
            return folder
        if self.workload.isdigit():
            print(f"\n{self.name}: answers to {self.workload} questions", flush=True)
            subprocess.run([sys.executable, HERE / "answers.py", folder, self.workload], check=True)
            return folder
        print(f"\n{self.name}: {self.workload} written at gzip level {self.gzip_level}", flush=True)
        subprocess.run([bin_dir / "bench_case", self.workload, str(self.gzip_level), folder], check=True)
        return folder


CASES = [
    Case("f8_level1", "f8", 1),
    Case("f8_level6", "f8", 6, operations=("inflate", "decode", "score")),
    Case("f2_level1", "f2", 1),
    Case("python_f2", "f2", 1, operations=PYTHON_OPERATIONS),
    Case("reports_20k", "reports", 0, operations=REPORT_OPERATIONS),
    Case("rows_84_mb", "rows", 0, operations=ROW_OPERATIONS),
    Case("organs_210", "organs", 0, operations=ORGAN_OPERATIONS),
    Case("images_6000", "images", 0, operations=IMAGE_OPERATIONS),
    Case("questions_720", "720", 0, operations=ANSWER_OPERATIONS),
    Case("questions_8067", "8067", 0, operations=ANSWER_OPERATIONS),
]
