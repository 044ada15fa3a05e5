# SPDX-License-Identifier: BSD-2-Clause
"""Compares the solutions of poisson, elasticity, stokes and hyperelasticity with those of DOLFINx.

python3 solutions.py APPS FOLDER: APPS holds the forms of the programs, FOLDER the files that they wrote with --save.
DOLFINx assembles the same forms on the same mesh; its systems are solved directly, as dense ones. Exits with 77 without DOLFINx.
"""
import runpy
import sys
from pathlib import Path

try:
    import h5py
    import numpy as np
    import ufl
    from basix.ufl import element
    from dolfinx import fem, mesh
    from mpi4py import MPI
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

EDGES = {2: [(1, 2), (0, 2), (0, 1)], 3: [(2, 3), (1, 3), (1, 2), (0, 3), (0, 2), (0, 1)]}


class Saved:
    """The objects of a program."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.dat = {name: np.array(d) for name, d in file["dats"].items()}
            self.map = {name: np.array(m) for name, m in file["maps"].items()}
            self.value = {name: np.array(g).ravel() for name, g in file.get("globals", {}).items()}
        corner = self.map["corner"]
        self.dim = corner.shape[1] - 1
        self.place = self.dat["x"][:, :self.dim]

    def nodes(self):
        """The places of the nodes of quadratic elements: vertices, then middles of edges, in each cell."""
        corner, node = self.map["corner"], self.map.get("node", self.map.get("dof"))
        place = np.zeros((node.max() + 1, self.dim))
        n = self.dim + 1
        place[node[:, :n]] = self.place[corner]
        for e, (i, j) in enumerate(EDGES[self.dim]):
            place[node[:, n + e]] = (self.place[corner[:, i]] + self.place[corner[:, j]]) / 2
        return place


class Problem:
    """DOLFINx's mesh and space, and forms of a program on them."""

    def __init__(self, saved, forms):
        cell = {2: "triangle", 3: "tetrahedron"}[saved.dim]
        self.mesh = mesh.create_mesh(MPI.COMM_SELF, cells=saved.map["corner"].astype(np.int64), x=saved.place,
                                     e=element("Lagrange", cell, 1, shape=(saved.dim,)))
        self.text = runpy.run_path(str(forms))
        self.space = fem.functionspace(self.mesh, self.text.get("V", self.text.get("W")).ufl_element())
        self.constants = {}

    def set(self, name, value):
        """The value of a constant of the forms."""
        self.constants[self.text[name]] = fem.Constant(self.mesh, np.array(value, dtype=np.float64))

    def form(self, name, u=None):
        form = self.text[name]
        compiled = fem.compile_form(MPI.COMM_SELF, form)
        coefficients = {c: u for c in form.coefficients()}
        constants = {c: self.constants[c] for c in form.constants()}
        return fem.create_form(compiled, [self.space] * len(form.arguments()), self.mesh, {}, coefficients, constants)

    def system(self, a, L, bcs, u=None):
        matrix = fem.assemble_matrix(self.form(a, u), bcs=bcs)
        matrix.scatter_reverse()
        right = fem.assemble_vector(self.form(L, u)).array.copy()
        for bc in bcs:
            dofs, _ = bc.dof_indices()
            right[dofs] = 0
        return matrix.to_dense(), right

    def held(self, where, space=None):
        """The condition u = 0 at nodes where the function of their places is true."""
        if space is None:
            dofs = fem.locate_dofs_geometrical(self.space, where)
            return fem.dirichletbc(np.zeros(self.space.dofmap.index_map_bs) if self.space.dofmap.index_map_bs > 1
                                   else np.float64(0), dofs, self.space)
        collapsed, _ = space.collapse()
        zero = fem.Function(collapsed)
        return fem.dirichletbc(zero, fem.locate_dofs_geometrical((space, collapsed), where), space)


def differ(name, space, values, place, saved):
    """The largest difference at the nodes, which are found by their places, relative to the largest value."""
    mine = space.tabulate_dof_coordinates()[:, :place.shape[1]]
    distance = np.abs(mine[:, None, :] - place[None, :, :]).max(axis=2)
    at = distance.argmin(axis=1)
    if distance.min(axis=1).max() > 1e-9 or len(set(at)) != len(place):
        print(f"{name}: the nodes are others")
        return np.inf
    values = values.reshape(len(mine), -1)
    return np.abs(values - saved.reshape(len(place), -1)[at]).max() / np.abs(values).max()


def report(name, difference, most):
    print(f"{name}: relative difference {difference:.1e}, at most {most:.0e}{'' if difference <= most else ': WRONG'}")
    return difference <= most


def on_square(x):
    return np.isclose(x[0] * (1 - x[0]) * x[1] * (1 - x[1]), 0)


def poisson(apps, folder):
    saved = Saved(folder / "poisson.h5")
    p = Problem(saved, apps / "poisson/poisson.py")
    u = np.linalg.solve(*p.system("a", "L", [p.held(on_square)]))
    return report("poisson", differ("poisson", p.space, u, saved.nodes(), saved.dat["u"]), 1e-8)


def elasticity(apps, folder):
    saved = Saved(folder / "elasticity.h5")
    p = Problem(saved, apps / "elasticity/elasticity.py")
    p.set("la", saved.value["moduli"][0])
    p.set("mu", saved.value["moduli"][1])
    p.set("f", saved.value["load"])
    u = np.linalg.solve(*p.system("a", "L", [p.held(lambda x: np.isclose(x[0], 0))]))
    return report("elasticity", differ("elasticity", p.space, u, saved.nodes(), saved.dat["u"]), 1e-6)


def stokes(apps, folder):
    """The pressure is defined up to a constant, so the system is solved in the sense of least squares."""
    saved = Saved(folder / "stokes.h5")
    p = Problem(saved, apps / "stokes/stokes.py")
    A, b = p.system("a", "L", [p.held(on_square, p.space.sub(0))])
    x = np.linalg.lstsq(A, b, rcond=1e-12)[0]
    good = True
    for part, name, place in ((0, "velocity", saved.nodes()), (1, "pressure", saved.place)):
        space, dofs = p.space.sub(part).collapse()
        theirs, mine = x[dofs], saved.dat[name]
        if part:
            theirs, mine = theirs - theirs.mean(), mine - mine.mean()
        good &= report(f"stokes: {name}", differ(name, space, theirs, place, mine), 1e-5)
    return good


def hyperelasticity(apps, folder):
    saved = Saved(folder / "hyperelasticity.h5")
    p = Problem(saved, apps / "hyperelasticity/hyperelasticity.py")
    la, mu, turn = saved.value["constants"]
    p.set("la", la)
    p.set("mu", mu)
    p.set("turn", 0)
    u = fem.Function(p.space)
    bcs = [p.held(lambda x: np.isclose(x[0], 0))]
    for load in (0.5, 1):
        p.constants[p.text["turn"]].value = load * turn
        for _ in range(10):
            u.x.array[:] -= np.linalg.solve(*p.system("J", "F", bcs, u))
    return report("hyperelasticity", differ("hyperelasticity", p.space, u.x.array, saved.place, saved.dat["u"]), 1e-6)


apps, folder = Path(sys.argv[1]), Path(sys.argv[2])
results = [program(apps, folder) for program in (poisson, elasticity, stokes, hyperelasticity)]
sys.exit(0 if all(results) else 1)
