#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# solutions.sh SOURCE APPS FOLDER: solutions of the programs for finite elements beside those of DOLFINx (solutions.py).
# DOLFINX_PYTHON names a Python that has dolfinx and h5py.
set -eu
source=$1 apps=$2 folder=$3
python=${DOLFINX_PYTHON:-python3}
if ! "$python" -c 'import dolfinx, h5py' 2>/dev/null; then
  echo "skipped: $python has no dolfinx or no h5py"
  exit 77
fi
mkdir -p "$folder"
"$apps/poisson/poisson" --side 12 --order 2 --save "$folder/poisson.h5"
"$apps/elasticity/elasticity" --size 1 --save "$folder/elasticity.h5"
"$apps/stokes/stokes" --side 8 --save "$folder/stokes.h5"
"$apps/hyperelasticity/hyperelasticity" --size 4 --angle 30 --save "$folder/hyperelasticity.h5"
"$python" "$source/tests/foreign/solutions.py" "$source/apps" "$folder"
