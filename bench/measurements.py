"""What is measured, and against what. One line an operation; rivals are the files of bench/rivals/."""

import dataclasses
import os
import sys
import typing


@dataclasses.dataclass(frozen=True)
class Measurement:
    name: str  # operation/variant
    command: typing.Callable  # of a case folder and the places of programs
    rival: str = ""  # the measurement it is divided by
    at_most: float | None = None  # goal for that ratio
    cold: bool = False  # a process a repetition, start and exit included

    @property
    def operation(self):
        return self.name.split("/")[0]

    def full_name(self, case):
        operation, variant = self.name.split("/")
        return f"{operation}/{case.name}/{variant}"


def mask_files(case):
    return [case / "segmentations" / "train_1_a_1.nii.gz", case / "predictions" / "train_1_a_1.nii.gz"]


def score_command(case, places, threads):
    return [places["bin"] / "fiducial", "score", case, case / "predictions", "-o", places["scratch"] / "scores",
            "--overwrite", "--threads", threads, "--no-report", "--metrics", "dice,hit,instances"]


def score(threads):
    return lambda case, places: score_command(case, places, threads)


def stage(name):
    return lambda case, places: [places["bin"] / "bench_stages", name, *mask_files(case)]


def program(name, mode):
    return lambda case, places: [places["bin"] / name, mode, *mask_files(case)]


def python(name):
    return lambda case, places: [sys.executable, places["rivals"] / name, *mask_files(case)]


MEASUREMENTS = [
    Measurement("inflate/libdeflate_fresh", program("rival_libdeflate", "fresh")),
    Measurement("inflate/libdeflate_warm", program("rival_libdeflate", "warm")),
    Measurement("inflate/isal_fresh", program("rival_isal", "fresh"), "inflate/libdeflate_fresh"),
    Measurement("inflate/isal_warm", program("rival_isal", "warm"), "inflate/libdeflate_warm"),
    Measurement("memset/warm", program("limit_memset", "warm")),
    Measurement("load/nibabel", python("nibabel_load.py")),
    Measurement("decode/runs", stage("decode"), "inflate/libdeflate_warm"),
    Measurement("label/scipy_c_order", python("scipy_label.py")),
    Measurement("label/cc3d", python("cc3d_label.py"), "label/scipy_c_order"),
    Measurement("components/from_bytes", stage("dense"), "label/scipy_c_order", at_most=0.2),
    Measurement("components/from_runs", stage("components"), "label/scipy_c_order", at_most=0.2),
    Measurement("dice/numpy", python("numpy_dice.py")),
    Measurement("dice/runs", stage("overlap"), "dice/numpy"),
    Measurement("score/1_thread_cold", score(1), "inflate/libdeflate_fresh", at_most=1.25, cold=True),
    Measurement("score/2_threads_cold", score(2), "inflate/libdeflate_fresh", cold=True),
]



def rows(stage):
    return lambda case, places: [places["bin"] / "bench_rows", stage, case]


def rows_rival(name, *words):
    return lambda case, places: [sys.executable, places["rivals"] / name, case, *words]


MEASUREMENTS += [
    Measurement("jsonl/python_json", rows_rival("json_rows.py")),
    Measurement("jsonl/all_cores", rows("jsonl"), "jsonl/python_json", at_most=1 / 10),
    Measurement("jsonl/1_thread", rows("jsonl_1_thread"), "jsonl/python_json"),
    Measurement("jsonl/all_cores_hashed", rows("jsonl_hashed"), "jsonl/python_json"),
    Measurement("parquet/pyarrow_rows", rows_rival("pyarrow_rows.py", "rows")),
    Measurement("parquet/pyarrow_columns", rows_rival("pyarrow_rows.py", "columns")),
    Measurement("parquet/rows", rows("parquet"), "parquet/pyarrow_rows", at_most=1),
]

# The surface-distance package needs an old NumPy, so it lives in an environment of its own (requirements/peers.txt).
SURFACE_DISTANCE_PYTHON = os.environ.get("FIDUCIAL_SURFACE_DISTANCE_PYTHON")


def surfaces(name):
    return lambda case, places: [places["bin"] / "bench_surfaces", name, *mask_files(case)]


if SURFACE_DISTANCE_PYTHON:
    MEASUREMENTS.append(Measurement("rouge/rouge_score", lambda case, places: [
        SURFACE_DISTANCE_PYTHON, places["rivals"] / "rouge_score_rival.py", case]))
    MEASUREMENTS.append(Measurement("surface/surface_distance", lambda case, places: [
        SURFACE_DISTANCE_PYTHON, places["rivals"] / "surface_distance_rival.py", *mask_files(case)]))
    MEASUREMENTS.append(Measurement("resample/simpleitk", lambda case, places: [
        SURFACE_DISTANCE_PYTHON, places["rivals"] / "simpleitk_resample.py", *mask_files(case)]))
MEASUREMENTS += [
    Measurement("rouge/1_thread", rows("rouge"), "rouge/rouge_score", at_most=1 / 100),
    Measurement("resample/labels_1x1x3_to_ct", stage("resample"), "resample/simpleitk", at_most=1),
    Measurement("surface/nsd", surfaces("nsd"), "surface/surface_distance", at_most=1 / 100),
    Measurement("surface/full", surfaces("full"), "surface/surface_distance", at_most=1 / 30),
    Measurement("surface/all_variants", surfaces("all"), "surface/surface_distance"),
]


def package(stage):
    return lambda case, places: [sys.executable, places["rivals"].parent / "python_stages.py", stage,
                                 places["bin"].parent / "python", case]


MEASUREMENTS += [
    Measurement("volume/nibabel_get_fdata", lambda case, places: [sys.executable, places["rivals"] / "nibabel_volume.py", case]),
    Measurement("volume/python", package("volume"), "volume/nibabel_get_fdata", at_most=1 / 3),
    Measurement("arrays/native", program("bench_arrays", "native")),
    Measurement("arrays/native_and_pass", program("bench_arrays", "native_and_pass")),
    Measurement("arrays/python", package("arrays"), "arrays/native_and_pass", at_most=1),
    Measurement("iterate/50_ms", lambda case, places: [sys.executable, places["rivals"] / "limit_ms.py", "50.0"]),
    Measurement("iterate/python_1000_cases", package("iterate"), "iterate/50_ms", at_most=1),
]


def reports(mode):
    return lambda case, places: [places["bin"] / "bench_reports", mode, case]


MEASUREMENTS += [
    Measurement("labels/read_bytes", reports("read")),
    Measurement("labels/20000_a_second", lambda case, places: [sys.executable, places["rivals"] / "limit_ms.py", "1000.0"]),
    Measurement("labels/rules", reports("labels"), "labels/20000_a_second", at_most=1),
    Measurement("labels/python_csv", lambda case, places: [sys.executable, places["rivals"] / "csv_rows.py", case]),
    Measurement("labels/command_cold", lambda case, places: [
        places["bin"] / "fiducial", "curate", "labels", case / "reports.csv", "-o", places["scratch"] / "labels.csv",
        "--overwrite"], "labels/python_csv", cold=True),
]


def organs(mode):
    return lambda case, places: [places["bin"] / "bench_masks", mode, case]


MEASUREMENTS += [
    Measurement("organs/one_of_210_tar_gz", organs("one_tar")),
    Measurement("organs/one_of_210_fmask", organs("one_fmask"), "organs/one_of_210_tar_gz", at_most=1 / 50),
    Measurement("organs/all_label_map", organs("all_labels")),
    Measurement("organs/all_fmask", organs("all_fmask"), "organs/all_label_map", at_most=1),
    Measurement("slice/inflated_up_to_it", organs("slice_inflated")),
    Measurement("slice/with_index", organs("slice_indexed"), "slice/inflated_up_to_it", at_most=1 / 20),
]


def answers(resamples):
    """The whole command on one thread, with every group."""
    return lambda case, places: [places["bin"] / "fiducial", "score", case, case / "answers.jsonl", "-o",
                                 places["scratch"] / "answers", "--overwrite", "--threads", 1, "--no-report",
                                 "--max-failures", "100%", "--resamples", resamples]


MEASUREMENTS += [
    Measurement("answers/1000_ms", lambda case, places: [sys.executable, places["rivals"] / "limit_ms.py", "1000.0"]),
    Measurement("answers/100_resamples_cold", answers(100), "answers/1000_ms", cold=True),
    Measurement("answers/10000_resamples_cold", answers(10000), "answers/1000_ms", at_most=1, cold=True),
]


def texts(case, places):
    """The whole command on one thread, with every metric of texts."""
    return [places["bin"] / "fiducial", "score", case / "jsonl", case / "steps.jsonl", "--split", "train", "--metrics", "all",
            "-o", places["scratch"] / "texts", "--overwrite", "--threads", 1, "--no-report", "--max-failures", "100%"]


def images(threads):
    return lambda case, places: [places["bin"] / "fiducial", "check", case, "--threads", threads]


MEASUREMENTS += [
    Measurement("texts/15000_ms", lambda case, places: [sys.executable, places["rivals"] / "limit_ms.py", "15000.0"]),
    Measurement("texts/1_thread_cold", texts, "texts/15000_ms", at_most=1, cold=True),
    Measurement("images/1_thread_cold", images(1), cold=True),
    Measurement("images/2_threads_cold", images(2), "images/1_thread_cold", at_most=0.7, cold=True),
]
