#!/usr/bin/env python3
"""Makes private copies of shared libraries, so that a process can hold another version of them beside ours.

    hide_libraries.py OUT LIBRARY...

Every copy is named fid... instead of lib..., in its file name, in its SONAME and in what the other copies need.
Symbols that the dynamic linker would share between all libraries of a process (STB_GNU_UNIQUE) become weak ones,
which each copy binds to its own, and DT_SYMBOLIC makes a copy look in itself first.
"""

import pathlib
import struct
import sys

DT_NULL, DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_SONAME, DT_SYMBOLIC, DT_GNU_HASH = 0, 1, 5, 6, 14, 16, 0x6FFFFEF5
STB_WEAK, STB_GNU_UNIQUE = 2, 10
PT_LOAD, PT_DYNAMIC = 1, 2


class Library:
    """A 64-bit little-endian ELF file, edited in place: nothing moves, no string changes its length."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.bytes = bytearray(self.path.read_bytes())
        if self.bytes[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{path}: not a 64-bit little-endian ELF file")
        table, = struct.unpack_from("<Q", self.bytes, 32)
        size, count = struct.unpack_from("<HH", self.bytes, 54)
        self.segments = [struct.unpack_from("<IIQQQQ", self.bytes, table + i * size) for i in range(count)]
        _, _, self.dynamic_at, _, _, self.dynamic_bytes = next(s for s in self.segments if s[0] == PT_DYNAMIC)

    def offset(self, address):
        for kind, _, offset, start, _, size in self.segments:
            if kind == PT_LOAD and start <= address < start + size:
                return offset + address - start
        sys.exit(f"{self.path}: address {address:#x} lies in no segment")

    def entries(self):
        """(place, tag, value) of the dynamic section, its empty end too."""
        for place in range(self.dynamic_at, self.dynamic_at + self.dynamic_bytes, 16):
            yield place, *struct.unpack_from("<QQ", self.bytes, place)

    def value(self, wanted):
        return next(value for _, tag, value in self.entries() if tag == wanted)

    def text(self, index):
        start = self.offset(self.value(DT_STRTAB)) + index
        return self.bytes[start:self.bytes.index(0, start)].decode()

    def rename(self, names):
        """Renames the library itself and what it needs, wherever names has another name of equal length."""
        strings = self.offset(self.value(DT_STRTAB))
        for _, tag, value in list(self.entries()):
            if tag in (DT_SONAME, DT_NEEDED):
                new = names.get(self.text(value), self.text(value)).encode()
                self.bytes[strings + value:strings + value + len(new)] = new

    def symbol_count(self):
        """One more than the highest index in the GNU hash table."""
        at = self.offset(self.value(DT_GNU_HASH))
        buckets, first, bloom = struct.unpack_from("<III", self.bytes, at)
        heads_at = at + 16 + 8 * bloom
        last = max(struct.unpack_from(f"<{buckets}I", self.bytes, heads_at))
        chain = heads_at + 4 * buckets
        while last >= first and not self.bytes[chain + 4 * (last - first)] & 1:
            last += 1
        return last + 1

    def bind_to_itself(self):
        table = self.offset(self.value(DT_SYMTAB))
        for index in range(self.symbol_count()):
            info_at = table + 24 * index + 4
            if self.bytes[info_at] >> 4 == STB_GNU_UNIQUE:
                self.bytes[info_at] = STB_WEAK << 4 | self.bytes[info_at] & 15
        empty = [place for place, tag, _ in self.entries() if tag == DT_NULL]
        if len(empty) > 1:
            struct.pack_into("<QQ", self.bytes, empty[0], DT_SYMBOLIC, 0)


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    libraries = [Library(path) for path in sys.argv[2:]]
    sonames = [library.text(library.value(DT_SONAME)) for library in libraries]
    names = {name: "fid" + name.removeprefix("lib") for name in sonames}
    for library, name in zip(libraries, sonames):
        library.rename(names)
        library.bind_to_itself()
        target = out / names[name]
        if not target.exists() or target.read_bytes() != library.bytes:
            target.write_bytes(library.bytes)
            target.chmod(0o755)
        print(target)


if __name__ == "__main__":
    main()
