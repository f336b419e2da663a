"""A running `fiducial serve`, and readers of what it sends that share no code with it."""

import gzip
import http.client
import json
import subprocess
import urllib.parse
import zlib

import numpy


class Served:
    """The command on some paths, on a port of its own; ends with the block."""

    def __init__(self, fiducial, *arguments):
        self.process = subprocess.Popen([fiducial, "serve", *map(str, arguments), "--port", "0"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.process.stderr.read()
        self.port = urllib.parse.urlsplit(self.url).port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()
        self.process.stderr.close()

    def ask(self, path, method="GET", **fields):
        """Status, fields in lower case, and the body as it was sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, headers=fields)
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, body

    def bytes(self, path, **fields):
        status, _, body = self.ask(path, **fields)
        assert status == 200, (path, status, body[:400])
        return body

    def json(self, path):
        return json.loads(self.bytes(path))


def addressed(text):
    return urllib.parse.quote(text, safe="")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def runs(data):
    """A runs container as {id: array of entities, indexed [x, y, z]}."""
    assert data[:4] == b"FRUN" and data[4] == 1
    entities = data[5] == 1
    nx, ny, nz, count = (int(value) for value in numpy.frombuffer(data, "<u4", 4, 8))
    entries = [(numpy.frombuffer(data, "<u4", 3, 24 + 24 * i), numpy.frombuffer(data, "<u2", 6, 36 + 24 * i))
               for i in range(count)]
    at, out = 24 + 24 * count, {}
    for (number, size, of_mask), box in entries:
        flat = numpy.zeros(nx * ny * nz, numpy.int32)
        end, position = 0, at
        for _ in range(of_mask):
            gap, position = varint(data, position)
            length, position = varint(data, position)
            entity, position = varint(data, position) if entities else (1, position)
            flat[end + gap:end + gap + length] = entity
            end += gap + length
        assert position == at + size
        at = position
        mask = flat.reshape(nz, ny, nx).transpose(2, 1, 0)
        found = numpy.argwhere(mask)
        tight = numpy.stack([found.min(0), found.max(0) + 1], 1).ravel() if len(found) else numpy.zeros(6)
        assert (tight == box).all(), (tight, box)
        out[int(number)] = mask
    assert at == len(data)
    return out


def packed_slab(body, nx):
    """A slab with coding=dp as rows of values."""
    data = numpy.frombuffer(gzip.decompress(body), "u1")
    half = len(data) // 2
    code = data[:half].astype(numpy.uint16) | data[half:].astype(numpy.uint16) << 8
    step = (code >> 1) ^ (-(code & 1).astype(numpy.int32)).astype(numpy.uint16)
    return numpy.cumsum(step.reshape(-1, nx), 1, dtype=numpy.uint16).astype(numpy.int16)


def png(body):
    """An 8-bit RGB PNG as [row, column, channel]."""
    assert body[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(body):
        size, kind = int.from_bytes(body[at:at + 4], "big"), body[at + 4:at + 8]
        if kind == b"IHDR":
            width, height = (int.from_bytes(body[at + 8 + i:at + 12 + i], "big") for i in (0, 4))
            assert body[at + 16] == 8 and body[at + 17] == 2 and body[at + 20] == 0
        if kind == b"IDAT":
            data += body[at + 8:at + 8 + size]
        at += 12 + size
    lines = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 1 + 3 * width)
    out = numpy.zeros((height + 1, width + 1, 3), numpy.int32)
    for y in range(height):
        kind, line = lines[y, 0], lines[y, 1:].reshape(width, 3).astype(numpy.int32)
        for x in range(width):
            left, up, corner = out[y + 1, x], out[y, x + 1], out[y, x]
            guess = left + up - corner
            nearest = [abs(guess - one) for one in (left, up, corner)]
            paeth = numpy.where((nearest[0] <= nearest[1]) & (nearest[0] <= nearest[2]), left,
                                numpy.where(nearest[1] <= nearest[2], up, corner))
            add = [0, left, up, (left + up) // 2, paeth][kind]
            out[y + 1, x + 1] = (line[x] + add) % 256
    return out[1:, 1:].astype(numpy.uint8)
