#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# md.sh MD PLAIT BACKEND FOLDER BRUTE: the program md on a backend. Compares the energies of every case with independent
# programs, and with brute.c from a start near walls and faces; the forces of a melt with LAMMPS, to 1e-11 of the largest;
# the generated start of the melt. An error on the command line gives a message.
set -eu
md=$1 plait=$2 backend=$3 folder=$4 brute=$5
mkdir -p "$folder"

if ! PLAIT_BACKEND=$backend "$md" --case cells2d --n 4 --steps 0 >"$folder/$backend.out" 2>&1; then
  if "$plait" info 2>/dev/null | grep -q "^  $backend  *yes"; then
    cat "$folder/$backend.out"
    exit 1
  fi
  echo "skipped: backend $backend: $(cat "$folder/$backend.out")"
  exit 77
fi
export PLAIT_BACKEND=$backend

check() {
  echo "md $*"
  status=0
  "$md" "$@" --check >"$folder/$backend.out" || status=$?
  grep -E "^check|lists$" "$folder/$backend.out" && [ $status = 0 ] || exit 1
}
check --case allpairs2d --n 500 --steps 50
check --case cells2d --n 500 --steps 100
check --case periodic3d --n 2000 --steps 50
check --case melt --input lj500_init.txt --steps 100
case $backend in
  opencl) ;;
  *) check --case melt --input lj500_init.txt --steps 100 --chain ;;
esac
case $backend in
  seq | openmp)
    check --case cells2d --n 10000 --steps 100
    check --case melt --input lj500_init.txt --steps 50 --list half
    PLAIT_SHAPE=scalar check --case melt --input lj500_init.txt --steps 50
    check --case periodic3d --n 2000 --steps 25 --precision single ;;
esac

# Prints a jittered lattice with velocities that fills a box up to its faces: DIM SITES SPACING.
make_start() {
  awk -v dim="$1" -v sites="$2" -v h="$3" '
    function unit() { seed = seed * 16807 % 2147483647; return seed / 2147483647 - 0.5 }
    BEGIN {
      seed = 7; side = sites * h; printf "# box"
      for (a = 0; a < dim; a++) printf " 0 %.17g", side
      for (i = 0; i < sites ^ dim; i++) {
        printf "\n%d", i + 1
        for (a = 0; a < dim; a++) printf " %.17g", h * (int(i / sites ^ a) % sites + 0.5 + 0.4 * unit())
        for (a = 0; a < dim; a++) printf " %.17g", 3 * unit()
      }
      print ""
    }'
}
# Compares energies with those of brute.c from the last generated start: CASE CUTOFF SIDES.
against_brute() {
  "$brute" "$folder/$backend.start" 40 10 "$2" 0.005 "$3" >"$folder/$backend.brute"
  "$md" --case "$1" --input "$folder/$backend.start" --steps 40 --every 10 --dt 0.005 --json "$folder/$backend.json" >/dev/null
  tr -d ' ,"' <"$folder/$backend.json" | awk -F: '$1 == "step" { step = $2 } $1 == "potential" { u = $2 }
    $1 == "kinetic" { print step, u, $2 }' |
    awk -v name="$1" 'NR == FNR { u[$1] = $2; k[$1] = $3; next }
      { n++; d = ($2 - u[$1]) ^ 2 + ($3 - k[$1]) ^ 2; s = u[$1] ^ 2 + k[$1] ^ 2; if (d / s > worst) worst = d / s }
      END { printf "%s: energies within %.1e of every pair by brute force\n", name, sqrt(worst); exit !(n == 5 && worst <= 1e-24) }' \
      "$folder/$backend.brute" -
}
make_start 3 7 1.6 >"$folder/$backend.start"
against_brute walls3d 3.02 walls
against_brute periodic3d 3.02 periodic
against_brute melt 2.5 periodic
make_start 2 18 1.4 >"$folder/$backend.start"
against_brute cells2d 3 walls
against_brute allpairs2d 3 walls

# The generated start of the melt: the crystal and temperature of LAMMPS, no drift.
"$md" --case melt --n 490 --steps 100 --json "$folder/$backend.json" >/dev/null
tr -d ' ,"' <"$folder/$backend.json" | awk -F: '$1 == "n" { n = $2 } $1 == "step" { step = $2 } $1 == "potential" { u[step] = $2 }
  $1 == "kinetic" { k[step] = $2 }
  END {
    off = (u[100] + k[100] - u[0] - k[0]) / n
    printf "own start of %d: potential %.9f, kinetic %.9f, drift %.1e an atom\n", n, u[0], k[0], off
    exit !(n == 500 && (u[0] + 3386.684026627) ^ 2 < 1e-16 && (k[0] - 1077.84) ^ 2 < 1e-18 && off * off < 1e-4)
  }'

# Forces of each particle in the state after 100 steps of LAMMPS.
"$md" --case melt --input lj500_step100.txt --steps 0 --dump "$folder/$backend.txt" >/dev/null
awk '/^#/ { next }
  NR == FNR { for (a = 8; a <= 10; a++) { f[$1, a] = $a; if ($a * $a > most) most = $a * $a } next }
  { n++; for (a = 8; a <= 10; a++) { d = $a - f[$1, a]; if (d * d > worst) worst = d * d } }
  END {
    printf "forces of %d particles: within %.1e of the largest\n", n, sqrt(worst / most)
    exit !(n == 500 && worst <= 1e-22 * most)
  }' lj500_step100.txt "$folder/$backend.txt"

! "$md" --case melt --input nowhere.txt 2>"$folder/$backend.err" || exit 1
grep -q "nowhere.txt" "$folder/$backend.err"
