# SPDX-License-Identifier: BSD-2-Clause
# Turns a kernel file (INPUT) into a header (OUTPUT) that holds its text and a pl_kernel for each `void` function.
if(INPUT MATCHES "\"")
  message(FATAL_ERROR "plait_embed_kernels: the path ${INPUT} holds a quotation mark, which no #include can name: move the file")
endif()
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

# The text as characters by their codes: no limits on string literals, nothing to escape, and of type char above 127 too.
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "^efbbbf" "" hex "${hex}") # a byte order mark
string(REGEX REPLACE "(................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
get_filename_component(file "${INPUT}" NAME)
string(REPLACE "\\" "\\\\" literal "${INPUT}")

set(out "/* Made by plait_embed_kernels from ${file}. */\n#include <plait.h>\n\n")
foreach(name ${names})
  string(APPEND out "#define ${name} ${name}_kernel\n")
endforeach()
string(APPEND out "#include \"${INPUT}\"\n")
foreach(name ${names})
  string(APPEND out "#undef ${name}\n")
endforeach()
string(APPEND out "\nstatic const char ${id}_plait_text[] = {\n${bytes}0};\n\n")
foreach(name ${names})
  string(APPEND out "static const pl_kernel ${name}[1] = {{\"${name}\", NULL, NULL, ${id}_plait_text, \"${literal}\", 1,\n"
    "  (int)sizeof(pl_real), (pl_kernel_fn)${name}_kernel, NULL, (int)sizeof(pl_kernel)}};\n")
endforeach()
file(WRITE "${OUTPUT}" "${out}")
