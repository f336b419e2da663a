"""Ctrl-C reaches a long call at once, and what it leaves behind is nothing."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import fiducial
from fiducial import _native, metrics

LIMIT_S = 0.1


def interrupted_after(seconds, call):
    """How long a call goes on after SIGINT was sent `seconds` into it."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()
        timer.join()


def far_apart(shape=(110, 110, 110)):
    """Two scattered masks whose surfaces take a while to compare."""
    generator = np.random.default_rng(3)
    return generator.random(shape) < 0.2, generator.random(shape) < 0.2


def test_a_long_metric_stops():
    a, b = (fiducial.Mask(mask) for mask in far_apart())
    least = min(interrupted_after(0.15, lambda: metrics.evaluate(a, b, spacing=(1, 1, 1))) for _ in range(3))
    _native._join_leftovers()
    assert least < LIMIT_S


def test_a_long_demo_stops_and_leaves_no_folder(tmp_path):
    least = min(interrupted_after(0.3, lambda: fiducial.demo(tmp_path / "demo", cases=200)) for _ in range(3))
    _native._join_leftovers()
    assert least < LIMIT_S
    assert not (tmp_path / "demo").exists()


def test_the_reading_of_a_large_file_stops(tmp_path):
    import gzip

    header = bytearray(_header((512, 512, 600)))
    with gzip.open(tmp_path / "large.nii.gz", "wb", compresslevel=1) as file:
        file.write(header)
        for _ in range(600):
            file.write(bytes(512 * 512 * 2))
    volume = fiducial.Volume(tmp_path / "large.nii.gz")
    least = min(interrupted_after(0.05, lambda: [_native.read_volume(volume.path) for _ in range(20)]) for _ in range(3))
    assert least < LIMIT_S


def _header(shape):
    import nibabel

    image = nibabel.Nifti1Header()
    image.set_data_shape(shape)
    image.set_data_dtype("int16")
    image["magic"] = b"n+1"
    image["vox_offset"] = 352
    return image.binaryblock + bytes(4)


def test_the_next_call_is_not_stopped_by_an_earlier_signal(tmp_path):
    a, b = (fiducial.Mask(mask) for mask in far_apart())
    interrupted_after(0.1, lambda: [metrics.evaluate(a, b, spacing=(1, 1, 1)) for _ in range(9)])
    assert metrics.dice(a, a) == 1


def test_a_process_that_ends_right_after_ctrl_c_ends_cleanly(tmp_path):
    script = textwrap.dedent("""
        import os, signal, sys, threading
        import fiducial
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            fiducial.demo(sys.argv[1], cases=500)
        except KeyboardInterrupt:
            sys.exit(7)
    """)
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "demo")], capture_output=True, text=True)
    assert done.returncode == 7, done.stderr
    assert not (tmp_path / "demo").exists()


def test_other_threads_run_while_a_call_is_long():
    a, b = (fiducial.Mask(mask) for mask in far_apart((100, 100, 100)))
    thread = threading.Thread(target=lambda: metrics.evaluate(a, b, spacing=(1, 1, 1)))
    thread.start()
    steps = 0
    while thread.is_alive():
        steps += 1
        time.sleep(0.001)
    assert steps > 3
