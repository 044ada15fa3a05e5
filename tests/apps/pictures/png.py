# SPDX-License-Identifier: BSD-2-Clause
"""Reads a PNG with a palette: chunks, checksums, size; at least 12 colours are used. png.py FILE"""
import struct
import sys
import zlib

with open(sys.argv[1], "rb") as file:
    data = file.read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "signature"
at, chunks = 8, {}
while at < len(data):
    (size,) = struct.unpack(">I", data[at : at + 4])
    kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
    (check,) = struct.unpack(">I", data[at + 8 + size : at + 12 + size])
    assert zlib.crc32(kind + body) == check, kind
    chunks[kind] = chunks.get(kind, b"") + body
    at += 12 + size
assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"], list(chunks)
width, height, bits, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
assert (bits, kind) == (8, 3), (bits, kind)
rows = zlib.decompress(chunks[b"IDAT"])
assert len(rows) == height * (width + 1), (len(rows), width, height)
assert not any(rows[:: width + 1]), "filters"
colours = set(rows)
assert max(colours) < len(chunks[b"PLTE"]) // 3, "palette"
assert len(colours) >= 12, f"{len(colours)} colours"
print(f"{width} x {height}, {len(colours)} colours, {len(data)} bytes")
