# SPDX-License-Identifier: BSD-2-Clause
"""Linear elasticity of an isotropic body with quadratic tetrahedra: -div sigma(u) = f."""
from basix.ufl import element
from ufl import Constant, FunctionSpace, Identity, Mesh, TestFunction, TrialFunction
from ufl import dx, grad, inner, sym, tr

mesh = Mesh(element("Lagrange", "tetrahedron", 1, shape=(3,)))
V = FunctionSpace(mesh, element("Lagrange", "tetrahedron", 2, shape=(3,)))
u, v = TrialFunction(V), TestFunction(V)
la, mu, f = Constant(mesh), Constant(mesh), Constant(mesh, shape=(3,))


def sigma(w):
    return la * tr(sym(grad(w))) * Identity(3) + 2 * mu * sym(grad(w))


a = inner(sigma(u), sym(grad(v))) * dx
L = inner(f, v) * dx

forms = [a, L]
