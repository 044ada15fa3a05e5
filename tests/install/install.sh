#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs Plait, moves the installation, and builds and runs a user's project on it by CMake and by pkg-config.
# Usage: install.sh shared|static|bare BUILD WORK CMAKE COMPILER; from the root of the sources. "bare" is a static library on
# a machine with only a compiler: no OpenMP, MPI, CUDA, OpenCL, METIS, PT-Scotch, HDF5.
set -eu

kind=$1 build=$2 work=$3 cmake=$4 compiler=$5
source=$PWD

fail() { echo "install ($kind): $*" >&2; exit 1; }

quietly() { # description, command...
  what=$1
  shift
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$what failed"; }
}

rm -rf "$work"
mkdir -p "$work"

# ---- install and move ----

linked=$kind
options=-DCMAKE_BUILD_TYPE=Release
if [ "$kind" = bare ]; then
  linked=static
  options="-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DPLAIT_WERROR=ON"
  for part in OPENMP MPI CUDA HIP OPENCL METIS SCOTCH HYPRE MUMPS PETSC HDF5; do options="$options -DPLAIT_WITH_$part=OFF"; done
fi
if [ "$linked" = static ]; then
  build=$work/build
  # shellcheck disable=SC2086 # a list of options
  quietly "configuring" "$cmake" -S . -B "$build" -DCMAKE_C_COMPILER="$compiler" -DBUILD_SHARED_LIBS=OFF \
    -DPLAIT_BUILD_TESTS=OFF -DPLAIT_BUILD_APPS=OFF $options
  quietly "building" "$cmake" --build "$build" --parallel 2
fi
quietly "installing" "$cmake" --install "$build" --prefix "$work/first place"
prefix="$work/second place"
mv "$work/first place" "$prefix"

# ---- contents ----

pc=$(find "$prefix" -name plait.pc)
libdir=$(dirname "$(dirname "$pc")")
for header in include/*.h include/plait/*.h; do
  [ -e "$prefix/$header" ] || fail "$header is not installed"
done
for file in "$libdir/cmake/plait/plaitConfig.cmake" "$libdir/cmake/plait/plaitTargets.cmake" \
    "$libdir/cmake/plait/PlaitEmbedScript.cmake" "$libdir"/libplait.*; do
  [ -e "$file" ] || fail "${file#"$prefix/"} is not installed"
done
for name in "$build" "$source" "$work"; do
  found=$(grep -rlIF "$name" "$prefix" || true)
  [ -z "$found" ] || fail "\"$name\" is named in $found"
done
# Debugging information may name the sources; programs do not use it.
if command -v strip >/dev/null; then
  for library in "$libdir"/libplait.*; do
    [ ! -L "$library" ] || continue
    cp "$library" "$work/stripped"
    strip --strip-debug "$work/stripped"
    ! grep -qF -e "$build" -e "$source" "$work/stripped" || fail "${library##*/} names the tree that it was built in"
  done
fi

# ---- programs ----

PLAIT_CACHE_DIR=$work/cache
export PLAIT_CACHE_DIR

expect() { # program, output
  "$1" >"$work/printed" || fail "$1 ended with status $?"
  printf '%s\n' "$2" | diff - "$work/printed" >&2 || fail "$1 printed something else (< wanted)"
}

first_says='triangle 0: middle at (1, 1)
triangle 1: middle at (2, 2)'
tutorial_says='triangle 0: middle at (1.000, 1.333)
triangle 1: middle at (2.000, 2.667)
edges: 19 long together; largest share 6, at point 1'
shared_says='4 6
2 extents'
brownian_says='mean square of the distance: 2.016'

generated_says='mass 6.000000'
matrix_says='1 -0.5 0.5 1.5, 0 0 1 1.5'
mixed_says='1 4.5 5.5 4, 7.5'
direct_says=0.125000
solver_says='0.125000 in at most 101 iterations: yes'
listings_says='arithmetic: norm 20, ratio 1
conjugate gradients: solved
algorithms: 50 below 50, energy 1168.218
sizes: 100
chain: norm 7.1661
kernels: 18, -1.000
program: norm 30
groups: 1225, 73'
from_op2_says='change 3.103e-04'
from_pyop2_says='area 1.000'
from_compyle_says='sum 9.1075; above 1: 1 2 3 7'
from_kokkos_says='260 242 242 256, largest 0.999 at 161'

uses_shared() { if ldd "$1" | grep -q 'libplait\.so'; then echo shared; else echo static; fi; }

# Twice: the second run continues.
expect_restart() { # program
  rm -f "$work/state.h5"
  if ! "$1" "$work/state.h5" >"$work/printed" 2>&1; then
    ! grep -q libplait-hdf5 "$work/printed" || return 0 # built without HDF5
    fail "$1: $(cat "$work/printed")"
  fi
  "$1" "$work/state.h5" >>"$work/printed" || fail "$1 ended with status $?"
  printf 'step 4: 27.3438 degrees\nstep 8: 19.6411 degrees\n' | diff - "$work/printed" >&2 || fail "$1 printed something else (< wanted)"
}

expect_plate() { # program
  "$1" tests/install/user/plate.msh >"$work/printed" || fail "$1 ended with status $?"
  [ "$(cat "$work/printed")" = '32 cells, heat 0.500' ] || fail "$1 printed $(cat "$work/printed")"
}

# Files with the names of docs/files.md, in a folder of their own.
expect_files() { # program
  mkdir -p "$work/files"
  printed=$(cd "$work/files" && "$1" --hdf5 2>&1) || {
    case $printed in *libplait-hdf5*) printed=$(cd "$work/files" && "$1") ;; esac # built without HDF5
  }
  [ "$printed" = 'read back: norm 4.7037' ] || fail "$1 printed $printed"
  [ "$(tail -n 1 "$work/files/u.txt")" = '4 4' ] || fail "$1: u.txt ends with $(tail -n 1 "$work/files/u.txt")"
}

# The largest of 64 x 64 values, which docs/pictures.md shows, is where the disc was.
expect_picture() { # program
  "$1" >"$work/printed" || fail "$1 ended with status $?"
  found=$(sort -k 3 -g -r "$work/printed" | sed -n 1p)
  [ "$(wc -l <"$work/printed") $found" = '4096 21 32 0.2915' ] || fail "$1: $(wc -l <"$work/printed") values, largest $found"
}

run_programs() { # folder
  [ "$(uses_shared "$1/first")" = "$linked" ] || fail "$1/first is linked with the $(uses_shared "$1/first") library"
  expect "$1/first" "$first_says"
  expect "$1/tutorial" "$tutorial_says"
  PLAIT_BACKEND=seq expect "$1/tutorial" "$tutorial_says"
  [ ! -e "$1/restart" ] || expect_restart "$1/restart"
  [ ! -e "$1/brownian" ] || expect "$1/brownian" "$brownian_says"
  [ ! -e "$1/plate" ] || expect_plate "$1/plate"
  [ ! -e "$1/shared" ] || PLAIT_BACKEND=seq expect "$1/shared" "$shared_says"
  [ ! -e "$1/listings" ] || expect "$1/listings" "$listings_says"
  [ ! -e "$1/generated" ] || expect "$1/generated" "$generated_says"
  [ ! -e "$1/matrix" ] || expect "$1/matrix" "$matrix_says"
  [ ! -e "$1/mixed" ] || expect "$1/mixed" "$mixed_says"
  [ ! -e "$1/direct" ] || expect "$1/direct" "$direct_says"
  [ ! -e "$1/solver" ] || expect "$1/solver" "$solver_says"
  [ ! -e "$1/files" ] || expect_files "$1/files"
  [ ! -e "$1/picture" ] || expect_picture "$1/picture"
  for origin in op2 pyop2 compyle kokkos; do
    [ ! -e "$1/from_$origin" ] || eval "expect \"\$1/from_$origin\" \"\$from_${origin}_says\""
  done
}

# The library links no optional library; without its modules a program runs on one rank, and says so under a launcher.
if [ "$linked" = shared ]; then
  for library in libmpi libhdf5 libmetis libptscotch libHYPRE libdmumps libpetsc; do
    ! ldd "$libdir/libplait.so" | grep -q "$library" || fail "libplait.so is linked with $library"
  done
fi

# Before 1.0 another minor version is another interface: the library has another name, and CMake does not find it.
version=$(sed -n 's/^project(plait VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
if [ "$linked" = shared ]; then
  [ -e "$libdir/libplait.so.${version%.*}" ] || fail "the library is not named libplait.so.${version%.*}"
fi
accepts() { # version
  minor=${1#*.}
  printf 'set(PACKAGE_FIND_VERSION %s)\nset(PACKAGE_FIND_VERSION_MAJOR %s)\nset(PACKAGE_FIND_VERSION_MINOR %s)\ninclude("%s")\nmessage("${PACKAGE_VERSION_COMPATIBLE}")\n' \
    "$1" "${1%%.*}" "$minor" "$libdir/cmake/plait/plaitConfigVersion.cmake" >"$work/version.cmake"
  "$cmake" -P "$work/version.cmake" 2>&1 | grep -q TRUE
}
accepts "${version%.*}" || fail "the CMake package refuses its own version ${version%.*}"
for other in 0.0 0.99 1.0; do ! accepts $other || fail "the CMake package accepts version $other"; done

check_modules() { # program
  PLAIT_MODULES=/nowhere expect "$1" "$first_says"
  for rank in OMPI_COMM_WORLD_SIZE=2 PMI_SIZE=2 SLURM_STEP_NUM_TASKS=2 PMIX_RANK=1; do
    ! env PLAIT_MODULES=/nowhere $rank "$1" >/dev/null 2>"$work/log" || fail "$rank: it runs alone without MPI"
    grep -q "launcher has started several ranks.*libplait-mpi.so" "$work/log" || { cat "$work/log" >&2; fail "$rank: no reason"; }
  done
  PLAIT_MPI=off PLAIT_MODULES=/nowhere OMPI_COMM_WORLD_SIZE=2 expect "$1" "$first_says"
  check_other_mpi "$1"
}

# A program with another MPI library than the module's: the functions that the program sees are called.
check_other_mpi() { # program
  ldd "$libdir/libplait-mpi.so" 2>/dev/null | grep -q 'libmpi\.so\.40' || return 0 # Open MPI
  echo 'int MPI_Get_library_version(char *text, int *length) { __builtin_strcpy(text, "MPICH Version: 4.1"); return *length = 0; }' |
    "$compiler" -x c - -shared -fPIC -o "$work/libother.so" || fail "a library cannot be compiled"
  ! env LD_PRELOAD="$work/libother.so" PLAIT_MPI=on "$1" >/dev/null 2>"$work/log" || fail "another MPI library is accepted"
  grep -q "another MPI library (MPICH Version: 4.1) than libplait-mpi.so" "$work/log" || { cat "$work/log" >&2; fail "another MPI library: no reason"; }
  LD_PRELOAD="$work/libother.so" PLAIT_MPI=off expect "$1" "$first_says"
}

if [ "$linked" = shared ]; then # the program finds the library after both have moved
  program="$prefix/bin/plait"
  [ -x "$program" ] || fail "bin/plait is not installed"
  ldd "$program" | grep -qF "$prefix/bin/../" || fail "bin/plait finds another library"
  PLAIT_BACKEND=seq "$program" info | grep -q 'seq *yes, in use' || fail "bin/plait does not work"
  for module in "$libdir"/libplait-*.so; do
    [ -e "$module" ] || continue
    name=${module##*/libplait-}
    [ "$name" != mesh.so ] || continue # a library that programs link
    "$program" info | grep -q "^  ${name%.so} *yes" || fail "bin/plait does not find ${module##*/}"
    PLAIT_MODULES=/nowhere "$program" info | grep -q "^  ${name%.so} *no: .*/nowhere" || fail "bin/plait finds ${module##*/} nowhere"
  done
fi

echo "by CMake"
quietly "configuring the user's project" "$cmake" -S tests/install/user -B "$work/by_cmake" \
  -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix"
quietly "building the user's project" "$cmake" --build "$work/by_cmake"
run_programs "$work/by_cmake"
PLAIT_BACKEND=seq expect "$work/by_cmake/embedded" "sum 20 on seq"
if [ "$kind" = bare ]; then
  for backend in openmp cuda hip opencl; do
    ! PLAIT_BACKEND=$backend "$work/by_cmake/first" 2>"$work/log" || fail "PLAIT_BACKEND=$backend works"
    grep -q "$backend.*built without" "$work/log" || { cat "$work/log" >&2; fail "it does not say why there is no $backend"; }
  done
fi
[ "$linked" = static ] && [ "$kind" != bare ] || check_modules "$work/by_cmake/first"
grep -q "plait_DIR:PATH=$libdir/cmake/plait" "$work/by_cmake/CMakeCache.txt" || fail "another Plait was found"

command -v pkg-config >/dev/null || fail "pkg-config is not installed"
# Makefiles and pkg-config do not accept spaces in names, so it is moved again.
echo "by pkg-config"
mv "$prefix" "$work/third"
libdir=$work/third${libdir#"$prefix"}
PKG_CONFIG_PATH=$libdir/pkgconfig
LD_LIBRARY_PATH=$libdir
export PKG_CONFIG_PATH LD_LIBRARY_PATH
options=plait
[ "$linked" = shared ] || options="--static plait"
mkdir "$work/by_pkg_config"
quietly "make" make -C tests/install/user CC="$compiler" OUT="$work/by_pkg_config" PLAIT_PC="$options"
run_programs "$work/by_pkg_config"
[ "$(pkg-config --modversion plait)" = "$version" ] || fail "plait.pc does not say version $version"
