#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# plait mesh: the report of known meshes, files that say the same when read again, errors.
#   mesh.sh PLAIT MESH_WRITER FOLDER
set -eu
plait=$1 writer=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
wrong() { echo "$*" >&2; exit 1; }
"$writer"

report() { "$plait" mesh "$@" | tail -n +2; } # without the name of the file
quality() { report "$@" | sed '/^groups/,$d'; }
has() { grep -q -- "$2" "$1" || { cat "$1" >&2; wrong "$1 has no line \"$2\""; }; }

report plane.msh >plane
has plane '^  nodes  *15$'
has plane '^  cells  *10 (triangle 4, quadrilateral 6)$'
has plane '^  area of all cells 8$'
has plane '^  area  *0.5  *0.8  *1$'
has plane '^  longest over shortest edge  *1  *1.1657  *1.4142$'
has plane '^  scaled Jacobian (1 is ideal)  *0.8165  *0.9266  *1$' # of a right-angled triangle 2 / sqrt(6)
has plane '^  non-orthogonality (degrees)  *0  *[0-9.]*  *11.31$' # atan(1/5)
has plane '^  far side  *1  *2  *0  *2  *0  *3$'
report space.msh >space
has space '^  cells  *11 (tetrahedron 2, hexahedron 1, prism 2, pyramid 6)$'
has space '^  volume of all cells 3.333333333$'
has space '^  scaled Jacobian (1 is ideal)  *0.[0-9]*  *0.[0-9]*  *1$'

if [ -e space.cgns ]; then
  report space.cgns >cgns
  quality space.msh >expected
  quality space.cgns | diff expected - || wrong "space.msh and space.cgns differ"
  has cgns '^  wall  *2  *1  *0  *1  *0  *4$'
  "$plait" mesh space.cgns --to again.msh >/dev/null
  report again.msh | diff cgns - || wrong "space.cgns and again.msh differ"
fi

for mesh in plane space; do
  quality $mesh.msh >expected
  for to in su2 msh; do
    "$plait" mesh $mesh.msh --to again.$to >/dev/null
    quality again.$to | diff expected - || wrong "$mesh.msh and again.$to differ"
    "$plait" mesh again.$to | grep -q '^  far[_ ]side  *[12] ' || wrong "again.$to has no group \"far side\""
  done
done
"$plait" mesh plane.su2 --to again.msh >/dev/null
report plane.su2 | diff - /dev/fd/3 3<<LIST || wrong "plane.su2 and again.msh differ"
$(report again.msh)
LIST
if command -v gmsh >/dev/null; then gmsh -check again.msh -v 2 - || wrong "gmsh refuses again.msh"; fi

"$plait" mesh space.msh --picture picture.png >/dev/null
head -c 4 picture.png | grep -q PNG || wrong "picture.png is no PNG"
refuse() { # status, text, arguments...
  status=0
  # shellcheck disable=SC2086
  "$plait" mesh $3 $4 $5 >/dev/null 2>errors || status=$?
  [ "$status" = "$1" ] || wrong "plait mesh $3 $4 $5: status $status"
  has errors "$2"
}
refuse 1 'absent.msh: the file cannot be opened' absent.msh '' ''
refuse 1 'cells of one shape' space.msh --to a.h5
refuse 2 'must end with .su2, .msh or .h5' plane.msh --to a.txt
refuse 1 'absent/a.msh: No such file' plane.msh --to absent/a.msh
refuse 2 '^usage: plait mesh' '' '' ''
