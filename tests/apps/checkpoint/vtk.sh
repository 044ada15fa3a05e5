#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# vtk.sh PICTURE FOLDER [MPIEXEC FLAG]: pictures written on one rank and on three are read by VTK.
set -eu
here=$(dirname "$0")
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
for ranks in 1 3; do
  mkdir -p "$2/$ranks"
  if [ $ranks = 1 ]; then
    "$1" "$2/$ranks"
  elif [ $# -gt 2 ]; then
    "$3" "$4" $ranks "$1" "$2/$ranks"
  else
    continue
  fi
  python3 "$here/vtk.py" "$2/$ranks"
done
