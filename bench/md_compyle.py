# SPDX-License-Identifier: BSD-2-Clause
"""Two-dimensional Lennard-Jones particles with Compyle: the reference of bench/md_compyle.

The case cells2d of apps/md: a lattice at rest in the middle of a box with soft walls, cutoff 3, velocity Verlet.
Every step bins the particles again and copies their positions bin by bin, so that the neighbours of a particle are
three contiguous runs. Usage: md_compyle.py PARTICLES STEPS; prints the total energy and million particle-steps per
second, without a first step that compiles.
"""
import math
import sys
import time

import numpy as np
from compyle.api import Elementwise, Scan, annotate, declare, get_config, wrap
from compyle.low_level import cast
from compyle.parallel import serial

SPACING, CUTOFF, DT = 1.5, 3.0, 0.02


@annotate
def drift(i, x, y, vx, vy, fx, fy, side, dt):
    x[i] += vx[i] * dt + fx[i] * (0.5 * dt * dt)
    y[i] += vy[i] * dt + fy[i] * (0.5 * dt * dt)
    vx[i] += fx[i] * (0.5 * dt)
    vy[i] += fy[i] * (0.5 * dt)


@serial
@annotate
def enter(i, x, y, across, bin, count):
    row, column = declare("int", 2)
    row = cast(y[i] / 3.0, "int")
    column = cast(x[i] / 3.0, "int")
    row = (row + 1) * across + column + 1
    bin[i] = row
    count[row] += 1


@annotate
def counted(i, count):
    return count[i]


@annotate
def begins(i, prev_item, begin):
    begin[i] = prev_item


@serial
@annotate
def arrange(i, x, y, bin, next, who, sx, sy):
    at = declare("int")
    at = next[bin[i]]
    next[bin[i]] = at + 1
    who[at] = i
    sx[at] = x[i]
    sy[at] = y[i]


@annotate
def feel(i, x, y, vx, vy, fx, fy, sx, sy, bin, begin, who, across, side, dt):
    row, k = declare("int", 2)
    xi, yi, gx, gy, dx, dy, r2, s, s6, w = declare("double", 10)
    xi = x[i]
    yi = y[i]
    gx = 0.0
    gy = 0.0
    if xi < 0.5:
        gx = 50.0 * (0.5 - xi)
    if xi > side - 0.5:
        gx = 50.0 * (side - 0.5 - xi)
    if yi < 0.5:
        gy = 50.0 * (0.5 - yi)
    if yi > side - 0.5:
        gy = 50.0 * (side - 0.5 - yi)
    for row in range(-1, 2):
        for k in range(begin[bin[i] + row * across - 1], begin[bin[i] + row * across + 2]):
            dx = xi - sx[k]
            dy = yi - sy[k]
            r2 = dx * dx + dy * dy
            if r2 < 9.0 and who[k] != i:
                s = 1.0 / r2
                s6 = s * s * s
                w = 48.0 * s6 * (s6 - 0.5) * s
                gx += w * dx
                gy += w * dy
    fx[i] = gx
    fy[i] = gy
    vx[i] += gx * (0.5 * dt)
    vy[i] += gy * (0.5 * dt)


class Simulation:
    def __init__(self, n):
        sites = math.ceil(math.sqrt(n))
        self.n, self.side = n, 3 * sites * SPACING
        first = (self.side - SPACING * sites) / 2
        place = np.arange(n)
        x = first + SPACING * (place // sites)
        y = first + SPACING * (place % sites)
        self.x, self.y = wrap(x, y, backend="cython")
        reals = [np.zeros(n) for _ in range(6)]
        self.vx, self.vy, self.fx, self.fy, self.sx, self.sy = wrap(*reals, backend="cython")
        self.across = int(self.side / CUTOFF) + 4
        self.bin, self.who = wrap(*[np.zeros(n, dtype=np.int32) for _ in range(2)], backend="cython")
        bins = [np.zeros(self.across**2 + 1, dtype=np.int32) for _ in range(3)]
        self.count, self.begin, self.next = wrap(*bins, backend="cython")
        self.drift, self.enter, self.arrange, self.feel = (
            Elementwise(f, backend="cython") for f in (drift, enter, arrange, feel))
        self.scan = Scan(counted, begins, "a+b", dtype=np.int32, backend="cython")

    def forces(self, dt):
        self.count.fill(0)
        self.enter(self.x, self.y, self.across, self.bin, self.count)
        self.scan(count=self.count, begin=self.begin)
        self.next.dev[:] = self.begin.dev
        self.arrange(self.x, self.y, self.bin, self.next, self.who, self.sx, self.sy)
        self.feel(self.x, self.y, self.vx, self.vy, self.fx, self.fy, self.sx, self.sy, self.bin, self.begin, self.who,
                  self.across, self.side, dt)

    def step(self):
        self.drift(self.x, self.y, self.vx, self.vy, self.fx, self.fy, self.side, DT)
        self.forces(DT)

    def energy(self):
        """By numpy, from bins of the current positions; not timed."""
        potential = 25 * sum(float(np.sum(np.maximum(0, 0.5 - a.dev) ** 2 + np.maximum(0, a.dev - self.side + 0.5) ** 2))
                             for a in (self.x, self.y))
        begin, across, sx, sy = self.begin.dev, self.across, self.sx.dev, self.sy.dev
        own = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
        for shift in range(-2 * across, 2 * across + 1):
            if abs((shift + across + across // 2) % across - across // 2) > 1 or abs(shift) > across + 1:
                continue
            first = begin[np.clip(own + shift, 0, len(begin) - 2)]
            last = begin[np.clip(own + shift, 0, len(begin) - 2) + 1]
            for k in range(int(np.max(last - first, initial=0))):
                here = np.nonzero(first + k < last)[0]
                other = first[here] + k
                r2 = (sx[here] - sx[other]) ** 2 + (sy[here] - sy[other]) ** 2
                r2 = r2[(other > here) & (r2 < CUTOFF**2)]
                potential += float(np.sum(4 * (r2**-6 - r2**-3)))
        return potential + 0.5 * float(np.sum(self.vx.dev**2 + self.vy.dev**2))


def main():
    n, steps = int(sys.argv[1]), int(sys.argv[2])
    get_config().use_openmp = False
    warm = Simulation(64)
    warm.step()
    simulation = Simulation(n)
    simulation.forces(0.0)
    start = time.perf_counter()
    for _ in range(steps):
        simulation.step()
    seconds = time.perf_counter() - start
    print("compyle: total %.15g, %.3f M particle-steps/s" % (simulation.energy(), 1e-6 * n * steps / seconds))


main()
