"""Handles in forked and spawned processes, many threads at once, and memory that comes back."""

import gc
import multiprocessing
import os
import threading

import numpy as np
import pytest

import fiducial
from fiducial import metrics


def sample_sum(task):
    samples, index = task
    sample = samples[index]
    return sample["case"], sample["finding"], int(sample["mask"].sum()), int(sample["volume"].sum())


def scored(task):
    dataset, predictions = task
    return fiducial.score(dataset, predictions, threads=2).summary["metrics"]["dice_per_case"]["value"]


def case_facts(case):
    return case.name, [finding.mask.voxels for finding in case.findings], case.volume.hu.shape


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_handles_survive_in_workers(dataset, method):
    samples = dataset.samples()
    expected = [sample_sum((samples, index)) for index in range(len(samples))]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(sample_sum, [(samples, index) for index in range(len(samples))]) == expected
        assert pool.map(case_facts, list(dataset)) == [case_facts(case) for case in dataset]


def test_a_forked_child_uses_what_its_parent_opened(dataset, corpus):
    samples = dataset.samples()
    volume = dataset[0].volume
    volume.hu
    expected = scored((dataset, corpus / "predictions"))  # threads were used before the fork
    for _ in range(20):
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            fine = (scored((dataset, corpus / "predictions")) == expected and samples[1]["finding"] == 1
                    and volume[0, 0, 0] == volume.hu[0, 0, 0])
            os.write(write_end, b"y" if fine else b"n")
            os._exit(0)
        os.close(write_end)
        assert os.read(read_end, 1) == b"y"
        os.close(read_end)
        assert os.waitpid(child, 0)[1] == 0


def test_forking_while_threads_compute_is_harmless(dataset):
    mask = dataset[0].findings[0].mask
    stop = threading.Event()

    def work():
        while not stop.is_set():
            metrics.evaluate(mask, mask)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                os._exit(0 if metrics.dice(mask, mask) == 1 else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_many_threads_read_one_dataset(dataset):
    raised = []

    def work():
        try:
            for case in dataset:
                assert case.findings[0].mask.voxels > 0
                assert case.volume.hu.size > 0
                assert dataset[case.name].name == case.name
        except Exception as reason:  # noqa: BLE001
            raised.append(reason)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not raised


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def everything(dataset, corpus):
    for case in dataset:
        case.volume.hu, case._repr_html_()
        for finding in case.findings:
            finding.mask.dense(), finding.mask.runs
    card = fiducial.score(dataset, corpus / "predictions")
    card.rows().to_pandas(), card.rows().__arrow_c_stream__(), card._repr_html_()
    noise = np.random.default_rng(1).random((64, 64, 64)) < 0.3
    metrics.evaluate(noise, noise[::-1], spacing=(1, 1, 1))
    for bad in (noise.astype(float), noise[0]):
        with pytest.raises(fiducial.Error):
            metrics.dice(noise, bad)


def test_memory_comes_back(dataset, corpus):
    for _ in range(5):
        everything(dataset, corpus)
    gc.collect()
    before = resident_mb()
    for _ in range(12):
        everything(dataset, corpus)
    gc.collect()
    assert resident_mb() - before < 8


def test_volumes_and_masks_are_freed_with_their_last_view(tmp_path):
    values = np.ones((256, 256, 128), np.uint8)
    mask = fiducial.Mask(values)
    before = resident_mb()
    for _ in range(20):
        view = mask.dense()[1:]
        del view
    assert resident_mb() - before < 16
