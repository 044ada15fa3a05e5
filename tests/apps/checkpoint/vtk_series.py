#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# vtk_series.py FOLDER RANKS: VTK reads all steps of the files of series.c; compares times, points, cells and values.
import sys

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    from vtkmodules.vtkIOHDF import vtkHDFReader
    import numpy
except ImportError as why:
    print(f"skipped: {why}; install VTK for Python (pip: vtk)")
    sys.exit(77)

if vtkVersion.GetVTKMajorVersion() * 100 + vtkVersion.GetVTKMinorVersion() < 903:
    print(f"skipped: VTK {vtkVersion.GetVTKVersion()} reads no series over time, which needs VTK 9.3")
    sys.exit(77)

NX, NY, RANKS = 4, 3, int(sys.argv[2])


def steps(name, times):
    """The data of each step."""
    reader = vtkHDFReader()
    reader.SetFileName(f"{sys.argv[1]}/{name}")
    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    found = information.Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    assert list(found) == times, found
    for time in times:
        reader.UpdateTimeStep(time)
        yield reader.GetOutputDataObject(0)


def values(data, name):
    return vtk_to_numpy(data.GetArray(name))


corner = [[a, a + 1, a + NX + 2, a + NX + 1] for j in range(NY) for a in range(j * (NX + 1), j * (NX + 1) + NX)]
nodes = range((NX + 1) * (NY + 1))
for step, grid in enumerate(steps("grid_series.h5", [0, 0.25, 0.5, 0.75])):
    assert grid.IsA("vtkUnstructuredGrid") and grid.GetNumberOfCells() == NX * NY, grid
    for i, expected in enumerate(corner):
        cell = grid.GetCell(i)
        assert cell.GetCellType() == 9 and [cell.GetPointId(k) for k in range(4)] == expected
    shift = 0.5 * step if step > 1 else 0
    points = [[i % (NX + 1) + shift, i // (NX + 1), 0] for i in nodes]
    assert numpy.array_equal(vtk_to_numpy(grid.GetPoints().GetData()), points), step
    assert numpy.array_equal(values(grid.GetPointData(), "height").ravel(), [10 * i + step for i in nodes]), step
    more = 100 * step + (7000 if step > 1 else 0)
    assert numpy.array_equal(values(grid.GetCellData(), "q"), [[i + more, i] for i in range(NX * NY)]), step

for step, cloud in enumerate(steps("point_series.h5", [0, 1, 2, 3])):
    sizes = [[3, 70, 0, 2][step] + (rank if step != 2 else 0) for rank in range(RANKS)]
    assert cloud.IsA("vtkPolyData") and cloud.GetNumberOfVerts() == sum(sizes), (step, cloud.GetNumberOfVerts())
    assert cloud.GetNumberOfPoints() == sum(sizes)
    if not sum(sizes):
        continue
    tags = values(cloud.GetPointData(), "tag").ravel()
    assert sorted(tags) == [1000 * rank + i for rank in range(RANKS) for i in range(sizes[rank])], step
    points = [[tag + 0.25 * a + step for a in range(3)] for tag in tags]
    assert numpy.array_equal(vtk_to_numpy(cloud.GetPoints().GetData()), points), step
    assert [cloud.GetCell(i).GetPointId(0) for i in range(sum(sizes))] == list(range(sum(sizes)))
print(f"VTK {vtkVersion.GetVTKVersion()}: all steps of a grid and of points have the values that were written")
