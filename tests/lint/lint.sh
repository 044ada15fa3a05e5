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

# Sources of the project; golden texts are the library's output, and kernels of weak forms FFCx's, not sources.
sources() { # suffixes...
  for suffix; do
    find src include apps bench tests -type f -name "*.$suffix" ! -path "tests/golden/*" ! -name "*.ufcx.c" | sort
  done
  for suffix; do find tests/golden -maxdepth 1 -name "golden.$suffix" 2>/dev/null; done
}

# ---- checks ----

# Prints what tests/lint/modules.txt does not allow among pairs "module other why" on standard input.
refuse_arrows() {
  awk '
    FNR == NR { if (/^[a-z]/ && $1 != "interface") { sub(/:.*/, "", $1); known[$1] = 1
                  for (i = 2; i <= NF; i++) { allowed[$1, $i] = 1
                    if (!($i in known)) print "modules.txt: " $1 " names " $i ", which does not stand above it" } }
                next }
    !($1 in known) { print $3 ": module " $1 " is not in tests/lint/modules.txt"; next }
    $1 != $2 && !(($1, $2) in allowed) { print $3 ": " $1 " may not use " $2 }
  ' tests/lint/modules.txt -
}

# Modules use each other, by includes and by calls, as modules.txt says; no module is larger than its limit, and the headers
# of each foreign library stand in one file.
check_modules() { # objects...
  command -v nm >/dev/null || skip "nm is not installed"
  arrows=$(mktemp)
  find src -type f \( -name '*.[ch]' -o -name '*.def' \) | sort | xargs awk '
    { layer = FILENAME; sub(/^src\//, "", layer); sub(/\/[^\/]*$/, "", layer) }
    /^[ \t]*#[ \t]*include[ \t]*"/ { path = $0; sub(/^[^"]*"/, "", path); sub(/".*/, "", path)
      if (path ~ /^plait\.h$/ || path !~ /\//) next
      other = path; sub(/\/[^\/]*$/, "", other); print layer, other, FILENAME ":#include\"" path "\"" }' >"$arrows"
  nm -gA "$@" | sed 's|^[^:]*/src/||; s|^[^:]*/interface_tables\.c\.o|core/languages/interface_tables.c.o|
    s|^/[^:]*|codegen/templates/texts.c.o|; s|:| |' | awk '
    FNR == NR { public[$1] = 1; next }
    { file = $1; sub(/\.o$/, "", file); module = file; sub(/\/[^\/]*$/, "", module); kind = $(NF - 1); name = $NF }
    kind == "U" { user[++n] = module; what[n] = name; from[n] = file; next }
    kind ~ /[TRDB]/ { home[name] = module }
    END { for (i = 1; i <= n; i++)
      if ((what[i] in home) && !(user[i] ~ /^mesh\// && (what[i] in public))) print user[i], home[what[i]], "src/" from[i] ":" what[i] }
  ' tests/lint/symbols.txt - >>"$arrows"
  [ -s "$arrows" ] || wrong "no includes and calls were found"
  found=$(refuse_arrows <"$arrows")
  rm -f "$arrows"
  [ -z "$found" ] || wrong "$found"
  limit=$(sed -n 's/^# limit: \([0-9]*\) files.*/\1/p' tests/lint/modules.txt)
  for folder in $(find src -type d); do
    files=$(find "$folder" -maxdepth 1 -type f | wc -l)
    [ "$files" -le "$limit" ] || wrong "$folder: $files files, more than $limit"
  done
  for header in mpi.h metis.h ptscotch.h hdf5.h cuda.h nvrtc.h hip/hip_runtime_api.h hip/hiprtc.h CL/cl.h; do
    users=$(grep -rlE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$header>" src || true)
    [ "$(echo "$users" | wc -w)" -le 1 ] || wrong "<$header> is included by more than one file: $users"
  done
}

# A function is declared in the header of the file that defines it; modules.txt lists the headers that are interfaces of
# several files.
check_headers() { # objects...
  command -v nm >/dev/null || skip "nm is not installed"
  defined=$(mktemp)
  nm -gA "$@" | awk '$(NF - 1) == "T" { name = $NF; sub(/\.c\.o:.*/, ""); sub(/.*\/src\//, ""); print name, $0 }' >"$defined"
  found=$(find src -name '*.h' | sort | xargs awk '
    FILENAME == ARGV[1] { home[$1] = $2; next }
    FILENAME == ARGV[2] { if ($1 == "interface") open[$2] = 1; next }
    FNR == 1 { header = FILENAME; sub(/^src\//, "", header); stem = header; sub(/\.h$/, "", stem); depth = 0 }
    /^[a-z].*[ *]pl_[a-z0-9_]+\(/ && !/^(typedef|static)/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
      if ((name in home) && home[name] != stem && !(header in open)) print "src/" header ": declares " name " of " home[name] ".c" }
  ' "$defined" tests/lint/modules.txt)
  rm -f "$defined"
  [ -z "$found" ] || wrong "$found"
}

# Targets differ in the columns of the dialect table and in their folders, not in comparisons of their names.
check_targets() {
  ! grep -rnE '"(cuda|opencl|hip)"' src --include='*.[ch]' |
    grep -vE '^src/(codegen/target/|backends/(cuda|opencl|hip)/)' || wrong "a target is named outside its folder"
}

# Old terms (docs/glossary.md) come back neither in identifiers nor in messages.
check_words() {
  found=$(find src include -type f | sort | xargs awk '
    FILENAME == ARGV[1] { if (/^[a-z]/) old[$1] = $2; next }
    { line = $0
      gsub(/[^A-Za-z]+/, " ", line)
      n = split(line, part, " ")
      for (i = 1; i <= n; i++) if (tolower(part[i]) in old) print FILENAME ":" FNR ": \"" part[i] "\", better: " old[tolower(part[i])] }
  ' tests/lint/words.txt)
  [ -z "$found" ] || wrong "$found"
}

# The functions that the public headers declare; a tool library defines plait_tool_open.
declared_functions() {
  cat include/*.h include/plait/*.h | tr '\n' ' ' | sed 's/PL_API /\n&/g' | grep '^PL_API [^#]*(' |
    sed "s/^PL_API \\([^(]*\\)(.*/\\1/; s/ *$//; s/.*[ *]//" | grep -vxE "plait_tool_open|__attribute__" | sort
}

# The list has the declared functions (standard input); the shared library exports them, all of one version, and nothing else.
exports() { # list, library, version, file
  diff "$1" - >&2 || wrong "the headers declare other functions than $1 lists (< listed, > declared)"
  nm -D --defined-only "$2" | awk '$2 != "A" { print $3 }' | sort >"$4"
  sed "s/\$/@@$3/" "$1" | sort | diff - "$4" >&2 ||
    wrong "the exported symbols of $2 differ from $1 and version $3 (< wanted, > exported)"
}

check_symbols() { # library, version, file
  command -v nm >/dev/null || skip "nm is not installed"
  declared_functions | exports tests/lint/symbols.txt "$1" "$2" "$3"
}

# The same of libplait-mesh, whose header marks its functions with PL_MESH_API.
check_mesh_symbols() { # library, version, file
  command -v nm >/dev/null || skip "nm is not installed"
  sed -n 's/^PL_MESH_API .*[ *]\([a-z_]*\)(.*/\1/p' include/plait/mesh.h | sort | exports tests/lint/mesh_symbols.txt "$1" "$2" "$3"
}

# The names of inline functions and of macros with parameters that the public headers leave defined.
inline_names() {
  cat include/*.h include/plait/*.h | awk '
    /^#undef / { undone[$2] = 1 }
    /^#define [A-Za-z_0-9]*\(/ { name = $2; sub(/\(.*/, "", name); print name }
    /^(static |template .*)?inline / { name = $0; sub(/^template <[^>]*>/, "", name); joined = 1; text = "" }
    joined { text = text " " $0
      if (text ~ /inline.*\(/) { name = text; sub(/^.*inline /, "", name); sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); print name; joined = 0 } }
    END { for (name in undone) print "undone " name }' |
    awk '/^undone / { undone[$2] = 1; next } { name[$1] = 1 } END { for (n in name) if (!(n in undone) && n !~ /_$/) print n }' | sort
}

# Another language can call a function in place of each inline function and macro: by the rules of plait/languages.h, or as
# counterparts.txt says.
check_counterparts() {
  names=$(inline_names)
  [ "$(echo "$names" | wc -l)" -ge 50 ] || wrong "only $(echo "$names" | wc -l) inline functions and macros were found"
  for name in $names; do
    known=$(sed -n "s/^$name: //p" tests/lint/counterparts.txt)
    case $known in
      -*) continue ;;
      "") known="${name}_args ${name}_as ${name}_sized pl_put_${name#pl_}" ;;
    esac
    found=
    for symbol in $known; do ! grep -qx "$symbol" tests/lint/symbols.txt || found=$symbol; done
    [ "$found" ] || wrong "$name has no exported counterpart ($known) and tests/lint/counterparts.txt gives no reason"
  done
  for name in $(sed -n 's/^\([A-Za-z_0-9]*\): .*/\1/p' tests/lint/counterparts.txt); do
    echo "$names" | grep -qx "$name" || wrong "tests/lint/counterparts.txt: the headers define no $name"
  done
}

# The library does not end the program, start a shell or print; stderr is for warnings and profiles alone.
check_calls() { # objects...
  command -v nm >/dev/null || skip "nm is not installed"
  [ $# -gt 0 ] || wrong "no objects were given"
  banned=' (_?exit|_Exit|quick_exit|abort|__assert_fail|system|popen|__printf_chk|__vprintf_chk|v?printf|puts|putchar|stdout|longjmp|fork|vfork|gets|strtok|setenv|putenv|chdir|signal)(@.*)?$'
  symbols=$(nm -uA "$@")
  found=$(echo "$symbols" | grep -E "$banned" || true)
  [ -z "$found" ] || wrong "the library uses $found"
  found=$(echo "$symbols" | grep -E ' (stderr|perror)(@.*)?$' | grep -vE '/(error|profile_write|chain_report)\.c\.o:' || true)
  [ -z "$found" ] || wrong "the library writes to stderr: $found"
  ! grep -rnE --include='*.[ch]' '(^|[^[:alnum:]_])(system|popen|exec[lv]p?e?) *\(' src || wrong "the library starts a shell or program"
}

# A process_lock is no state: it guards what a library outside keeps for the whole process. thread_error is the
# message of a call without an object, which therefore knows no context to keep it.
check_globals() { # objects...
  command -v nm >/dev/null || skip "nm is not installed"
  found=$(nm -A "$@" | awk '$2 ~ /^[BbDdCGgSs]$/ && $3 !~ /\.(cold|part)/ && $3 !~ /^(__|\.omp|completed|process_lock|thread_error)/ {
    sub(/:[^:]*$/, "", $1); print $1 ":" $2 ":" $3 }')
  for symbol in $found; do
    object=${symbol%%:*}
    name=${symbol##*:}
    case $symbol in *:[dD]:*) ! is_constant "$object" "$name" || continue ;; esac
    wrong "$object: \"$name\" is a mutable global"
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
      scripts/* .ci/run bench/run packaging/debian/tests/first-*; do
    [ -e "$file" ] || continue
    head -n 3 "$file" | grep -q "SPDX-License[-]Identifier: BSD-2-Clause" || wrong "$file: no SPDX line at its beginning"
  done
}

# REUSE.toml and the SPDX lines name the copyright and the licence of every file.
check_reuse() {
  command -v reuse >/dev/null || skip "reuse is not installed (pip install reuse)"
  version=$(reuse --version | sed -n 's/^reuse, version \([0-9]*\).*/\1/p')
  [ "${version:-0}" -ge 4 ] || skip "reuse is older than version 4 and does not read REUSE.toml"
  reuse lint --lines >&2 || wrong "reuse lint: see above"
  cmp LICENSE LICENSES/BSD-2-Clause.txt >&2 || wrong "LICENSES/BSD-2-Clause.txt is not LICENSE"
}

check_sizes() {
  for file in $(find src -type f); do
    lines=$(wc -l <"$file")
    [ "$lines" -le 700 ] || wrong "$file: $lines lines, more than 700"
  done
}

# Code asks the tables of kinds (core/data/arg_info.h, loop_object.h) for properties of an argument or a loop, so that a
# new kind needs a row and few lines elsewhere.
check_kinds() {
  tests=$(grep -rhE 'kind (==|!=) PL_ARG_|case PL_ARG_' src | wc -l)
  [ "$tests" -le 80 ] || wrong "$tests lines test an argument's kind, more than 80: ask pl_arg_traits_of"
  tests=$(grep -rhE 'loop->(set->pairs|blocks)( \?| &&| \|\||\)( |$))|kind (==|!=) PL_LOOP_|case PL_LOOP_' src | wc -l)
  [ "$tests" -le 5 ] || wrong "$tests lines test a loop's kind, more than 5: ask pl_loop_traits_of"
}

# Each public header compiles alone.
headers_alone() { # compiler, options...
  for file in $(cd include && ls plait/*.h *.h); do
    echo "#include <$file>" | "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude - || wrong "$file alone: $*"
  done
}

# The public headers, alone and in use, in every language version.
check_header() {
  public=$(find include -name '*.h' | sort)
  # shellcheck disable=SC2086 # file names without blanks
  ! grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' $public || wrong "a public header includes a file by a relative path"
  # shellcheck disable=SC2086
  ! grep -nE '<(mpi|cuda|hip/[a-z_]*|CL/cl|omp)\.h>' $public || wrong "a public header includes a backend's header"
  for file in include/plait/*.h; do
    [ "$file" != include/plait/mesh.h ] || continue # of libplait-mesh
    [ "$(grep -c "^#include <${file#include/}>" include/plait.h)" = 1 ] || wrong "plait.h does not include <${file#include/}>"
  done
  tried=0
  for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "without $compiler: it is not installed"; continue; }
    for standard in c99 c11 c17 c2x; do
      $compiler -std=$standard -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude tests/lint/header.c ||
        wrong "plait.h: $compiler -std=$standard"
      tried=$((tried + 1))
    done
    headers_alone $compiler -std=c99 -x c
  done
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || { echo "without $compiler: it is not installed"; continue; }
    for standard in c++17 c++20; do
      $compiler -std=$standard -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude tests/lint/header.cpp ||
        wrong "plait.h: $compiler -std=$standard"
      tried=$((tried + 1))
    done
    headers_alone $compiler -std=c++17 -x c++
  done
  [ $tried -gt 0 ] || skip "no compiler is installed under its usual name"
}

# The drivers' headers and OpenMP may be missing; so are the files that need them, then.
check_warnings() { # compilers...
  tried=0
  for compiler; do
    command -v $compiler >/dev/null || { echo "without $compiler: it is not installed"; continue; }
    openmp=-fopenmp
    has_header() { printf '#include <%s>\n' "$@" | $compiler $openmp -fsyntax-only -x c - 2>/dev/null; }
    left_out=
    has_header omp.h || { openmp=; left_out="src/backends/cpu/openmp.c"; }
    has_header cuda.h nvrtc.h || left_out="$left_out src/backends/cuda/"
    has_header hip/hip_runtime_api.h || left_out="$left_out src/backends/hip/"
    has_header mpi.h || left_out="$left_out src/core/comm/mpi_comm.c src/core/comm/mpi_messages.c"
    has_header hdf5.h || left_out="$left_out src/core/io/hdf5_file.c src/core/io/hdf5_growing.c"
    has_header metis.h || left_out="$left_out src/plan/partition/metis.c"
    has_header ptscotch.h || left_out="$left_out src/plan/partition/scotch.c"
    has_header HYPRE.h mpi.h || left_out="$left_out src/plan/packages/hypre.c src/plan/packages/hypre_options.c"
    has_header dmumps_c.h mpi.h || left_out="$left_out src/plan/packages/mumps.c"
    has_header petscksp.h mpi.h || left_out="$left_out src/plan/packages/petsc.c"
    has_header cudss.h || left_out="$left_out src/plan/packages/cudss.c"
    has_header amgx_c.h || left_out="$left_out src/plan/packages/amgx.c"
    has_header CL/cl.h || left_out="$left_out src/backends/opencl/"
    [ -z "$left_out" ] || echo "$compiler: without ${left_out# }, whose headers are not installed"
    for file in $(find src -name '*.c' | sort); do
      case " $left_out " in *" $file "* | *" ${file%/*}/ "*) continue ;; esac
      $compiler -std=gnu11 $openmp -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -Isrc \
        -DPLAIT_HAVE_OPENMP=$([ "$openmp" ] && echo 1 || echo 0) "$file" || wrong "$file: $compiler warns"
    done
    tried=$((tried + 1))
  done
  [ $tried -gt 0 ] || skip "none of $* is installed"
}

# Files that use OpenMP or optional packages, compiled without any of them. With --full install.bare compiles all files.
check_optional() { # compiler
  command -v "$1" >/dev/null || skip "$1 is not installed"
  files=$(grep -rlE --include='*.c' 'threads/threads\.h|PLAIT_HAVE_|_OPENMP|backends\.def' src | grep -v cpu/openmp.c)
  [ "$files" ] || wrong "no file uses OpenMP"
  # shellcheck disable=SC2086 # a list of files
  "$1" -std=gnu11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Isrc -Iinclude $files || wrong "a file needs an optional package"
}

# docs/environment.md shows the options of src/core/context/options.h.
check_options() { # program that prints the table
  "$1" >"$2"
  sed -n '/^<!-- options:/,/^<!-- end of options/p' docs/environment.md | sed '1d;$d' | diff "$2" - >&2 ||
    wrong "docs/environment.md: its table is not that of src/core/context/options.h (< wanted, > there)"
}

# The program that a page shows is the one that the tests compile.
same_program() { # page, file
  shown=$(awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$1")
  kept=$(awk 'body { print } /\*\/$/ { body = 1 }' "$2")
  [ "$shown" ] && [ "$shown" = "$kept" ] || wrong "$1: the program is not $2"
}

# Each part of programs that a page shows is in one of them.
shows_parts() { # page, programs...
  page=$1
  shift
  awk -v programs="$*" '
    BEGIN { n = split(programs, program, " "); for (i = 1; i <= n; i++) while ((getline line <program[i]) > 0) whole = whole line "\n" }
    /^```c$/ { on = 1; part = ""; next }
    /^```$/ { if (on && !index(whole, part)) { print FILENAME ": not in " programs ": " part; bad = 1 } parts += on; on = 0 }
    on { part = part $0 "\n" }
    END { exit bad || !parts }' "$page" >&2 || wrong "$page does not show $*"
}

# Each line of C that a page shows is in one of the programs, apart from blanks, comments, quotes and the last semicolon:
# programs put PL_OK(pl, ...) around calls, and have texts of kernels in strings.
shows_lines() { # page, programs...
  page=$1
  shift
  PROGRAMS=$(cat "$@" | sed 's/\\n"/"/' | tr -d ' \n"') awk '
    /^```c$/ { on = 1; next }
    /^```$/ { on = 0 }
    on { line = $0
      gsub(/\/\*.*\*\/| |"/, "", line)
      sub(/(\\n)?;?$/, "", line)
      if (line != "" && !index(ENVIRON["PROGRAMS"], line)) { print FILENAME ":" FNR ": no program has " $0; bad = 1 }
      lines += line != "" }
    END { exit bad || !lines }' "$page" >&2 || wrong "$page: its lines are not in $*"
}

# The texts of the sources in one line: parts of a string joined, and each conversion as "...".
messages() {
  find src -name '*.[ch]' | sort | xargs cat | tr '\n' ' ' | sed 's/\([^\]\)" *"/\1/g; s/\\"/"/g; s/%[-+0-9.*hlzj]*[a-zA-Z]/.../g'
}

# The messages that a page explains, in backquotes at the beginning of the rows of its tables, are in the sources.
quotes_messages() { # page, file
  messages >"$2"
  quoted=0
  while read -r message; do
    quoted=$((quoted + 1))
    grep -qF -- "$message" "$2" || wrong "$1: the sources have no message $message"
  done <<MESSAGES
$(sed -n 's/^| `\([^`]*\)`.*/\1/p' "$1")
MESSAGES
  [ $quoted -ge 50 ] || wrong "$1: only $quoted messages were found"
}

# Functions, types and macros that a page for users names are in the public headers, or in generated code.
names_interface() { # file
  words='\b(pl_[a-z0-9_]*[a-z0-9]|PL_[A-Z][A-Z0-9_]*[A-Z0-9])\b'
  grep -rhoE "$words" include src/codegen | sort -u >"$1"
  for page in README.md docs/*.md; do
    [ $page != docs/glossary.md ] || continue # it has old names, too
    for name in $(grep -oE "$words" $page | sort -u | comm -23 - "$1"); do wrong "$page: there is no $name"; done
  done
}

# Programs and kernels shown in the documents are those that the tests run; links lead somewhere.
check_docs() {
  same_program README.md tests/install/user/first.c
  same_program docs/tools.md tests/tools/event_log.c
  same_program docs/interop.md tests/install/user/shared.c
  same_program docs/matrices.md tests/install/user/matrix.c
  same_program docs/mixed.md tests/install/user/mixed.c
  same_program docs/solvers.md tests/install/user/solver.c
  same_program docs/solver-packages.md tests/install/user/direct.c
  same_program docs/generated-kernels.md tests/install/user/generated.c
  shows_parts docs/first-matrix.md apps/poisson/poisson.c
  shows_parts docs/aero.md apps/aero/aero.c
  shows_parts docs/heat.md apps/heat/heat.c
  shows_parts docs/elasticity.md apps/elasticity/elasticity.c
  shows_parts docs/stokes.md apps/stokes/stokes.c
  shows_parts docs/hyperelasticity.md apps/hyperelasticity/hyperelasticity.c
  shows_parts docs/forms.md apps/forms/forms.c
  shows_parts docs/euler.md apps/euler/kernels.c apps/euler/flow.c
  shows_parts docs/meshes.md tests/install/user/plate.c
  same_program docs/random.md tests/install/user/brownian.c
  same_program docs/checkpoints.md tests/install/user/restart.c
  same_program docs/files.md tests/install/user/files.c
  same_program docs/pictures.md tests/install/user/picture.c
  shows_parts docs/airfoil.md apps/airfoil/kernels.h apps/airfoil/solver.c
  shows_parts docs/coming-from.md tests/install/user/from_op2.c tests/install/user/from_pyop2.c \
    tests/install/user/from_compyle.c tests/install/user/from_kokkos.c
  listings=tests/install/user/listings.c
  for page in algorithms chains kernel-language programs; do shows_lines docs/$page.md $listings; done
  shows_lines docs/getting-started.md tests/install/user/tutorial.c $listings
  quotes_messages docs/troubleshooting.md "$1"
  shown=$(awk '/^```python$/ { on = 1; next } /^```$/ { on = 0 } on' docs/languages.md)
  [ "$shown" ] && [ "$shown" = "$(sed 1d tests/languages/ring.py)" ] || wrong "docs/languages.md: the program is not tests/languages/ring.py"
  for page in *.md $(find docs -name '*.md') apps/*/*.md; do
    for link in $(sed 's/`[^`]*`/x/g' "$page" | grep -o ']([^) ]*)' | sed 's/^](//; s/)$//' | grep -v '^http' || true); do
      check_link "$page" "$link"
    done
  done
  names_interface "$1"
  check_internals
}

# The file of a link exists, and the heading of its anchor.
check_link() { # page, link
  file=${2%%#*}
  file=${file:+$(dirname "$1")/$file}
  file=${file:-$1}
  [ -e "$file" ] || wrong "$1: the link $2 leads nowhere"
  case $2 in
    *.md#* | \#*)
      [ ! -e "$file" ] || anchors "$file" | grep -qx -- "${2#*#}" || wrong "$1: $file has no heading #${2#*#}" ;;
  esac
}

# Headings as GitHub names them: lower case, blanks as hyphens, no other punctuation.
anchors() { # page
  sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# Each module of src has a page that names its files. What a page names in backquotes exists: files (with their path, or
# alone), and the library's functions and types.
check_internals() {
  for folder in $(find src -name '*.c' -o -name '*.inc' | sed 's,/[^/]*$,,' | sort -u); do
    page=docs/internals/${folder#src/}.md
    [ -e "$page" ] || page=docs/internals/${folder#src/}/README.md
    [ -e "$page" ] || { wrong "$folder has no page in docs/internals"; continue; }
    for file in "$folder"/*.c "$folder"/*.inc; do
      [ ! -e "$file" ] || grep -q "\`${file##*/}\`" "$page" || wrong "$page does not name ${file##*/}"
    done
  done
  known=$(find src include tests apps bench docs cmake -type f | sed 's,.*/,,' | sort -u)
  names=$(grep -rhoE '\bpl_[a-z0-9_]+' src include tests/lint/symbols.txt | sort -u)
  for page in $(find docs/internals -name '*.md'); do
    for word in $(grep -o '`[^` ]*`' "$page" | tr -d '\`' | sort -u); do
      case $word in
        "<"*) ;;
        */*.[chi]* | */*.md | */*.sh | */*.txt) [ -e "src/$word" ] || [ -e "$word" ] || wrong "$page: there is no file $word" ;;
        *.[ch] | *.inc | *.sh) echo "$known" | grep -qx -- "$word" || wrong "$page: there is no file $word" ;;
        pl_*) echo "$names" | grep -qx -- "${word%%[!a-z0-9_]*}" || wrong "$page: the library has no $word" ;;
      esac
    done
  done
}

# One version: CMakeLists.txt, plait/core.h, CITATION.cff, CHANGELOG.md.
check_version() {
  version=$(sed -n 's/^project(plait VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
  [ "$version" ] || wrong "CMakeLists.txt: no version"
  grep -q "^#define PLAIT_VERSION \"$version\"$" include/plait/core.h || wrong "plait/core.h: PLAIT_VERSION is not $version"
  numbers=$(sed -n 's/^#define PLAIT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/plait/core.h | paste -sd.)
  [ "$numbers" = "$version" ] || wrong "plait/core.h: its numbers are $numbers, not $version"
  grep -q "^version: $version$" CITATION.cff || wrong "CITATION.cff: its version is not $version"
  grep -q "^## \[$version\] - " CHANGELOG.md || wrong "CHANGELOG.md: no section on $version"
}

check_scripts() {
  for script in scripts/* .ci/run bench/run packaging/debian/tests/first-* tests/*/*.sh tests/apps/*/*.sh; do
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
