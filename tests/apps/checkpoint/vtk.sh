#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# vtk.sh PROGRAM SCRIPT FOLDER [MPIEXEC FLAG]: VTK reads the pictures that the program writes on one rank, two and three.
set -eu
program=$1 script=$2 folder=$3
shift 3
export PYTHONPATH="${XDG_CACHE_HOME:-$HOME/.cache}/plait-tests/python${PYTHONPATH:+:$PYTHONPATH}" # of scripts/setup
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
for ranks in 1 2 3; do
  rm -rf "$folder/$ranks"
  mkdir -p "$folder/$ranks"
  if [ $ranks = 1 ]; then
    "$program" "$folder/$ranks"
  elif [ $# -gt 0 ]; then
    "$1" "$2" $ranks "$program" "$folder/$ranks"
  else
    continue
  fi
  python3 "$script" "$folder/$ranks" $ranks
done
