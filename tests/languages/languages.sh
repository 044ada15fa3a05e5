#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs the example of a language. Usage: languages.sh python|fortran LIBRARY WORK; exit status 77 where its tools are
# missing.
set -eu

language=$1 library=$2 work=$3
here=$(dirname "$0")

need() { command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; exit 77; }; }

case $language in
  python)
    need python3
    exec python3 "$here/ring.py" "$library"
    ;;
  fortran)
    need gfortran
    mkdir -p "$work"
    gfortran -Wall -Werror -std=f2018 -J "$work" -o "$work/ring" "$here/ring.f90" "$library" -Wl,-rpath,"$(dirname "$library")"
    exec "$work/ring"
    ;;
esac
