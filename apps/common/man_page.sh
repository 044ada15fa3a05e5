#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes the manual page of a program whose options are parsed by options.c, from its --help and --version, to standard
# output.
#   man_page.sh PROGRAM
set -eu
version=$("$1" --version | sed "s/.*(\(.*\))/\1/")
"$1" --help | awk -v version="$version" '
  function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    sub(/^[.\x27]/, "\\\\\\&&", text)
    return text
  }
  function option(line, words, head, help) {
    head = line
    help = ""
    if (match(line, /  --[^ ]+( [^ ]+)?  +/) == 1) {
      head = substr(line, 1, RLENGTH)
      help = substr(line, RLENGTH + 1)
    }
    split(head, words, " ")
    printf ".TP\n\\fB%s\\fR", escape(words[1])
    if (words[2] != "") printf " \\fI%s\\fR", escape(words[2])
    printf "\n"
    if (help != "") print escape(help)
  }
  NR == 1 { name = $2; next }
  part == "" && NF {
    short = $0
    sub(/[.:] .*|\.$/, "", short)
    printf ".\\\" Written by man_page.sh from --help.\n.TH %s 1 \"\" \"%s\" \"User Commands\"\n", toupper(name), version
    printf ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n.RI [ options ]\n.SH DESCRIPTION\n", name, escape(short), name
    part = "summary"
  }
  /^Options:$/ { print ".SH OPTIONS"; part = "options"; next }
  part == "options" && !NF { print ".SH NOTES"; part = "notes"; next }
  part == "options" && /^  --/ { option($0); next }
  part == "notes" && !NF { print ".PP"; next }
  NF { sub(/^ +/, ""); print escape($0) }
'
