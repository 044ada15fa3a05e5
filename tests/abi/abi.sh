#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Compares the binary interface with that of the last release of this minor version (README.md). Usage, from the root of the
# sources:
#   abi.sh dump               prints the interface: types, and each function without its contents
#   abi.sh check RELEASE WORK compares it with the file RELEASE; exit status 77 without abidiff or RELEASE
set -eu

here=$(dirname "$0")

# The preprocessed public headers, without what they include from elsewhere and without inline functions.
dump() {
  printf '#include <stddef.h>\n#include <stdint.h>\n'
  printf '#include <%s>\n' plait.h plait_dlpack.h | cc -E -x c -Iinclude - | awk '
    /^# [0-9]/ { ours = $3 ~ /\/plait(_dlpack)?\.h"$|\/plait\/[a-z]*\.h"$/; next }
    !ours || !NF { next }
    /^static inline/ { inside = 1; next }
    inside { inside = !/^}/; next }
    { gsub(/__attribute__\(\(visibility\("default"\)\)\)/, "PL_API"); sub(/^extern PL_API/, "PL_API") }
    /^PL_API/ { function_ = ""; declares = 1 }
    declares { sub(/^ +/, " "); function_ = function_ $0
      if (/;$/) { sub(/^PL_API /, "", function_); sub(/;$/, " {}", function_); print function_; declares = 0 }
      next }
    { print }'
}

wrong() { echo "$*" >&2; exit 1; }

# Structs that go with their size: a later version may append members.
growing="pl_settings pl_solver_options pl_solver_result pl_device_info pl_kernel_options pl_partition_options pl_partition_info pl_stats pl_profile_entry
  pl_pair_stats pl_hdf5_objects pl_map_pair pl_csr pl_tool_event pl_tool pl_tool_context"

# Prints a source without what may be appended to the release: members of growing structs, and the enumerators that count.
without_additions() { # release, source
  awk -v growing="$growing" '
    BEGIN { n = split(growing, name); for (i = 1; i <= n; i++) grows[name[i]] = 1 }
    /^typedef struct [a-z_0-9]+ {/ { type = $3; row = 0 }
    /^}/ { type = "" }
    { gsub(/, PL_ERR_COUNT|, PL_TOOL_KINDS/, "") }
    FNR == NR { if (type in grows) rows[type]++; next }
    type in rows && ++row > rows[type] { next }
    { print }' "$1" "$2"
}

# Whether a program of the release runs with a library of the source.
same() { # release, source
  for source; do
    without_additions "$1" "$source" >"${source%.c}_kept.c"
    cc -std=gnu11 -w -g -O0 -fPIC -shared -o "${source%.c}.so" "${source%.c}_kept.c" || wrong "$source cannot be compiled"
  done
  abidiff --no-added-syms "${1%.c}.so" "${2%.c}.so"
}

# The comparison finds what it is for: edits of the release's own file.
prove() { # release, work
  edit() { sed "$2" "$1" >"$3"; ! cmp -s "$1" "$3" || wrong "the edit $2 changes nothing"; }
  for incompatible in 's/^pl_err pl_dat_put(.*//' 's/^  double seconds;/  float seconds;/' 's/PL_WRITE,/PL_OTHER, PL_WRITE,/' \
      's/^  uint64_t launches;/  int more;\n&/' 's/^  int zeroed;/&\n  int more;\n  void *other;/' \
      's/int64_t n, const char \*name/int n, const char *name/'; do
    edit "$1" "$incompatible" "$2/edited.c"
    ! same "$1" "$2/edited.c" >/dev/null || wrong "abidiff accepts: $incompatible"
  done
  for compatible in 's/^  double halo_seconds;/&\n  double more;/' 's/^pl_err pl_dat_put(.*/&\npl_err pl_more(pl_dat *dat) {}/' \
      's/, PL_ERR_COUNT/, PL_ERR_MORE&/'; do
    edit "$1" "$compatible" "$2/edited.c"
    same "$1" "$2/edited.c" || wrong "abidiff refuses: $compatible"
  done
}

case $1 in
  dump) dump ;;
  check)
    for tool in abidiff cc; do command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }; done
    [ -e "$2" ] || { echo "skipped: there is no release of this minor version yet ($2)"; exit 77; }
    mkdir -p "$3"
    cp "$2" "$3/release.c"
    dump >"$3/now.c"
    [ "$(grep -c ' {}$' "$3/now.c")" -ge "$(wc -l <tests/lint/symbols.txt)" ] || wrong "functions are missing in $3/now.c"
    same "$3/release.c" "$3/now.c" || wrong "the interface is incompatible with $2: tests/abi/README.md"
    prove "$3/release.c" "$3"
    ;;
esac
