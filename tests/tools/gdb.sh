#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The session of docs/debugging.md: gdb stops in the kernel of generated code and shows the code around it.
#   gdb.sh PROGRAM FOLDER; PROGRAM is tests/install/user/from_op2.c
set -eu
program=$1 folder=$2
sources=$(cd "$(dirname "$0")/../install/user" && pwd) # the program may name its source by a relative path
command -v gdb >/dev/null || { echo "skipped: gdb is not installed"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export PLAIT_CACHE_DIR="$folder/cache" PLAIT_BACKEND=seq PLAIT_DEBUG=1 HOME="$folder"

PLAIT_DUMP=dump "$program" >printed
ln -s dump/flux-edges-*.c flux.c
gdb -q -batch -d "$sources" -ex 'set breakpoint pending on' -ex 'break flux if u1[0] < 0.5' -ex run -ex 'print u1[0]' -ex 'backtrace 2' -ex up \
  "$program" >session 2>&1 || { cat session >&2; exit 1; }
! grep -qE 'ptrace|Cannot|Could not trace' session || { echo "skipped: $(grep -E 'ptrace|Cannot|Could not trace' session | sed -n 1p)"; exit 77; }
expect() { grep -q -- "$1" session || { cat session >&2; echo "no \"$1\" in the session above" >&2; exit 1; }; }
expect '^Breakpoint 1.*, flux (.*u1=0x.*) at .*from_op2.c:6'
expect '^PL_KERNEL\|^6.PL_KERNEL(flux, '
expect '^\$1 = 0$'
expect '^#1 .*pl_range (pl_begin=0, pl_end=8, dat_u=0x.* at .*flux.c:'
expect '^[0-9]*[[:space:]].*flux((const double \*)u1'
