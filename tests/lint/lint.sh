#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks of the source tree as text. Usage: lint.sh CHECK [arguments], from the root of the sources.
# Prints what is wrong; exit status 0, 1, or 77 where a tool is missing.
set -eu
LC_ALL=C
export LC_ALL

bad=0
wrong() { echo "$*" >&2; bad=1; }
skip() { echo "skipped: $*"; exit 77; }

# Sources of the project; golden texts are the library's output, not sources.
sources() { # suffixes...
  for suffix; do
    find src include apps bench tests -type f -name "*.$suffix" ! -path "tests/golden/*" | sort
  done
  for suffix; do find tests/golden -maxdepth 1 -name "golden.$suffix" 2>/dev/null; done
}

rank() {
  case $1 in core) echo 1 ;; plan) echo 2 ;; codegen) echo 3 ;; backends) echo 4 ;; *) echo 0 ;; esac
}

# ---- checks ----

# A room includes itself and the rooms below, and the headers of each foreign library stand in one file.
check_layers() {
  for file in src/*/*.[ch] src/*/*.def; do
    room=$(basename "$(dirname "$file")")
    [ "$(rank "$room")" != 0 ] || wrong "$file: room \"$room\" is not one of core, plan, codegen, backends"
    for include in $(sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\(.*\)".*/\1/p' "$file"); do
      case $include in
        plait.h) continue ;;
        ../*) path=${include#../} ;;
        */*) path=$include ;;
        *) path=$room/$include ;;
      esac
      other=${path%%/*}
      [ -e "src/$path" ] || wrong "$file: \"$include\" is no file of the rooms"
      [ "$(rank "$other")" != 0 ] && [ "$(rank "$other")" -le "$(rank "$room")" ] ||
        wrong "$file: includes \"$include\", but $room may not know $other"
    done
  done
  for header in mpi.h metis.h hdf5.h cuda.h nvrtc.h CL/cl.h; do
    users=$(grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$header>" src/*/*.[ch] || true)
    [ "$(echo "$users" | wc -w)" -le 1 ] || wrong "<$header> is included by more than one file: $users"
  done
  ! grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' include/plait.h || wrong "plait.h includes a file of ours"
  ! grep -nE '<(mpi|cuda|CL/cl|omp)\.h>' include/plait.h || wrong "plait.h includes a backend's header"
}

# The shared library exports what symbols.txt lists, no more and no less.
check_symbols() { # library
  command -v nm >/dev/null || skip "nm is not installed"
  nm -D --defined-only "$1" | awk '{ print $3 }' | sort | diff tests/lint/symbols.txt - >&2 ||
    wrong "the exported symbols differ from tests/lint/symbols.txt (< listed, > exported)"
}

# The library does not end the program, start a shell or print; stderr is for warnings and profiles alone.
check_calls() { # objects...
  command -v nm >/dev/null || skip "nm is not installed"
  [ $# -gt 0 ] || wrong "no objects were given"
  banned=' (_?exit|_Exit|quick_exit|abort|__assert_fail|system|popen|__printf_chk|__vprintf_chk|v?printf|puts|putchar|stdout|longjmp|fork|vfork|gets|strtok|setenv|putenv|chdir|signal)(@.*)?$'
  for object; do
    symbols=$(nm -u "$object")
    found=$(echo "$symbols" | grep -E "$banned" || true)
    [ -z "$found" ] || wrong "$object: uses" $found
    case $object in
      */error.c.o | */profile.c.o | */chain_print.c.o) continue ;;
    esac
    ! echo "$symbols" | grep -qE ' (stderr|perror)(@.*)?$' || wrong "$object: writes to stderr"
  done
  ! grep -nE '(^|[^[:alnum:]_])(system|popen|exec[lv]p?e?) *\(' src/*/*.[ch] || wrong "the library starts a shell or program"
}

# A process_lock is no state: it guards what a library outside keeps for the whole process.
check_globals() { # objects...
  command -v nm >/dev/null || skip "nm is not installed"
  for object; do
    found=$(nm "$object" | awk '$2 ~ /^[BbDdCGgSs]$/ && $3 !~ /\.(cold|part)/ && $3 !~ /^(__|\.omp|completed|process_lock)/ { print $3 }')
    for name in $found; do
      nm -S "$object" | grep -q " [dD] $name$" && is_constant "$object" "$name" && continue
      wrong "$object: \"$name\" is a mutable global"
    done
  done
}

# Constant tables of pointers lie in .data.rel.ro, which is read-only once the library is loaded.
is_constant() {
  objdump -t "$1" | grep -E " \.data\.rel\.ro[^ ]*[[:space:]].* $2$" >/dev/null
}

check_format() {
  command -v clang-format >/dev/null || skip "clang-format is not installed"
  version=$(clang-format --version | sed -n 's/.*version \([0-9]*\).*/\1/p')
  [ "$version" = 14 ] || skip "clang-format is version $version, the sources are formatted by 14"
  # shellcheck disable=SC2046 # file names without blanks
  clang-format --dry-run -Werror $(sources c h) || wrong "run: clang-format -i on these files"
}

check_spdx() {
  for file in $(sources c h cpp inc def sh cmake) $(find . -name CMakeLists.txt ! -path "./build*") cmake/*.cmake \
      scripts/* .ci/run bench/run; do
    [ -e "$file" ] || continue
    head -n 3 "$file" | grep -q "SPDX-License-Identifier: BSD-2-Clause" || wrong "$file: no SPDX line at its beginning"
  done
}

check_sizes() {
  for file in src/*/*; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 700 ] || wrong "$file: $lines lines, more than 700"
  done
}

# The public header, alone and in use, in every language version.
check_header() {
  tried=0
  for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "without $compiler: it is not installed"; continue; }
    for standard in c99 c11 c17 c2x; do
      $compiler -std=$standard -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude tests/lint/header.c ||
        wrong "plait.h: $compiler -std=$standard"
      tried=$((tried + 1))
    done
  done
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || { echo "without $compiler: it is not installed"; continue; }
    for standard in c++17 c++20; do
      $compiler -std=$standard -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude tests/lint/header.cpp ||
        wrong "plait.h: $compiler -std=$standard"
      tried=$((tried + 1))
    done
  done
  [ $tried -gt 0 ] || skip "no compiler is installed under its usual name"
}

# The drivers' headers and OpenMP may be missing; so are the files that need them, then.
check_warnings() {
  tried=0
  for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "without $compiler: it is not installed"; continue; }
    openmp=-fopenmp
    has_header() { printf '#include <%s>\n' "$@" | $compiler $openmp -fsyntax-only -x c - 2>/dev/null; }
    left_out=
    has_header omp.h || { openmp=; left_out="omp.c"; }
    has_header cuda.h nvrtc.h || left_out="$left_out cuda.c cuda_shared.c"
    has_header CL/cl.h || left_out="$left_out opencl.c opencl_code.c opencl_queue.c opencl_shared.c"
    [ -z "$left_out" ] || echo "$compiler: without ${left_out# }, whose headers are not installed"
    for file in src/*/*.c; do
      case " $left_out " in *" ${file##*/} "*) continue ;; esac
      $compiler -std=gnu11 $openmp -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -Isrc \
        -DPLAIT_HAVE_OPENMP=$([ "$openmp" ] && echo 1 || echo 0) "$file" || wrong "$file: $compiler warns"
    done
    tried=$((tried + 1))
  done
  [ $tried -gt 0 ] || skip "neither gcc nor clang is installed"
}

# docs/environment.md shows the options of src/core/options.h.
check_options() { # program that prints the table
  "$1" >"$2"
  sed -n '/^<!-- options:/,/^<!-- end of options/p' docs/environment.md | sed '1d;$d' | diff "$2" - >&2 ||
    wrong "docs/environment.md: its table is not that of src/core/options.h (< wanted, > there)"
}

without_blanks() { tr -d ' \t\n'; }

# Programs and kernels shown in the documents are those that the tests run; links lead somewhere.
check_docs() {
  shown=$(awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' README.md)
  kept=$(awk 'body { print } /\*\/$/ { body = 1 }' tests/install/user/first.c)
  [ "$shown" ] && [ "$shown" = "$kept" ] || wrong "README.md: the program is not tests/install/user/first.c"
  kernels=0
  program=$(without_blanks <tests/install/user/tutorial.c)
  awk '/^PL_KERNEL/ { on = 1 } on { printf "%s", $0 } /^}\)/ { if (on) print ""; on = 0 }' docs/getting-started.md >"$1"
  while read -r kernel; do
    kernels=$((kernels + 1))
    case $program in
      *"$(echo "$kernel" | without_blanks)"*) ;;
      *) wrong "docs/getting-started.md: not in tests/install/user/tutorial.c: $kernel" ;;
    esac
  done <"$1"
  [ $kernels = 3 ] || wrong "docs/getting-started.md: $kernels kernels were found, not 3"
  for page in *.md docs/*.md apps/*/*.md; do
    for link in $(sed 's/`[^`]*`//g' "$page" | grep -o '](\([^)#]*\)' | sed 's/](//' | grep -v '^http' || true); do
      [ -e "$(dirname "$page")/$link" ] || wrong "$page: the link $link leads nowhere"
    done
  done
}

# One version: CMakeLists.txt, plait.h, CITATION.cff, CHANGELOG.md.
check_version() {
  version=$(sed -n 's/^project(plait VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
  [ "$version" ] || wrong "CMakeLists.txt: no version"
  grep -q "^#define PLAIT_VERSION \"$version\"$" include/plait.h || wrong "plait.h: PLAIT_VERSION is not $version"
  numbers=$(sed -n 's/^#define PLAIT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/plait.h | paste -sd.)
  [ "$numbers" = "$version" ] || wrong "plait.h: its numbers are $numbers, not $version"
  grep -q "^version: $version$" CITATION.cff || wrong "CITATION.cff: its version is not $version"
  grep -q "^## $version" CHANGELOG.md || wrong "CHANGELOG.md: no section on $version"
}

check_scripts() {
  for script in scripts/* .ci/run bench/run tests/*/*.sh; do
    [ -e "$script" ] || continue
    read -r first <"$script"
    case $first in
      *sh) sh -n "$script" || wrong "$script: a syntax error" ;;
    esac
    case $script in
      tests/*) ;;
      *) [ -x "$script" ] || wrong "$script: not executable" ;;
    esac
  done
}

what=$1
shift
"check_$what" "$@"
exit $bad
