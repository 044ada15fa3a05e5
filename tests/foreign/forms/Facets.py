"""A jump across facets of curved triangles, and functions of a coefficient."""
import basix.ufl
from ufl import (Coefficient, FacetNormal, FunctionSpace, Mesh, TestFunction, TrialFunction, avg, bessel_J,
                 bessel_Y, dS, ds, dx, cos, exp, grad, inner, jump, sqrt)

mesh = Mesh(basix.ufl.element("Lagrange", "triangle", 2, shape=(2,)))
space = FunctionSpace(mesh, basix.ufl.element("Lagrange", "triangle", 2))
u, v, f = TrialFunction(space), TestFunction(space), Coefficient(space)
n = FacetNormal(mesh)

a = inner(sqrt(f) * grad(u), grad(v)) * dx - inner(avg(grad(u)), jump(v, n)) * dS
L = (exp(f) * cos(f) + bessel_J(1, f) + bessel_Y(2, f)) * v * dx + f * v * ds
forms = [a, L]
