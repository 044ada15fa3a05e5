# SPDX-License-Identifier: BSD-2-Clause
"""Linear triangles: mass matrices, Laplace's equation, a flux on the boundary, advection and diffusion."""
from basix.ufl import element
from ufl import Coefficient, Constant, FunctionSpace, Mesh, SpatialCoordinate, TestFunction, TrialFunction
from ufl import ds, dot, dx, exp, grad, inner, pi

mesh = Mesh(element("Lagrange", "triangle", 1, shape=(2,)))
V = FunctionSpace(mesh, element("Lagrange", "triangle", 1))
W = FunctionSpace(mesh, element("Lagrange", "triangle", 1, shape=(2,)))
u, v, f = TrialFunction(V), TestFunction(V), Coefficient(V)
r, s, g = TrialFunction(W), TestFunction(W), Coefficient(W)

mass = u * v * dx
load = f * v * dx
vector_mass = inner(r, s) * dx
vector_load = inner(g, s) * dx
laplace = inner(grad(u), grad(v)) * dx
flux = v * ds

# A pulse that is carried by a constant wind and spreads; Crank and Nicolson's steps.
step, diffusivity, wind = Constant(mesh), Constant(mesh), Constant(mesh, shape=(2,))
change = (diffusivity * inner(grad(u), grad(v)) + dot(wind, grad(u)) * v) * dx
after = mass + step / 2 * change
before = mass - step / 2 * change

time, spread, speed = Constant(mesh), Constant(mesh), Constant(mesh, shape=(2,))
x = SpatialCoordinate(mesh)
way = x - speed * time
pulse = exp(-dot(way, way) / (4 * spread * time)) / (4 * pi * spread * time)
pulse_error = (f - pulse) ** 2 * dx(degree=6)

forms = [mass, load, vector_mass, vector_load, laplace, flux, after, before, pulse_error]
