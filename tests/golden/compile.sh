#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hands the golden texts to a compiler of their language. Usage: compile.sh gcc|clang|cuda|opencl FOLDER
# Exit status 77 where there is none.
set -u

skip() { echo "skipped: $*"; exit 77; }

suffix=c
case $1 in
  gcc | clang)
    command -v "$1" >/dev/null || skip "$1 is not installed"
    compile="$1 -std=gnu11 -O1 -c -o /dev/null -fopenmp-simd -Wall -Wextra -Wno-unused-parameter -Werror"
    [ "$1" = gcc ] || compile="$compile -Wno-pass-failed" # -O1 turns no lanes into vectors, and clang says so
    ;;
  cuda)
    suffix=cu
    nvcc=$(command -v nvcc || true)
    [ "$nvcc" ] || [ ! -x /usr/local/cuda/bin/nvcc ] || nvcc=/usr/local/cuda/bin/nvcc
    [ "$nvcc" ] || skip "nvcc is not installed, so the CUDA texts were not compiled"
    compile="$nvcc -ptx -Werror all-warnings -o /dev/null"
    ;;
  opencl)
    suffix=cl
    command -v clang >/dev/null || skip "clang is not installed, so the OpenCL texts were not compiled"
    compile="clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only -Wno-macro-redefined -Werror"
    echo 'kernel void k(global float *x) { x[get_global_id(0)] = sqrt(2.0f); }' | $compile - 2>/dev/null ||
      skip "this clang does not compile OpenCL, so the OpenCL texts were not compiled"
    ;;
esac

bad=0
compiled=0
for file in "$2"/*.$suffix; do
  case ${file##*/} in golden.*) continue ;; esac
  $compile "$file" || { echo "compile: $1 refuses $file" >&2; bad=1; }
  compiled=$((compiled + 1))
done
echo "$compiled texts compiled by $1"
[ $compiled -gt 0 ] || bad=1
exit $bad
