# SPDX-License-Identifier: BSD-2-Clause
"""Recipe of Plait for Spack; docs/install.md says how to use it."""

from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage  # Spack 1.0 and later
except ImportError:
    pass


class Plait(CMakePackage):
    """Parallel loops over unstructured meshes and particles, with code generated at run time."""

    license("BSD-2-Clause")

    version("0.2.0")

    variant("shared", default=True, description="Build a shared library")
    variant("openmp", default=True, description="Backend openmp")
    variant("mpi", default=True, description="Ranks")
    variant("hdf5", default=True, description="HDF5 files")
    variant("cgns", default=False, description="CGNS mesh files")
    variant("metis", default=True, description="Partitioner and renumbering of METIS")
    variant("scotch", default=False, description="Partitioner of PT-Scotch")
    variant("hypre", default=False, description="Preconditioner boomeramg")
    variant("mumps", default=False, description="Preconditioner mumps")
    variant("petsc", default=False, description="Preconditioner petsc")
    variant("cuda", default=False, description="Backend cuda")
    variant("hip", default=False, description="Backend hip")
    variant("opencl", default=False, description="Backend opencl")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5", when="+hdf5")
    depends_on("cgns@3.4:", when="+cgns")
    depends_on("metis@5:", when="+metis")
    depends_on("scotch@7: +mpi", when="+scotch")
    depends_on("hypre +mpi", when="+hypre")
    depends_on("mumps +mpi", when="+mumps")
    depends_on("petsc +mpi ~complex", when="+petsc")
    depends_on("cuda", when="+cuda")
    depends_on("hip", when="+hip")
    depends_on("opencl", when="+opencl")

    for package in ("scotch", "hypre", "mumps", "petsc"):
        conflicts(f"+{package} ~mpi", msg=f"{package} needs ranks (+mpi)")
    conflicts("+petsc ~shared", msg="the module of PETSc needs a shared library")

    def cmake_args(self):
        features = ("openmp", "mpi", "hdf5", "cgns", "metis", "scotch", "hypre", "mumps", "petsc", "cuda", "hip", "opencl")
        args = [self.define_from_variant(f"PLAIT_WITH_{feature.upper()}", feature) for feature in features]
        args.append(self.define_from_variant("BUILD_SHARED_LIBS", "shared"))
        args += [self.define(f"PLAIT_WITH_{feature}", False) for feature in ("CUDSS", "AMGX")]  # no variants yet
        args.append(self.define("PLAIT_BUILD_TESTS", False))
        args.append(self.define("PLAIT_RUNTIME_CC", self.compiler.cc))  # not Spack's wrapper
        return args
