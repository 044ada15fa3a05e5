#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The words that a shell completes are those of the line "usage:" of --help. Exit status 77: the shell is not installed.
#   completion.sh bash|zsh PLAIT SOURCES
set -eu
shell=$1 plait=$2 sources=$3
command -v "$shell" >/dev/null || { echo "skipped: $shell is not installed"; exit 77; }

wrong() { echo "$*" >&2; exit 1; }

# The words completed after "plait WORDS", of which the last is not complete.
completed() {
  case $shell in
    # shellcheck disable=SC2016
    bash) bash -c '. "$1/plait.bash"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _plait "$1"; printf "%s\n" "${COMPREPLY[@]}"' - "$sources" "$plait" "$@" ;;
    # shellcheck disable=SC2016
    zsh) zsh -fc 'file=$1/_plait; shift; compadd() { shift; print -l -- ${(M)@:#$words[-1]*} }
        _files() { print -l -- $words[-1]*(N) }; words=("$@") CURRENT=$#; . $file' - "$sources" "$plait" "$@" ;;
  esac | sort
}
usage() { # words of a command: those of its usage that are typed as they are
  "$plait" "$@" --help | sed -n 's/^usage: plait//p' | tr ' |[]' '\n\n\n\n' | grep -E '^(--)?[a-z-]+$'
}

usage >/dev/null || wrong "plait --help has no usage"
[ "$(completed '')" = "$(usage | sort)" ] || wrong "plait: $(completed '')"
[ "$(completed ca)" = cache ] || wrong "plait ca: $(completed ca)"
[ "$(completed --v)" = --version ] || wrong "plait --v: $(completed --v)"
[ "$(completed cache '')" = "$(usage cache | grep -vx cache | sort)" ] || wrong "plait cache: $(completed cache '')"
[ "$(completed cache clear --o)" = --older-than ] || wrong "plait cache clear --o: $(completed cache clear --o)"
[ -z "$(completed info '')" ] || wrong "plait info: $(completed info '')"
[ "$(completed mesh --t)" = --to ] || wrong "plait mesh --t: $(completed mesh --t)"
[ "$(completed show --k)" = --kernel ] || wrong "plait show --k: $(completed show --k)"
cd "$sources"
for command in mesh roofline show trace; do
  [ "$(completed $command plait.)" = plait.bash ] || wrong "plait $command plait.: $(completed $command plait.)"
done
