# SPDX-License-Identifier: BSD-2-Clause
"""Interior facets: jumps of a discontinuous linear function and of its slope along the facet's normal."""
from basix.ufl import element
from ufl import Coefficient, FacetNormal, FunctionSpace, Mesh, TestFunction, TrialFunction, dS, dot, grad, jump

mesh = Mesh(element("Lagrange", "triangle", 1, shape=(2,)))
V = FunctionSpace(mesh, element("DG", "triangle", 1))
u, v, w = TrialFunction(V), TestFunction(V), Coefficient(V)
n = FacetNormal(mesh)

penalty = jump(u) * jump(v) * dS
square = jump(w) ** 2 * dS
slope = dot(grad(w)("+") - grad(w)("-"), n("+")) * dS

forms = [penalty, square, slope]
