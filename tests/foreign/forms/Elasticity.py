"""Linear elasticity with a load, and its energy: vectors, constants, coefficients."""
import basix.ufl
from ufl import (Coefficient, Constant, FunctionSpace, Identity, Mesh, TestFunction, TrialFunction, dx,
                 grad, inner, sym, tr)

element = basix.ufl.element("Lagrange", "tetrahedron", 1, shape=(3,))
mesh = Mesh(element)
space = FunctionSpace(mesh, element)
u, v, load = TrialFunction(space), TestFunction(space), Coefficient(space)
mu = Constant(mesh)


def stress(w):
    return 2 * mu * sym(grad(w)) + tr(grad(w)) * Identity(3)


a = inner(stress(u), grad(v)) * dx
L = inner(load, v) * dx
M = inner(stress(load), grad(load)) * dx
forms = [a, L, M]
