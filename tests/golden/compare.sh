#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Compares generated texts with the files stored here; PLAIT_GOLDEN_UPDATE=1 rewrites and removes files instead.
# Usage: compare.sh GENERATED STORED DIFFERENT (absolute paths). Texts that differ are left in DIFFERENT.
#
# The patterns select what is stored. Every pattern must match a generated text, and every stored file a pattern.
set -u
cd "$1" || exit 1
stored=$2
different=$3

# From the first line to the last: one loop with consts and maps, its gathered loop, the words that dialects name differently, a device
# program, a scan.
complete='
  res_calc/host.scalar.c res_calc/cuda.combine.cu res_calc/opencl.combine.cl res_calc/cuda.gather.loop.cu
  words/host.scalar.c words/cuda.cu words/opencl.cl
  program/* choose/*'

# What follows the user's kernel: from the last #line on. OpenCL texts that differ from CUDA's only in the
# dialect's words, or in the same lines as another stored pair, are left out.
wrappers='
  res_calc/host.* res_calc/cuda.* res_calc/opencl.atomic.cl res_calc/opencl.gather.cl res_calc/opencl.stage.cl
  res_calc_aos/cuda.combine.cu res_calc_aos/cuda.gather.cu res_calc_aos/opencl.gather.cl
  res_calc_float/opencl.atomic.cl update_float/host.transpose.c
  update/host.* update/cuda.* update/opencl.* extreme/host.* extreme/cuda.* extreme/opencl.* force/* pointer/*
  step/cuda.cu step/opencl.cl
  update_aos/cuda.whole.cu midpoint/cuda.cu midpoint/cuda.whole.cu midpoint/host.lanes.c midpoint/host.transpose.c
  noise/host.scalar.c noise/cuda.gather.cu
  relax/host.* relax/cuda.*
  spread/cuda.combine.cu spread/cuda.stage.cu
  guarded/cuda.combine.cu guarded/cuda.gather.cu guarded/host.scalar.c guarded/host.transpose.c
  average/cuda.gather.cu average/cuda.gather.ragged.cu bres_calc/cuda.gather.cu
  tensor/cuda.gather.rows.cu tensor/opencl.gather.rows.cl tensor_blocks/cuda.gather.rows.stored.cu'

bad=0
texts=0
rewritten=0
known=' '
wrong() { echo "golden: $*" >&2; bad=$((bad + 1)); }
updating() { [ "${PLAIT_GOLDEN_UPDATE:-}" = 1 ]; }
is_known() { case $known in *" $1 "*) return 0 ;; esac; return 1; }

wrapper() {
  awk '/^#line/ { text = ""; next } { text = text $0 "\n" } END { printf "%s", text }' "$1"
}

compare() { # NAME COMMAND: the command prints what is to be stored of a text
  is_known "$1" && return
  known="$known$1 "
  [ -f "$1" ] || { wrong "no text was generated for $1"; return; }
  texts=$((texts + 1))
  mkdir -p "$different/${1%/*}" && $2 "$1" >"$different/$1" || exit 1
  if cmp -s "$stored/$1" "$different/$1"; then
    rm "$different/$1"
  elif updating; then
    mkdir -p "$stored/${1%/*}" && mv "$different/$1" "$stored/$1" || exit 1
    rewritten=$((rewritten + 1))
  elif [ -e "$stored/$1" ]; then
    wrong "differs: diff -u $stored/$1 $different/$1"
  else
    wrong "$stored/$1 is missing; the text is in $different/$1"
  fi
}

rm -rf "$different"
for name in $complete; do compare "$name" cat; done
for name in $wrappers; do compare "$name" wrapper; done
for file in "$stored"/*/*; do
  is_known "${file#"$stored"/}" && continue
  if updating; then rm "$file" && rmdir "${file%/*}" 2>/dev/null; else wrong "$file belongs to no generated text that is stored"; fi
done
echo "$texts texts, $bad wrong, $rewritten rewritten"
[ $bad = 0 ]
