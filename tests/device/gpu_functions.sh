#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Compares the functions that a driver loads with the headers of its runtime. Exit status 77 where there are none.
# Usage: gpu_functions.sh COMPILER SOURCE FUNCTIONS HEADER...
set -u
compiler=$1
source=$2
functions=$3
shift 3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
printf '#include <%s>\n' "$@" >"$folder/headers.h"
run() { $compiler -std=c++17 -D__HIP_PLATFORM_AMD__ -D__HIP_DISABLE_CPP_FUNCTIONS__ -Wno-deprecated-declarations -I/usr/local/cuda/include -Isrc -fsyntax-only "$@"; }
run -x c++ "$folder/headers.h" 2>/dev/null || { echo "skipped: no $* for $compiler"; exit 77; }
run "-DHEADERS=\"$folder/headers.h\"" "-DFUNCTIONS=\"$functions\"" "$source" || exit 1
# A comparison that takes everything would prove nothing.
sed 's/(void \*\*, size_t))/(void **))/' src/backends/gpu_runtime/gpu_functions.def >"$folder/gpu_functions.def"
sed "s|backends/gpu_runtime/gpu_functions.def|$folder/gpu_functions.def|" "$source" >"$folder/wrong.cpp"
! run "-DHEADERS=\"$folder/headers.h\"" "-DFUNCTIONS=\"$functions\"" "$folder/wrong.cpp" 2>/dev/null
