# SPDX-License-Identifier: BSD-2-Clause
"""Poisson's equation with quadratic elements: -Laplace u = f, where u = sin(pi x) sin(pi y)."""
from basix.ufl import element
from ufl import Coefficient, FunctionSpace, Mesh, SpatialCoordinate, TestFunction, TrialFunction
from ufl import dx, grad, inner, pi, sin

mesh = Mesh(element("Lagrange", "triangle", 1, shape=(2,)))
V = FunctionSpace(mesh, element("Lagrange", "triangle", 2))
v, w, u = TestFunction(V), TrialFunction(V), Coefficient(V)
x = SpatialCoordinate(mesh)
exact = sin(pi * x[0]) * sin(pi * x[1])

a = inner(grad(w), grad(v)) * dx
L = 2 * pi**2 * exact * v * dx(degree=5)
error = (u - exact) ** 2 * dx(degree=7)

forms = [a, L, error]
