# SPDX-License-Identifier: BSD-2-Clause
# Completion of plait in bash. The words are those of --help.

# The commands and options that "plait [COMMAND] --help" prints.
_plait_words() {
  "$@" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'
  "$@" --help 2>/dev/null | grep -o -- '--[a-z][a-z-]*' | sort -u
}

_plait() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_plait_words "$1")" -- "$current")
  elif [ "$command" = cache ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_plait_words "$1" cache)" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_plait_words "$1" "$command")" -- "$current")
  elif [[ " mesh roofline show trace " == *" $command "* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}

complete -F _plait plait
