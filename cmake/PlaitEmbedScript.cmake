# SPDX-License-Identifier: BSD-2-Clause
# Turns a kernel file (INPUT) into a header (OUTPUT) that holds its text and a pl_kernel for each `void` function.
file(READ "${INPUT}" text)
get_filename_component(stem "${INPUT}" NAME_WE)
string(MAKE_C_IDENTIFIER "${stem}" id)

# Function names, from a copy without comments and brackets that CMake lists would trip over.
string(REGEX REPLACE "//[^\n]*" "" plain "${text}")
string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" plain "${plain}")
string(REGEX REPLACE "[][;]" " " plain "${plain}")
string(REGEX MATCHALL "(^|\n)(static +|inline +)*void +[A-Za-z_][A-Za-z_0-9]* *\\(" heads "${plain}")
set(names "")
foreach(head ${heads})
  string(REGEX REPLACE ".*void +([A-Za-z_][A-Za-z_0-9]*) *\\(" "\\1" name "${head}")
  list(APPEND names ${name})
endforeach()
list(REMOVE_DUPLICATES names)
if(NOT names)
  message(FATAL_ERROR "plait_embed_kernels: ${INPUT} holds no function `void NAME(...)`")
endif()

# The text as numbers: no limits on string literals, nothing to escape.
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],)(0x[0-9a-f][0-9a-f],))" "\\1\n" bytes "${bytes}")

set(out "/* Made by plait_embed_kernels from ${INPUT}. */\n#include <plait.h>\n\n")
foreach(name ${names})
  string(APPEND out "#define ${name} ${name}_kernel\n")
endforeach()
string(APPEND out "#include \"${INPUT}\"\n")
foreach(name ${names})
  string(APPEND out "#undef ${name}\n")
endforeach()
string(APPEND out "\nstatic const char ${id}_plait_text[] = {\n${bytes}0};\n\n")
foreach(name ${names})
  string(APPEND out "static const pl_kernel ${name}[1] = {{\"${name}\", NULL, NULL, ${id}_plait_text, \"${INPUT}\", 1,\n"
    "  (int)sizeof(pl_real), (pl_kernel_fn)${name}_kernel, NULL}};\n")
endforeach()
file(WRITE "${OUTPUT}" "${out}")
