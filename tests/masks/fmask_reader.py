"""A second reader of .fmask files, written from docs/formats/fmask.md alone: NumPy and zlib."""

import hashlib
import json
import struct
import zlib

import numpy as np


def varints(data):
    """The numbers of a payload: seven bits a byte, the lowest first."""
    raw = np.frombuffer(data, np.uint8).astype(np.uint64)
    ends = np.flatnonzero(raw < 128)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    if len(raw) == 0:
        return np.zeros(0, np.uint64)
    place = np.arange(len(raw)) - np.repeat(starts, ends - starts + 1)
    return np.add.reduceat((raw & 127) << (7 * place).astype(np.uint64), starts)


class Fmask:
    """Reads by ranges: read_at(offset, count) gives bytes, as a file or an HTTP server does."""

    def __init__(self, read_at, size):
        self.read_at, self.requests = read_at, 0
        tail = self.read(max(0, size - 65536), min(size, 65536))
        offset, stored, count = struct.unpack("<QII", tail[-56:-40])
        assert tail[-8:] == b"FMASKEND" and offset + stored + 56 == size
        index = tail[-56 - stored:-56] if stored + 56 <= len(tail) else self.read(offset, stored)
        text = zlib.decompress(index)
        assert len(text) == count and hashlib.sha256(text).digest() == tail[-40:-8]
        self.index = json.loads(text)
        assert self.index["schema"] == "fiducial.fmask/1"
        self.masks = {mask["name"]: mask for mask in self.index["masks"]}
        self.affine = np.array(self.index["affine"] + [[0, 0, 0, 1]], float)

    @classmethod
    def open(cls, path):
        with open(path, "rb") as file:
            data = file.read()
        return cls(lambda offset, count: data[offset:offset + count], len(data))

    def read(self, offset, count):
        self.requests += 1
        return self.read_at(offset, count)

    def voxels(self, name):
        mask = self.masks[name]
        payload = zlib.decompress(self.read(mask["offset"], mask["stored"]))
        assert len(payload) == mask["bytes"] and hashlib.sha256(payload).hexdigest() == mask["sha256"]
        runs = varints(payload).astype(np.int64).reshape(-1, 3 if mask["entities"] else 2)
        assert len(runs) == mask["runs"]
        ends = np.cumsum(runs[:, 0] + runs[:, 1])
        labels = runs[:, 2] if mask["entities"] else np.ones(len(runs), np.int64)
        steps = np.zeros(int(np.prod(self.index["extent"])) + 1, np.int64)
        np.add.at(steps, ends - runs[:, 1], labels)
        np.add.at(steps, ends, -labels)
        out = np.cumsum(steps[:-1]).reshape(self.index["extent"], order="F")
        assert np.count_nonzero(out) == mask["voxels"]
        return out
