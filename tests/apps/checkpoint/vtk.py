#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# vtk.py FOLDER: VTK reads the files of picture.c; compares types, points, cells and values.
import sys

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkIOHDF import vtkHDFReader
    import numpy
except ImportError as why:
    print(f"skipped: {why}; install VTK for Python (pip: vtk)")
    sys.exit(77)

NX, NY, POINTS = 4, 3, 7


def read(name):
    reader = vtkHDFReader()
    reader.SetFileName(f"{sys.argv[1]}/{name}")
    reader.Update()
    return reader.GetOutputDataObject(0)


def values(data, name):
    return vtk_to_numpy(data.GetArray(name))


def check_grid(grid, cell_type, z):
    corner = [[a, a + 1, a + NX + 2, a + NX + 1] for j in range(NY) for a in range(j * (NX + 1), j * (NX + 1) + NX)]
    if cell_type == 9:
        corner[-1][3] = corner[-1][2]  # a triangle repeats its last corner
    nodes = range((NX + 1) * (NY + 1))
    assert grid.IsA("vtkUnstructuredGrid") and grid.GetNumberOfCells() == NX * NY
    for i, expected in enumerate(corner):
        cell = grid.GetCell(i)
        assert cell.GetCellType() == cell_type
        assert [cell.GetPointId(k) for k in range(4)] == expected
    points = [[i % (NX + 1), i // (NX + 1), z * i] for i in nodes]
    assert numpy.array_equal(vtk_to_numpy(grid.GetPoints().GetData()), points)
    assert numpy.array_equal(values(grid.GetPointData(), "height").ravel(), [10 * i for i in nodes])
    assert numpy.array_equal(values(grid.GetCellData(), "q"), [[i, 0.5 * i] for i in range(NX * NY)])


def check_points(points):
    assert points.IsA("vtkPolyData") and points.GetNumberOfVerts() == POINTS
    expected = [[i + 0.25 * a for a in range(3)] for i in range(POINTS)]
    assert numpy.array_equal(vtk_to_numpy(points.GetPoints().GetData()), expected)
    assert numpy.array_equal(values(points.GetPointData(), "tag").ravel(), [100 + i for i in range(POINTS)])


check_grid(read("grid.h5"), 9, 0)
check_points(read("points.h5"))
print(f"VTK {vtkVersion.GetVTKVersion()}: a grid and points have the values that were written")
if vtkVersion.GetVTKMajorVersion() * 100 + vtkVersion.GetVTKMinorVersion() < 904:
    print("not read: a collection of a grid and points needs VTK 9.4")
    sys.exit(0)
both = read("both.h5")
assert both.IsA("vtkPartitionedDataSetCollection") and both.GetNumberOfPartitionedDataSets() == 2
parts = [both.GetPartitionedDataSet(i).GetPartition(0) for i in range(2)]
parts.sort(key=lambda part: part.IsA("vtkPolyData"))
check_grid(parts[0], 10, 0.1)
check_points(parts[1])
print("a collection of tetrahedra and points, too")
