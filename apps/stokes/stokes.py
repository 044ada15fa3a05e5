# SPDX-License-Identifier: BSD-2-Clause
"""Stokes flow with elements of Taylor and Hood: -Laplace u + grad p = f, div u = 0, with an exact solution."""
from basix.ufl import element, mixed_element
from ufl import Coefficient, Constant, FunctionSpace, Mesh, SpatialCoordinate, TestFunctions, TrialFunctions
from ufl import as_vector, cos, div, dx, grad, inner, pi, sin, split

mesh = Mesh(element("Lagrange", "triangle", 1, shape=(2,)))
W = FunctionSpace(mesh, mixed_element([element("Lagrange", "triangle", 2, shape=(2,)),
                                       element("Lagrange", "triangle", 1)]))
u, p = TrialFunctions(W)
v, q = TestFunctions(W)
flow, pressure = split(Coefficient(W))
mean = Constant(mesh)

x = SpatialCoordinate(mesh)
stream = (sin(pi * x[0]) * sin(pi * x[1])) ** 2
exact_u = as_vector([stream.dx(1), -stream.dx(0)])
exact_p = cos(pi * x[0]) * cos(pi * x[1])
f = -div(grad(exact_u)) + grad(exact_p)

a = (inner(grad(u), grad(v)) - p * div(v) - q * div(u)) * dx
blocks = (inner(grad(u), grad(v)) + p * q) * dx
L = inner(f, v) * dx(degree=6)
average = pressure * dx
flow_error = inner(flow - exact_u, flow - exact_u) * dx(degree=7)
pressure_error = (pressure - mean - exact_p) ** 2 * dx(degree=7)

forms = [a, blocks, L, average, flow_error, pressure_error]
