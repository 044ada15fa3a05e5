# SPDX-License-Identifier: BSD-2-Clause
"""Checks a trace of tests/tools/program.c: trace.py FILE RANKS DEVICE (1: with times of a device)."""
import json
import sys

path, ranks, device = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "1"
with open(path) as file:
    events = json.load(file)["traceEvents"]
heads = [e for e in events if e["ph"] == "M"]
spans = [e for e in events if e["ph"] == "X"]
assert len(heads) + len(spans) == len(events)
assert {e["pid"] for e in heads if e["name"] == "process_name"} == set(range(ranks))
track = {(e["pid"], e["tid"]): e["args"]["name"] for e in heads if e["name"] == "thread_name"}
last = {}
for e in spans:
    place = e["pid"], e["tid"]
    begin, end = e["ts"], e["ts"] + e["dur"]
    assert 0 <= begin <= end + 1e-9, e
    assert end >= last.get(place, 0) - 0.002, e  # an event is written when it ends
    last[place] = end


def on(rank, name):
    return [e for e in spans if e["pid"] == rank and track[rank, e["tid"]] == name]


for rank in range(ranks):
    loops = on(rank, "loops")
    assert [e["name"] for e in loops] == ["flux", "advance"] * 3, loops
    assert all(e["args"]["bytes"] > 0 for e in loops)
    assert {e["args"]["set"] for e in loops} == {"edges", "cells"}
    regions = on(rank, "regions")
    assert [e["name"] for e in regions] == ['a "step"'] * 3 + ["open"], regions
    for i, e in enumerate(loops):  # two loops in each region
        r = regions[i // 2]
        assert r["ts"] <= e["ts"] and e["ts"] + e["dur"] <= r["ts"] + r["dur"] + 0.002
    halos = on(rank, "halos")
    assert bool(halos) == (ranks > 1)
    assert all(e["name"] == "x" and e["args"]["bytes"] == 16 for e in halos), halos
    kernels = on(rank, "device")
    assert [e["name"] for e in kernels] == (["flux", "advance"] * 3 if device else []), kernels
    assert bool(on(rank, "transfers")) == device
    for host, kernel in zip(loops, kernels):  # one clock, but for the delay of a busy host
        assert kernel["ts"] > host["ts"] - 2e5, (host, kernel)
    if kernels:
        assert kernels[-1]["ts"] + kernels[-1]["dur"] < last[rank, 0] + 2e5
assert on(0, "compilations")
if ranks > 1:  # on one clock, the n-th loops of neighbours overlap or follow closely
    for a, b in zip(on(0, "loops"), on(1, "loops")):
        assert abs(a["ts"] - b["ts"]) < 5e6, (a, b)
