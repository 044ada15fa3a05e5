# SPDX-License-Identifier: BSD-2-Clause
"""A compressible neo-Hookean body with linear tetrahedra. Its forces are those of an exact solution, in which the
cross section at x turns by the angle `turn` x around the axis, and is 0 at x = 0, where the body is held."""
from basix.ufl import element
from ufl import Coefficient, Constant, FunctionSpace, Identity, Mesh, SpatialCoordinate, TestFunction, TrialFunction
from ufl import as_vector, cos, derivative, det, dx, grad, inner, inv, ln, sin, tr

mesh = Mesh(element("Lagrange", "tetrahedron", 1, shape=(3,)))
V = FunctionSpace(mesh, element("Lagrange", "tetrahedron", 1, shape=(3,)))
u, v, step = Coefficient(V), TestFunction(V), TrialFunction(V)
la, mu, turn = Constant(mesh), Constant(mesh), Constant(mesh)
x, y, z = SpatialCoordinate(mesh)
cosine, sine = cos(turn * x), sin(turn * x)
exact = as_vector([0, y * (cosine - 1) - z * sine, y * sine + z * (cosine - 1)])


def energy_density(w):
    F = Identity(3) + grad(w)
    return mu / 2 * (tr(F.T * F) - 3 - 2 * ln(det(F))) + la / 2 * ln(det(F)) ** 2


def stress(w):
    F = Identity(3) + grad(w)
    return mu * F + (la * ln(det(F)) - mu) * inv(F).T


F = (inner(stress(u), grad(v)) - inner(stress(exact), grad(v))) * dx(degree=3)
J = derivative(inner(stress(u), grad(v)) * dx(degree=0), u, step)
energy = energy_density(u) * dx(degree=0)
error = inner(u - exact, u - exact) * dx(degree=4)

forms = [F, J, energy, error]
