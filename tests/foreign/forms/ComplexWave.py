"""The Helmholtz equation with a complex wave number."""
import basix.ufl
from ufl import Coefficient, Constant, FunctionSpace, Mesh, TestFunction, TrialFunction, dx, grad, inner

mesh = Mesh(basix.ufl.element("Lagrange", "quadrilateral", 1, shape=(2,)))
space = FunctionSpace(mesh, basix.ufl.element("Lagrange", "quadrilateral", 2))
u, v, f = TrialFunction(space), TestFunction(space), Coefficient(space)
k = Constant(mesh)

a = inner(grad(u), grad(v)) * dx - (k * k + 0.5j) * inner(u, v) * dx
L = inner(f, v) * dx
forms = [a, L]
