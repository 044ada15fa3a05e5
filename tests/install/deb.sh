#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the Debian packages of a build tree twice, compares the two, checks them by lintian, unpacks them and runs programs.
# Usage: deb.sh BUILD WORK CPACK COMPILER; from the root of the sources. Exit status 77 where a tool is missing.
set -eu

build=$1 work=$2 cpack=$3 compiler=$4
source=$PWD

fail() { echo "install (deb): $*" >&2; exit 1; }

for tool in dpkg-deb dpkg-shlibdeps lintian pkg-config; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work"

# With the generator of Makefiles, cpack would build the tree first.
pack() { # folder
  (cd "$build" && "$cpack" -G DEB -B "$1" -D CPACK_CMAKE_GENERATOR=Ninja) >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "cpack failed"; }
  rm -rf "$1/_CPack_Packages"
}
pack "$work/once"
pack "$work/twice"

root=$work/root
packages=0
for package in "$work/once"/*.deb; do
  packages=$((packages + 1))
  cmp "$package" "$work/twice/${package##*/}" >&2 || fail "the second ${package##*/} differs from the first"
  dpkg-deb -x "$package" "$root"
done
[ $packages = 3 ] || fail "$packages packages, not 3"
lintian --fail-on error "$work/once"/*.deb >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "lintian found errors"; }

for name in "$build" "$source"; do
  found=$(grep -rlF "$name" "$root" || true)
  [ -z "$found" ] || fail "\"$name\" is named in $found"
done

# Libraries of modules are no conditions of the installation.
field() { dpkg-deb -f "$work/once"/libplait[0-9]*.deb "$1"; }
field Depends | grep -q libc6 || fail "the library does not depend on libc6"
for name in openmpi hdf5 metis; do
  ! field Depends | grep -q $name || fail "the library depends on $name"
done
libdir=$(dirname "$(dirname "$(find "$root" -name plait.pc)")")
PKG_CONFIG_PATH=$libdir/pkgconfig
LD_LIBRARY_PATH=$libdir
PLAIT_CACHE_DIR=$work/cache
export PKG_CONFIG_PATH LD_LIBRARY_PATH PLAIT_CACHE_DIR

# shellcheck disable=SC2046 # a list of options
"$compiler" tests/install/user/first.c -o "$work/first" $(pkg-config --cflags --libs plait)
"$work/first" >"$work/printed"
printf 'triangle 0: middle at (1, 1)\ntriangle 1: middle at (2, 2)\n' | diff - "$work/printed" >&2 || fail "first printed something else (< wanted)"
for module in "$libdir"/plait-*/libplait-*.so; do
  [ -e "$module" ] || continue
  name=${module##*/libplait-}
  name=${name%.so}
  "$root/usr/bin/plait" info | grep -q "^  $name *yes" || fail "plait does not find the module of $name"
  [ "$name" != mpi ] || field Recommends | grep -q mpi || fail "the library does not recommend MPI"
done
