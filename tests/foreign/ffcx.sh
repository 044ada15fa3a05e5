#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Kernels that FFCx generates, as they are, against the same functions called from C.
#   ffcx.sh BACKEND TABULATE GOLDEN_RTC FOLDER
# FFCX: the command ffcx, if it is not in PATH. FFCX_DEMOS: a folder of forms instead of those
# here, for example demo/ of FFCx's repository. The backend cuda compiles the texts where there is no GPU.
set -eu
backend=$1 tabulate=$2 rtc=$3 folder=$4 here=$(cd "$(dirname "$0")" && pwd)
ffcx=${FFCX:-ffcx}
command -v "$ffcx" >/dev/null || { echo "skipped: no command ffcx (pip install fenics-ffcx, or set FFCX)"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder/texts"
export PLAIT_CACHE_DIR="$folder/cache"

python=$(sed -n '1s/^#! *//p' "$(command -v "$ffcx")")
include=$("$python" -c 'import ffcx.codegeneration as c; print(c.get_include_path())')
wrong=0 texts=
[ "$backend" != cuda ] || texts="$folder/texts"

run() { # file
  stem=${1%.c}
  ${CC:-cc} -std=gnu17 -O1 -fPIC -shared -I"$include" "$1" -o "$stem.so" -lm
  PLAIT_BACKEND=$2 "$tabulate" "$1" "$stem.so" "$include" $texts
}

cd "${FFCX_DEMOS:-$here/forms}"
for form in *.py; do
  scalar=float64
  case $form in
    test_*) continue ;;
    *Complex*) scalar=complex128 ;;
  esac
  PYTHONDONTWRITEBYTECODE=1 "$ffcx" --scalar_type "$scalar" -d "$folder" "$form" >/dev/null
  file="$folder/${form%.py}.c" status=0
  run "$file" "$backend" || status=$?
  if [ $status = 77 ] && [ "$backend" = cuda ]; then
    status=0
    run "$file" seq || status=$?
  elif [ $status = 77 ]; then
    exit 77
  fi
  [ $status = 0 ] || { echo "$form: wrong" >&2; wrong=1; }
done
if [ $wrong = 0 ] && [ "$backend" = cuda ]; then "$rtc" nvrtc "$folder"/texts/*.cu || exit $?; fi
exit $wrong
