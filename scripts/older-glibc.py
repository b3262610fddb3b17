#!/usr/bin/env python3
"""Lets shared libraries load with an older glibc: scripts/older-glibc.py VERSION FILE...

Marks each file's need of a version of glibc's above VERSION (2.35) as weak, so the loader goes on without it. Before that,
patchelf has to unbind the symbols of that version: another library answers for them (scripts/package.sh).
"""
import struct
import sys

VERSION_NEEDS = 0x6FFFFFFE  # SHT_GNU_verneed
WEAK = 2  # VER_FLG_WEAK


def version_of(name):
    return tuple(int(n) for n in name.removeprefix("GLIBC_").split("."))


def weaken(path, newest):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    table, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
    for section in (s for s in sections if s[1] == VERSION_NEEDS):
        names, library, more = sections[section[6]][4], section[4], 1
        while more:
            _, versions, _, first, more = struct.unpack_from("<HHIII", data, library)
            at = library + first
            for _ in range(versions):
                _, flags, _, name, step = struct.unpack_from("<IHHII", data, at)
                text = data[names + name:data.index(0, names + name)].decode()
                if text.startswith("GLIBC_2") and version_of(text) > newest:
                    struct.pack_into("<H", data, at + 4, flags | WEAK)
                at += step
            library += more
    with open(path, "wb") as file:
        file.write(data)


for path in sys.argv[2:]:
    weaken(path, version_of(sys.argv[1]))
