#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hands every generated text to a compiler of its language. Usage: compile.sh gcc|clang|cuda|opencl GENERATED
# Exit status 77 where there is none.
set -u

skip() { echo "skipped: $*"; exit 77; }

suffix=c
case $1 in
  gcc | clang)
    command -v "$1" >/dev/null || skip "$1 is not installed"
    compile="$1 -std=gnu11 -O1 -c -o /dev/null -fopenmp-simd -Wall -Wextra -Wno-unused-parameter -Werror"
    [ "$1" = gcc ] || compile="$compile -fsyntax-only" # clang's warnings need no code
    programs="-std=c++17 -O1 -c -o /dev/null -Wall -Wextra -Wno-unused-function -Werror" # the prelude has them all
    case $1 in gcc) programs="g++ $programs" ;; *) programs="clang++ $programs" ;; esac
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
folder=$2
compile_all() { # SUFFIX COMMAND...
  suffix=$1
  shift
  for file in "$folder"/*/*."$suffix"; do
    "$@" "$file" || { echo "compile: $1 refuses $file" >&2; bad=1; }
    compiled=$((compiled + 1))
  done
}
compile_all $suffix $compile
if [ "$1" = opencl ]; then # PoCL gets our declarations instead of clang's header
  functions=$(dirname "$0")/../../src/codegen/templates/device/functions.opencl.inc
  extensions="-Dcl_khr_fp64 -Dcl_khr_int64_base_atomics -Dcl_khr_int64_extended_atomics"
  compile_all $suffix clang -x cl -cl-std=CL1.2 -cl-no-stdinc -include "$(clang -print-resource-dir)/include/opencl-c-base.h" \
    $extensions -include "$functions" -fsyntax-only -Wno-macro-redefined -Werror
fi
if [ "${programs:-}" ]; then # device programs on hosts are C++
  if command -v "${programs%% *}" >/dev/null; then
    compile_all cpp $programs
  else
    echo "${programs%% *} is not installed, so no device program was compiled"
  fi
fi
echo "$compiled texts compiled by $1"
[ $compiled -gt 0 ] || bad=1
exit $bad
